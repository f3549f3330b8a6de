//! Small files that are out for time or memory are judged at every level in little of both, and hide nobody else's result.
//!
//! `cargo xtask bombs` runs this with the program as released and prints the table of `.github/SECURITY.md`.

use std::fs;
use std::path::{Path, PathBuf};

use oracles::{measured, program, scratch};

/// What is promised of the program as released, in seconds of processor time.
const MOST_SECONDS: f64 = 2.0;
/// The same for the program as built for tests, which is hardly optimised.
const MOST_SECONDS_UNOPTIMISED: f64 = 12.0;
/// The most memory, whatever the build.
const MOST_BYTES: u64 = 200 << 20;

/// The program to measure, and how long it may take.
fn measured_program() -> (PathBuf, f64) {
    match std::env::var_os("MEDH5_LITE_PROGRAM") {
        Some(path) => (path.into(), MOST_SECONDS),
        None => (program::path(), MOST_SECONDS_UNOPTIMISED),
    }
}

fn bombs() -> Vec<PathBuf> {
    scratch::files(&scratch::folder("bombs"), ".medh5")
}

#[test]
fn a_bomb_costs_little_time_and_memory() {
    let (program, most_seconds) = measured_program();
    let folder = scratch::folder("bombs");
    let mut too_much = Vec::new();
    println!("| file | bytes | seconds | MiB | verdict |\n| --- | --- | --- | --- | --- |");
    for bomb in bombs() {
        let name = scratch::name_of(&bomb);
        let arguments = ["validate", "--level", "strict", "--json", &name];
        let run = measured::run(&program, &arguments, &folder);
        assert!(matches!(run.code, 0 | 1), "{name}: exit code {}", run.code);
        let row = format!(
            "| {name} | {} | {:.2} | {} | {} |",
            fs::metadata(&bomb).map_or(0, |metadata| metadata.len()),
            run.cpu_seconds,
            run.peak_bytes >> 20,
            verdict(&run.stdout)
        );
        println!("{row}");
        if run.cpu_seconds > most_seconds || run.peak_bytes > MOST_BYTES {
            too_much.push(row);
        }
    }
    assert!(too_much.is_empty(), "beyond {most_seconds} s or 200 MiB:\n{}", too_much.join("\n"));
}

/// The codes of a report and how often each was found, and the limits that were hit.
fn verdict(report: &str) -> String {
    let reports: Vec<serde_json::Value> = serde_json::from_str(report).expect("a JSON report");
    let mut codes = std::collections::BTreeMap::<String, u32>::new();
    let mut limits = std::collections::BTreeSet::new();
    for finding in reports[0]["diagnostics"].as_array().into_iter().flatten() {
        let code = finding["code"].as_str().unwrap_or_default();
        *codes.entry(code.to_owned()).or_default() += 1;
        let message = finding["message"].as_str().unwrap_or_default();
        if let Some((_, limit)) = message.split_once("is over the limit `") {
            limits.insert(limit.split('`').next().unwrap_or_default().to_owned());
        }
    }
    let codes = codes.iter().map(|(code, count)| format!("{count} {code}"));
    let limits = limits.into_iter().map(|limit| format!("`{limit}`"));
    codes.chain(limits).collect::<Vec<_>>().join(", ")
}

/// What is over a limit is refused by its name: not in order, and not called malformed.
#[test]
fn a_limit_is_named_and_never_passes() {
    let program = program::path();
    let folder = scratch::workspace().join("tests/fixtures/samples");
    for limit in ["max_block_bytes", "max_metadata_bytes", "max_attributes", "max_read_bytes"] {
        let setting = format!("{limit}=1");
        let arguments = ["validate", "--level", "integrity", "--limit", &setting, "clean.medh5"];
        let run = measured::run(&program, &arguments, &folder);
        assert_eq!(run.code, 1, "{limit}: {}", run.stdout);
        let named = format!("is over the limit `{limit}` of 1 (refused to protect this computer)");
        assert!(run.stdout.contains(&named), "{limit}: {}", run.stdout);
    }
    for option in [["--max-memory", "1K"], ["--max-depth", "0"], ["--timeout", "0.000001"]] {
        let arguments = ["validate", "--level", "integrity", option[0], option[1], "clean.medh5"];
        let run = measured::run(&program, &arguments, &folder);
        assert_eq!(run.code, 1, "{option:?}: {}", run.stdout);
        assert!(
            run.stdout.contains("over the limit") || run.stdout.contains("longer than the limit"),
            "{}",
            run.stdout
        );
        assert!(!run.stdout.contains("damaged"), "{}", run.stdout);
    }
}

/// Bombs, damaged files and files that are none, among files in order: each gets its own verdict, whoever its neighbours are.
#[test]
fn a_bad_file_hides_nobody_elses_result() {
    let program = program::path();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let samples = scratch::workspace().join("tests/fixtures/samples");
    let clean = fs::read(samples.join("clean.medh5")).expect("a sample");
    let mut expected = Vec::new();
    for number in 0..120_usize {
        let path = folder.path().join(format!("{number:03}.medh5"));
        let is_clean = number % 3 != 1;
        if is_clean {
            fs::write(&path, &clean).expect("room for a sample");
        } else {
            bad_file(number / 3, &path, &clean);
        }
        expected.push(is_clean);
    }
    let run = measured::run(&program, &["validate", "--jobs", "2", "--json", "."], folder.path());
    assert_eq!(run.code, 1);
    let reports: Vec<serde_json::Value> = serde_json::from_str(&run.stdout).expect("a report");
    let found: Vec<bool> = reports.iter().map(|report| report["ok"] == true).collect();
    assert_eq!(found, expected);
}

fn bad_file(number: usize, path: &Path, clean: &[u8]) {
    let bombs = bombs();
    let bomb = bombs.iter().filter(|bomb| fs::metadata(bomb).is_ok_and(|m| m.len() < 1_000_000));
    match number % 4 {
        0 => fs::write(path, &clean[..clean.len() / 2]),
        1 => fs::write(path, b"no HDF5 at all"),
        2 => fs::write(path, b""),
        _ => {
            let bombs: Vec<_> = bomb.collect();
            fs::copy(bombs[number / 4 % bombs.len()], path).map(drop)
        }
    }
    .expect("room for a file");
}
