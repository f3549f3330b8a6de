//! `setup`: what the other commands need besides a Rust toolchain.

use crate::{Failure, process, python, scratch};

const WASM: &str = "wasm32-unknown-unknown";

pub(super) fn run(_: &[String]) -> Result<(), Failure> {
    ensure_wasm_target()?;
    ensure_hdf5_tools()?;
    python::ensure()?;
    scratch::ensure()
}

/// The programs of libhdf5 list what we write. They come with the system, not with Python.
fn ensure_hdf5_tools() -> Result<(), Failure> {
    for program in ["h5dump", "h5ls"] {
        if !process::succeeds(process::command(program).arg("--version")) {
            return Err(format!(
                "{program} does not run (Debian and Ubuntu have it in hdf5-tools)"
            ));
        }
    }
    Ok(())
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
