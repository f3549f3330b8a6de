//! Arrows between crates, and what the dependency tree must not hold.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use oracles::scratch::workspace;
use serde_json::Value;

/// Which of our crates each may use outside its tests. Arrows point down the list of layers and nowhere else.
const ARROWS: &[(&str, &[&str])] = &[
    ("medh5-lite-codec", &[]),
    ("medh5-lite-hdf5", &["medh5-lite-codec"]),
    ("medh5-lite-blosc2", &["medh5-lite-codec"]),
    ("medh5-lite", &["medh5-lite-codec", "medh5-lite-hdf5", "medh5-lite-blosc2"]),
    ("medh5-lite-report", &["medh5-lite"]),
    // The program shows raw structures (`dump`) and opens files.
    ("medh5-lite-cli", &["medh5-lite", "medh5-lite-hdf5", "medh5-lite-report"]),
    ("medh5-lite-wasm", &["medh5-lite", "medh5-lite-hdf5", "medh5-lite-report"]),
    ("medh5-lite-testkit", &[]),
    ("xtask", &[]),
];

/// The licences that may be in the tree.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-3-Clause",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates that the program holds twice, and why.
const TWICE: &[(&str, &str)] = &[("miniz_oxide", "png is one version behind flate2")];

#[test]
fn our_crates_use_each_other_downwards_only() {
    let metadata = metadata();
    let ours: BTreeMap<&str, BTreeSet<&str>> = packages(&metadata)
        .filter(|package| is_ours(package))
        .map(|package| (name(package), uses(package)))
        .collect();
    for (package, allowed) in ARROWS {
        let used = ours.get(package).unwrap_or_else(|| panic!("{package} is gone"));
        let wrong: Vec<&&str> = used
            .iter()
            .filter(|used| ours.contains_key(**used) && !allowed.contains(used))
            .collect();
        assert!(wrong.is_empty(), "{package} uses {wrong:?}");
    }
    let unknown: Vec<&&str> = ours
        .keys()
        .filter(|package| {
            **package != "medh5-lite-tests" && !ARROWS.iter().any(|(known, _)| known == *package)
        })
        .collect();
    assert!(unknown.is_empty(), "say in ARROWS what {unknown:?} may use");
}

/// The program holds no C library: no libhdf5, no C-Blosc2, nothing that a build script would compile or link.
#[test]
fn the_program_links_no_c_library() {
    let tree = tree(&["--edges", "normal,build", "--format", "{p}"]);
    for line in tree.lines() {
        let name = line.split(' ').next().unwrap_or_default();
        let bindings =
            name.ends_with("-sys") && !["linux-raw-sys", "windows-sys", "js-sys"].contains(&name);
        assert!(!bindings, "{name} binds a C library");
        assert!(
            !["hdf5", "blosc", "blosc2-rs", "cmake", "bindgen", "pkg-config"].contains(&name),
            "{name} is in the tree"
        );
    }
}

#[test]
fn every_licence_is_known() {
    for package in packages(&metadata()) {
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_allowed(licence), "{}: licence {licence}", name(package));
    }
}

/// One alternative of which every part is on the list.
fn is_allowed(expression: &str) -> bool {
    let plain = expression.replace('/', " OR ").replace(['(', ')'], "");
    let parts: Vec<&str> = plain.split(" AND ").collect();
    parts.iter().all(|part| part.split(" OR ").any(|licence| LICENCES.contains(&licence.trim())))
}

#[test]
fn nothing_is_in_the_program_twice_without_a_reason() {
    let tree = tree(&["--edges", "normal", "--format", "{p}"]);
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in tree.lines() {
        let mut words = line.split(' ');
        versions
            .entry(words.next().unwrap_or_default())
            .or_default()
            .insert(words.next().unwrap_or_default());
    }
    let twice: Vec<&str> =
        versions.iter().filter(|(_, found)| found.len() > 1).map(|(name, _)| *name).collect();
    let expected: Vec<&str> = TWICE.iter().map(|(name, _)| *name).collect();
    assert_eq!(twice, expected);
}

fn metadata() -> Value {
    let text = cargo(&["metadata", "--format-version", "1", "--locked"]);
    serde_json::from_str(&text).expect("cargo writes JSON")
}

/// The flat tree of the program as it is installed.
fn tree(arguments: &[&str]) -> String {
    let start =
        ["tree", "--package", "medh5-lite-cli", "--prefix", "none", "--no-dedupe", "--locked"];
    cargo(&[&start, arguments].concat())
}

fn cargo(arguments: &[&str]) -> String {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(program)
        .args(arguments)
        .current_dir(workspace())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo writes UTF-8")
}

fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"].as_array().into_iter().flatten()
}

fn is_ours(package: &Value) -> bool {
    package["source"].is_null()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap_or_default()
}

/// Names of the packages that this one uses outside its tests.
fn uses(package: &Value) -> BTreeSet<&str> {
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    dependencies.filter(|dependency| dependency["kind"] != "dev").map(name).collect()
}
