//! The commands, one file each.

mod bench;
mod bless;
mod bombs;
mod conformance;
mod coverage;
mod differential;
mod dump;
mod fuzz;
mod setup;
mod test;
mod web;

use crate::Failure;

/// One command.
pub(crate) struct Command {
    /// The word that calls it.
    pub(crate) name: &'static str,
    /// What it does, in one line.
    pub(crate) summary: &'static str,
    /// Runs it with the arguments that follow its name.
    pub(crate) run: fn(&[String]) -> Result<(), Failure>,
}

/// All of them, in the order in which people need them.
pub(crate) const ALL: &[Command] = &[
    Command {
        name: "setup",
        summary: "the Python environment and the files that tests compare with",
        run: setup::run,
    },
    Command {
        name: "test",
        summary: "everything: the one command that proves a change",
        run: test::run,
    },
    Command {
        name: "conformance",
        summary: "the published suite, case by case, and its score",
        run: conformance::run,
    },
    Command {
        name: "differential",
        summary: "verdicts on mutated files against the reference [--count N] [--seed N]",
        run: differential::run,
    },
    Command {
        name: "bench",
        summary: "speed against the reference, side by side [--quick]",
        run: bench::run,
    },
    Command {
        name: "bombs",
        summary: "what files that are out for time or memory cost the released program, as a table",
        run: bombs::run,
    },
    Command {
        name: "coverage",
        summary: "which lines of the core the tests reach, with cargo-llvm-cov",
        run: coverage::run,
    },
    Command {
        name: "fuzz",
        summary: "[TARGET] [--seconds N]: fuzz targets, with nightly Rust and cargo-fuzz",
        run: fuzz::run,
    },
    Command { name: "dump", summary: "FILE: every HDF5 structure with its offset", run: dump::run },
    Command {
        name: "web",
        summary: "the wasm package and the page into target/web [--serve] [--test]",
        run: web::run,
    },
    Command { name: "bless", summary: "writes the generated documents again", run: bless::run },
];
