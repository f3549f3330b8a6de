//! Two writers of one file, and a file that goes away.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use oracles::chance::Chance;
use oracles::program;

use crate::jobs::{self, Job};

/// Rounds of two programs against one another.
const ROUNDS: usize = 12;

fn recompress() -> &'static Job {
    jobs::ALL.iter().find(|job| job.name == "recompress").expect("one of them")
}

#[test]
fn of_two_writers_one_wins_whole() {
    let job = recompress();
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let target = job.target(folder);
    let rival = |profile: &str| {
        let mut command = Command::new(program::path());
        command.args(["recompress", "--profile", profile, job.target]).current_dir(folder);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let alone = ["training", "portable"].map(|profile| {
        job.prepare(folder);
        assert!(rival(profile).status().expect("the program runs").success());
        jobs::content(&target)
    });
    let mut chance = Chance::new(5);
    for _ in 0..ROUNDS {
        job.prepare(folder);
        let first = rival("training").spawn().expect("the program runs");
        sleep(Duration::from_millis(u64::try_from(chance.below(120)).expect("few")));
        let second = rival("portable").spawn().expect("the program runs");
        let results = [first, second].map(|child| child.wait_with_output().expect("a child"));
        let won = results.iter().filter(|result| result.status.success()).count();
        assert!(won > 0, "nobody wrote");
        for result in results.iter().filter(|result| !result.status.success()) {
            let text = String::from_utf8_lossy(&[&result.stdout[..], &result.stderr].concat())
                .into_owned();
            assert_eq!(result.status.code(), Some(1), "{text}");
            assert!(text.contains("another program"), "{text}");
        }
        // Whoever comes second may begin from the first one's file: chunks that are stored alike, elements that are the same.
        let found = jobs::content(&target).expect("the file is never away");
        let whole = Command::new(program::path()).arg("verify").arg(&target).output();
        assert!(whole.expect("the program runs").status.success(), "the file is not sound");
        assert!(won == 2 || alone.contains(&Some(found)), "a loser left its mark");
        assert_eq!(jobs::strangers(folder, job), Vec::<String>::new());
    }
}

#[test]
fn a_source_that_is_gone_is_an_error() {
    let job = recompress();
    let folder = tempfile::tempdir().expect("a folder");
    job.prepare(folder.path());
    fs::remove_file(job.target(folder.path())).expect("it was just put there");
    let status = job.command(folder.path()).status().expect("the program runs");
    assert_eq!(status.code(), Some(1));
    assert_eq!(jobs::strangers(folder.path(), job), Vec::<String>::new());
}
