//! `web`: the WebAssembly package and the static page, built; with `--serve`, opened on this machine; with `--test`, driven
//! in Node and in a real browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{cargo, command, install, output, run as call, succeeds};
use crate::{Failure, node, workspace};

/// The module as cargo names it.
const MODULE: &str = "medh5_lite_wasm";

pub(super) fn run(arguments: &[String]) -> Result<(), Failure> {
    build()?;
    for argument in arguments {
        match argument.as_str() {
            "--serve" => call(node::script("web-viewer/serve.mjs").arg(page()))?,
            "--test" => test()?,
            other => return Err(format!("web: there is no option `{other}`")),
        }
    }
    Ok(())
}

/// Where the page is built.
fn page() -> PathBuf {
    workspace::root().join("target/web")
}

/// Builds everything and measures it in a browser; `complete` adds the arguments.
pub(super) fn bench(complete: impl FnOnce(&mut Command) -> &mut Command) -> Result<(), Failure> {
    build()?;
    node::packages("web-viewer/bench")?;
    browser()?;
    call(complete(&mut node::script("web-viewer/bench/run.mjs")))
}

fn build() -> Result<(), Failure> {
    call(
        cargo()
            .args(["build", "--package", "medh5-lite-wasm", "--profile", PROFILE, "--locked"])
            .args(["--target", TARGET]),
    )?;
    let module = workspace::root()
        .join("target")
        .join(TARGET)
        .join(PROFILE)
        .join(MODULE)
        .with_extension("wasm");
    let generated = workspace::root().join("wasm/js/generated");
    let bindgen = bindgen()?;
    let lean = ["--remove-name-section", "--remove-producers-section"];
    // A trap leaves an instance unusable; the package then takes a new one.
    let bind = ["--experimental-reset-state-function", "--target", "web", "--out-dir"];
    call(command(bindgen).args(lean).args(bind).arg(&generated).arg(&module))?;
    node::packages("wasm")?;
    node::packages("web-viewer")?;
    call(npx("wasm", "tsc").args(["--project", "."]))?;
    call(npx("web-viewer", "tsc").args(["--project", "."]))?;
    let bound = format!("{MODULE}_bg.wasm");
    let dist = workspace::root().join("wasm/dist");
    copy(&generated.join(&bound), &dist.join(&bound))?;
    for suffix in [".js", ".d.ts"] {
        let name = format!("{MODULE}{suffix}");
        copy(&generated.join(&name), &dist.join("generated").join(&name))?;
    }
    call(node::script("web-viewer/build.mjs").arg(page()))?;
    sizes(&page())?;
    call(node::script("web-viewer/weigh.mjs").arg(module))
}

/// Built for size where speed does not matter; with names.
const PROFILE: &str = "module";

const TARGET: &str = "wasm32-unknown-unknown";

/// The program that makes the JavaScript side: its version must be that of the crate, to the letter.
fn bindgen() -> Result<PathBuf, Failure> {
    let version = bindgen_version()?;
    let root = workspace::root().join("target/tools");
    let program = root.join("bin/wasm-bindgen");
    let found = output(command(&program).arg("--version")).unwrap_or_default();
    if !found.trim().ends_with(&version) {
        println!("installing wasm-bindgen {version} into target/tools");
        call(
            cargo()
                .args(["install", "wasm-bindgen-cli", "--version", &version, "--quiet", "--root"])
                .arg(root),
        )?;
    }
    Ok(program)
}

/// The version in the lock file.
fn bindgen_version() -> Result<String, Failure> {
    let lock = workspace::root().join("Cargo.lock");
    let text = fs::read_to_string(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    let mut lines = text.lines().skip_while(|line| *line != "name = \"wasm-bindgen\"");
    let version = lines.nth(1).and_then(|line| line.split('"').nth(1));
    version.map(str::to_owned).ok_or_else(|| "Cargo.lock names no wasm-bindgen".to_owned())
}

fn npx(folder: &str, program: &str) -> Command {
    let folder = workspace::root().join(folder);
    let mut command = Command::new(folder.join("node_modules/.bin").join(program));
    command.current_dir(folder);
    command
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(from, to))
        .map(drop)
        .map_err(|error| format!("{}: {error}", from.display()))
}

/// A real browser, from the system.
fn browser() -> Result<(), Failure> {
    if succeeds(command("chromium").arg("--version")) { Ok(()) } else { install("chromium") }
}

/// What people download, as stored and as servers send it.
fn sizes(page: &Path) -> Result<(), Failure> {
    call(node::script("web-viewer/sizes.mjs").arg(page))
}

fn test() -> Result<(), Failure> {
    call(node::script("--test").arg("wasm/tests/"))?;
    browser()?;
    call(node::script("--test").args(["--test-concurrency=1", "web-viewer/tests/"]))
}
