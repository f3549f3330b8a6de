//! Judging a volume of 2 GiB takes little memory at every level, however it is stored; so does writing one.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use oracles::{measured, program, scratch};

/// What is promised.
const MOST_BYTES: u64 = 300 << 20;

/// What was measured, with some room. Digests need the elements in order. Where a chunk must be decoded as a whole, a row of chunks is
/// held therefore, and twice, one copy being hashed while the other is decoded: here 64 planes of 2 MiB, of which 64 MiB at a time.
const EXPECTED: [(&str, u64); 3] =
    [("blosc2", 80 << 20), ("deflate", 180 << 20), ("uncompressed", 80 << 20)];

#[test]
fn two_gibibytes_are_judged_in_little_memory() {
    let program = program::path();
    let folder = scratch::folder("bulk");
    for (layout, expected) in EXPECTED {
        // Strict reads what integrity reads.
        for level in ["structural", "semantic", "integrity"] {
            let file = format!("{layout}.medh5");
            let arguments = ["validate", "--level", level, "--format", "concise", &file];
            let run = measured::run(&program, &arguments, &folder);
            let is_read = run.stdout.contains("/images/CT: E701");
            assert_eq!(is_read, level == "integrity", "{file}: {}", run.stdout);
            let peak = run.peak_bytes >> 20;
            assert!(run.peak_bytes < MOST_BYTES, "{file} at {level}: {peak} MiB");
            assert!(run.peak_bytes < expected, "{file} at {level}: {peak} MiB, more than expected");
            println!("{file} at {level}: {peak} MiB, {:.2} s", run.cpu_seconds);
        }
    }
}

/// What writing takes at most, with some room over what was measured: a batch of chunks before and after they are encoded, and what
/// verifying holds.
const WRITING: [(&str, u64); 3] = [
    ("create a.medh5 --image CT=zeros.npy --spacing 1,1,1 --profile training", 100 << 20),
    ("recompress a.medh5 --profile balanced --out b.medh5", 100 << 20),
    ("pack a.medh5 b.medh5 --out c.medh5c", 40 << 20),
];

#[test]
fn two_gibibytes_are_written_in_little_memory() {
    let program = program::path();
    let folder = tempfile::tempdir().expect("a folder");
    zeros(&folder.path().join("zeros.npy"));
    for (command, expected) in WRITING {
        let arguments: Vec<&str> = command.split(' ').collect();
        let run = measured::run(&program, &arguments, folder.path());
        let peak = run.peak_bytes >> 20;
        println!("{command}: {peak} MiB, {:.2} s", run.cpu_seconds);
        assert_eq!(run.code, 0, "{command}: {}", run.stdout);
        assert!(run.peak_bytes < MOST_BYTES, "{command}: {peak} MiB");
        assert!(run.peak_bytes < expected, "{command}: {peak} MiB, more than expected");
    }
}

/// An array of 1024^3 numbers of 16 bits that takes no room: a hole.
fn zeros(path: &Path) {
    let description = "{'descr': '<i2', 'fortran_order': False, 'shape': (1024, 1024, 1024), }";
    let mut file = File::create(path).expect("room for a file");
    file.write_all(b"\x93NUMPY\x01\x00\x76\x00").expect("room for a header");
    file.write_all(format!("{description:<117}\n").as_bytes()).expect("room for a header");
    file.set_len(128 + (2 << 30)).expect("a file system with holes");
}
