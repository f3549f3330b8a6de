//! Time and peak memory of a program.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::reference;

/// Starts the program from a small process, since a child's peak memory is never below that of its parent, and tells what the
/// system counted.
const LAUNCHER: &str = "
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(file=sys.stderr)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss << 10, usage.ru_utime + usage.ru_stime, file=sys.stderr)
";

/// What a run of a program took and gave.
#[derive(Debug, Clone)]
pub struct Measured {
    /// What it printed on standard output.
    pub stdout: String,
    /// Its exit code; negative when a signal ended it.
    pub code: i32,
    /// The most memory it had, in bytes.
    pub peak_bytes: u64,
    /// Time it spent on processors, in seconds: other work on the machine does not count.
    pub cpu_seconds: f64,
}

/// Runs a program to its end.
///
/// # Panics
/// When it cannot be started.
pub fn run(program: &Path, arguments: &[&str], folder: &Path) -> Measured {
    let output = Command::new(reference::environment().join("bin/python"))
        .args(["-I", "-S", "-c", LAUNCHER])
        .arg(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("`cargo xtask setup` has made the Python environment");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut counted = said.lines().last().unwrap_or_default().split(' ');
    let mut next = || counted.next().unwrap_or_default().to_owned();
    let shown = format!("{}: {said}", program.display());
    Measured {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        code: next().parse().expect(&shown),
        peak_bytes: next().parse().expect(&shown),
        cpu_seconds: next().parse().expect(&shown),
    }
}
