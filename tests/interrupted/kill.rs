//! Killed at any moment.

use std::thread::sleep;
use std::time::Instant;

use oracles::chance::Chance;

use crate::jobs::{self, Job};

/// Kills of all commands together.
const KILLS: usize = 200;

#[test]
fn a_killed_command_leaves_the_old_file_or_the_new_one() {
    let mut chance = Chance::new(11);
    for job in jobs::ALL {
        kill_often(job, KILLS.div_ceil(jobs::ALL.len()), &mut chance);
    }
}

fn kill_often(job: &Job, kills: usize, chance: &mut Chance) {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    job.prepare(folder);
    let target = job.target(folder);
    let old = jobs::content(&target);
    let started = Instant::now();
    assert!(job.command(folder).status().expect("the program runs").success(), "{}", job.name);
    let duration = started.elapsed();
    let new = jobs::content(&target);
    assert!(new.is_some() && new != old, "{} changes nothing", job.name);
    let mut cut_short = 0;
    for _ in 0..kills {
        job.prepare(folder);
        let mut child = job.command(folder).spawn().expect("the program runs");
        let moment = u32::try_from(chance.below(700)).expect("few");
        sleep(duration * moment / 1000);
        child.kill().expect("a child that has not been waited for");
        cut_short += usize::from(!child.wait().expect("a child").success());
        let found = jobs::content(&target);
        assert!(found == old || found == new, "{}: neither the old file nor the new one", job.name);
    }
    assert!(cut_short * 5 > kills, "{}: only {cut_short} of {kills} were cut short", job.name);
    // The next run succeeds, with the same bytes, and sweeps up.
    job.prepare(folder);
    assert!(job.command(folder).status().expect("the program runs").success(), "{}", job.name);
    assert!(jobs::content(&target) == new, "{}: other bytes than before", job.name);
    assert_eq!(jobs::strangers(folder, job), Vec::<String>::new(), "{}", job.name);
}
