//! `setup`: what the other commands need besides a Rust toolchain.

use crate::{Failure, node, process, python, scratch};

const WASM: &str = "wasm32-unknown-unknown";
/// Where the judges for Node are.
const JUDGES: &str = "tests/node";

pub(super) fn run(_: &[String]) -> Result<(), Failure> {
    ensure_wasm_target()?;
    ensure_hdf5_tools()?;
    python::ensure()?;
    node::packages(JUDGES)?;
    scratch::ensure()
}

/// The programs of libhdf5 list what we write. They come with the system, not with Python.
fn ensure_hdf5_tools() -> Result<(), Failure> {
    let runs = |program| process::succeeds(process::command(program).arg("--version"));
    if runs("h5dump") && runs("h5ls") {
        return Ok(());
    }
    process::install("hdf5-tools").map_err(|reason| {
        format!("h5dump and h5ls do not run, and hdf5-tools cannot be installed: {reason}")
    })
}

/// `rust-toolchain.toml` names the target; a toolchain that does not come from rustup may still lack it.
fn ensure_wasm_target() -> Result<(), Failure> {
    let sysroot = process::output(process::command("rustc").args(["--print", "sysroot"]))?;
    let libraries = std::path::Path::new(sysroot.trim()).join("lib/rustlib").join(WASM);
    if libraries.exists() {
        return Ok(());
    }
    process::run(process::command("rustup").args(["target", "add", WASM]))
}
