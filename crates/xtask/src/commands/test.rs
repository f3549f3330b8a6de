//! `test`: the one command that proves a change. Runs every step, then says which failed.

use std::time::{Duration, Instant};

use super::{conformance, setup, web};
use crate::{Failure, process};

struct Step {
    name: &'static str,
    run: fn() -> Result<(), Failure>,
}

const STEPS: &[Step] = &[
    Step { name: "set up", run: || setup::run(&[]) },
    Step { name: "format", run: || cargo(&["fmt", "--all", "--check"]) },
    Step {
        name: "lints",
        run: || {
            cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])
        },
    },
    Step { name: "dependencies", run: dependencies },
    Step { name: "wasm builds", run: wasm },
    Step { name: "tests", run: tests },
    Step { name: "every Zstandard", run: zstandard },
    Step {
        name: "documentation examples",
        run: || cargo(&["test", "--doc", "--workspace", "--quiet"]),
    },
    Step { name: "documentation", run: documentation },
    Step { name: "package and page", run: || web::run(&["--test".into()]) },
    Step { name: "conformance score", run: || conformance::run(&["--quiet".into()]) },
];

pub(super) fn run(_: &[String]) -> Result<(), Failure> {
    let start = Instant::now();
    let results: Vec<(&Step, Result<(), Failure>, Duration)> = STEPS.iter().map(timed).collect();
    println!();
    for (step, result, elapsed) in &results {
        let verdict = if result.is_ok() { "ok" } else { "FAILED" };
        println!("{verdict:<7} {:<24} {:>6.1} s", step.name, elapsed.as_secs_f64());
    }
    println!("{:>39.1} s in all", start.elapsed().as_secs_f64());
    let reasons: Vec<&str> = results
        .iter()
        .filter_map(|(_, result, _)| result.as_ref().err())
        .map(|reason| &**reason)
        .collect();
    if reasons.is_empty() { Ok(()) } else { Err(reasons.join("\nxtask: ")) }
}

fn timed(step: &Step) -> (&Step, Result<(), Failure>, Duration) {
    println!("\n== {}", step.name);
    let start = Instant::now();
    let result = (step.run)();
    (step, result, start.elapsed())
}

fn cargo(arguments: &[&str]) -> Result<(), Failure> {
    process::run(process::cargo().args(arguments))
}

/// Licences, duplicates, origins and, where their list can be had, advisories. Tests hold the first two without `cargo deny`, too.
fn dependencies() -> Result<(), Failure> {
    if !process::succeeds(process::cargo().args(["deny", "--version"])) {
        println!("not checked for advisories: `cargo install cargo-deny` makes that possible");
        return Ok(());
    }
    cargo(&[
        "deny",
        "--offline",
        "check",
        "--hide-inclusion-graph",
        "licenses",
        "bans",
        "sources",
    ])?;
    if process::succeeds(process::cargo().args(["deny", "fetch", "db"])) {
        cargo(&["deny", "check", "--hide-inclusion-graph", "advisories"])
    } else {
        println!("not checked for advisories: their list cannot be fetched");
        Ok(())
    }
}

/// The library must build for the browser, without files and threads.
fn wasm() -> Result<(), Failure> {
    cargo(&[
        "check",
        "--package",
        "medh5-lite",
        "--target",
        "wasm32-unknown-unknown",
        "--no-default-features",
        "--features",
        "zstd-rust",
        "--locked",
    ])
}

/// By nextest when it is installed, else by cargo itself.
fn tests() -> Result<(), Failure> {
    // Some tests run the program; building it while they wait would count against them.
    cargo(&["build", "--package", "medh5-lite-cli", "--locked"])?;
    if process::succeeds(process::cargo().args(["nextest", "--version"])) {
        cargo(&["nextest", "run", "--workspace", "--locked"])
    } else {
        cargo(&["test", "--workspace", "--all-targets", "--locked", "--no-fail-fast"])
    }
}

/// All Zstandard implementations agree, and Blosc2 decodes with the one that is not the default.
fn zstandard() -> Result<(), Failure> {
    cargo(&[
        "test",
        "--package",
        "medh5-lite-codec",
        "--package",
        "medh5-lite-tests",
        "--features",
        "medh5-lite-codec/zstd-c,medh5-lite-codec/zstd-small",
        "--test",
        "zstd",
        "--test",
        "blosc2",
        "--locked",
    ])
}

fn documentation() -> Result<(), Failure> {
    let arguments = ["doc", "--workspace", "--no-deps", "--locked", "--quiet"];
    process::run(process::cargo().args(arguments).env("RUSTDOCFLAGS", "-D warnings"))
}
