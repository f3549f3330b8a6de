//! Places that cannot be written to: full, and read-only. A small file system in memory is mounted for each, in a name space
//! that goes away with it.

use std::path::Path;
use std::process::{Command, Output};

use oracles::program;

use crate::jobs::{self, Job};

/// Runs `job` on a file system of `kib` KiB with its inputs in it, under `options`; then prints what is there and ends as it did.
fn run(job: &Job, place: &Path, kib: u64, options: &str) -> Output {
    let staged = tempfile::tempdir().expect("a folder");
    job.prepare(staged.path());
    let script = format!(
        "set -e\n\
         mount -t tmpfs -o size={kib}k none \"$PLACE\"\n\
         cp \"$STAGED\"/* \"$PLACE\"\n\
         mount -o remount,{options} \"$PLACE\"\n\
         cd \"$PLACE\"\n\
         set +e\n\
         \"$PROGRAM\" \"$@\" >&2\n\
         status=$?\n\
         ls -A\n\
         for file in {inputs}; do cmp \"$file\" \"$STAGED/$file\" >&2 || status=99; done\n\
         exit $status\n",
        inputs = job.inputs.join(" ")
    );
    Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", &script, "sh"])
        .args(job.arguments)
        .env("PLACE", place)
        .env("STAGED", staged.path())
        .env("PROGRAM", program::path())
        .output()
        .expect("util-linux is installed")
}

/// One handled error, in words; the inputs are as they were, and nothing else is there.
fn check(job: &Job, kib: u64, options: &str, reason: &str) {
    let place = tempfile::tempdir().expect("a folder");
    let found = run(job, place.path(), kib, options);
    let text = String::from_utf8_lossy(&found.stderr).into_owned();
    assert_eq!(found.status.code(), Some(1), "{}, {options}: {text}", job.name);
    assert!(text.contains(reason), "{}, {options}: {text}", job.name);
    let names = String::from_utf8_lossy(&found.stdout).into_owned();
    let mut inputs = job.inputs.to_vec();
    inputs.sort_unstable();
    assert_eq!(names.lines().collect::<Vec<_>>(), inputs, "{}, {options}", job.name);
}

#[test]
fn a_full_disk_is_an_error_and_leaves_nothing() {
    for job in jobs::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        job.prepare(folder.path());
        let bytes: u64 = job.inputs.iter().map(|name| size(&folder.path().join(name))).sum();
        // Too little room for what the job writes, which is about as much as the inputs.
        check(job, bytes * 4 / 3 / 1024, "rw", "No space left");
    }
}

#[test]
fn a_read_only_place_is_an_error_and_leaves_nothing() {
    for job in jobs::ALL {
        check(job, 100 << 10, "ro", "Read-only file system");
    }
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}
