//! Judging a volume of 2 GiB takes little memory at every level, however it is stored.

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
