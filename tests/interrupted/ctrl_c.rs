//! Stopped by Ctrl-C in the middle of much work: soon, and with nothing changed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use oracles::{program, scratch};

/// When Ctrl-C is pressed: all commands are at work then, and far from done.
const BEFORE: Duration = Duration::from_millis(400);
/// Gives the program Ctrl-C, and says how long it went on.
fn interrupt(folder: &Path, arguments: &[&str]) -> Duration {
    let mut command = Command::new(program::path());
    command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program runs");
    sleep(BEFORE);
    let pressed = Instant::now();
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("a shell's program").success(), "{arguments:?} ended on its own");
    let output = child.wait_with_output().expect("a child");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{arguments:?}: {said}");
    assert!(said.contains("interrupted"), "{arguments:?}: {said}");
    pressed.elapsed()
}

#[test]
fn ctrl_c_ends_long_writes_soon_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let sample = folder.join("large.medh5");
    fs::copy(scratch::folder("large").join("large.medh5"), &sample).expect("room for a copy");
    let array = folder.join("noise.npy");
    fs::write(&array, npy([256, 512, 512])).expect("room for an array");
    let before = fs::read(&sample).expect("the copy");
    let a_sixteenth = whole_run_on_a_sixteenth();
    for arguments in [
        &["recompress", "--profile", "archive", "large.medh5"][..],
        &[
            "create",
            "new.medh5",
            "--image",
            "CT=noise.npy",
            "--spacing",
            "1,1,1",
            "--profile",
            "archive",
        ],
    ] {
        let took = interrupt(folder, arguments);
        assert!(took < a_sixteenth, "{arguments:?} went on for {took:?}, not for a chunk");
        assert!(fs::read(&sample).expect("the copy") == before, "{arguments:?}");
        let mut names: Vec<_> =
            scratch::files(folder, "").iter().map(|path| scratch::name_of(path)).collect();
        names.sort();
        assert_eq!(names, ["large.medh5", "noise.npy"], "{arguments:?}");
    }
}

/// How long a command takes for a sixteenth of the work, to its end: what one chunk takes is a small part of that, on any machine
/// and beside any other work.
fn whole_run_on_a_sixteenth() -> Duration {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("noise.npy"), npy([64, 256, 256])).expect("room for an array");
    let arguments = ["create", "new.medh5", "--image", "CT=noise.npy", "--spacing", "1,1,1"];
    let mut command = Command::new(program::path());
    command.args(arguments).args(["--profile", "archive"]).current_dir(folder.path());
    let started = Instant::now();
    let output = command.output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    started.elapsed()
}

/// An array of bytes in waves, as NumPy stores it.
fn npy(shape: [usize; 3]) -> Vec<u8> {
    let [z, y, x] = shape;
    let description =
        format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({z}, {y}, {x}), }}");
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend_from_slice(format!("{description:<117}\n").as_bytes());
    bytes.extend((0..z * y * x).map(|at| (at * at / 977).to_le_bytes()[0]));
    bytes
}
