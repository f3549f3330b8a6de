//! Random trees: libhdf5 finds in them what they were made of.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use oracles::{describe, open, reference, trees};
use serde_json::Value;

use super::write;

/// How many trees are built.
const TREES: u64 = 500;

#[test]
fn libhdf5_reads_random_trees_as_they_were_meant() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (mut paths, mut expected) = (Vec::new(), Vec::new());
    for seed in 0..TREES {
        let tree = trees::random(seed);
        let path = folder.path().join(format!("tree-{seed}.h5"));
        write(tree.root, &path).unwrap_or_else(|error| panic!("tree {seed}: {error}"));
        let ours = open::path(&path).and_then(|file| describe::describe(&file));
        compare(&path, &tree.lines, &ours.unwrap_or_else(|error| panic!("tree {seed}: {error}")));
        paths.push(path);
        expected.push(tree.lines);
    }
    let descriptions = folder.path().join("descriptions");
    let mut arguments = vec![descriptions.clone().into_os_string()];
    arguments.extend(paths.iter().map(|path| path.clone().into_os_string()));
    reference::script("describe.py", &arguments);
    for (path, expected) in paths.iter().zip(&expected) {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let text = fs::read_to_string(descriptions.join(format!("{name}.jsonl"))).expect("a line");
        let found: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        compare(path, expected, &found);
    }
    programs_run(&paths[..60]);
}

/// Compares lines, but for the windows, which `describe.py` chose.
fn compare(path: &Path, expected: &[Value], found: &[Value]) {
    let name = path.display();
    for (expected, found) in expected.iter().zip(found) {
        for (key, value) in expected.as_object().expect("a line is an object") {
            assert_eq!(found[key], *value, "{name}: {}: {key}", expected["object"]);
        }
    }
    assert_eq!(found.len(), expected.len(), "{name}: objects");
}

/// The programs that come with libhdf5 list the files without a complaint.
fn programs_run(paths: &[PathBuf]) {
    for path in paths {
        for (program, option) in [("h5dump", "-A"), ("h5ls", "-r")] {
            let output = Command::new(program).arg(option).arg(path).output();
            let output = output.unwrap_or_else(|error| panic!("{program}: {error}; see setup"));
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && complaint.is_empty(), "{program}: {complaint}");
        }
    }
}

#[test]
fn libhdf5_changes_what_we_wrote() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut paths = Vec::new();
    for seed in 1_000..1_080 {
        let path = folder.path().join(format!("tree-{seed}.h5"));
        write(trees::random(seed).root, &path).unwrap_or_else(|error| panic!("{seed}: {error}"));
        paths.push(path.into_os_string());
    }
    assert_eq!(reference::script("edit_written.py", &paths), "");
    for path in paths {
        let file = open::path(Path::new(&path)).unwrap_or_else(|error| panic!("{error}"));
        let lines = describe::describe(&file).unwrap_or_else(|error| panic!("{error}"));
        let broken = lines.iter().find(|line| line.to_string().contains("\"error\""));
        assert_eq!(broken, None, "{}", path.display());
    }
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let bytes = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut bytes = Vec::new();
            let registry = medh5::storage::reading();
            let options = hdf5::WriteOptions::default();
            hdf5::write(trees::random(seed).root, &registry, &mut bytes, &options)
                .unwrap_or_else(|error| panic!("{error}"));
            bytes
        })
    };
    for seed in 0..30 {
        let one = bytes(1, seed);
        assert!(one == bytes(2, seed) && one == bytes(5, seed), "tree {seed}");
    }
}
