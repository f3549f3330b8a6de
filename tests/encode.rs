//! Our Blosc2 encoder makes what the C library makes, or what it reads to the same bytes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use blosc2::{Compressor, Encoder, Scratch, Settings, Transform};
use oracles::blosc2_cases::{Case, Cases};
use oracles::chance::Chance;
use oracles::{reference, scratch};

/// LZ4 byte for byte; Zstandard but for streams that hardly shrink, for which the C library gives up earlier.
#[test]
fn the_frames_of_the_c_filter() {
    let cases = Cases::load(&scratch::folder("blosc2"));
    let mut lz4 = 0;
    let (mut zstd, mut same) = (0, 0);
    for case in cases.iter().filter(|case| !case.is_chunk) {
        let Some(settings) = settings_of(case.name, case.element_size) else { continue };
        let found = encode(settings, case.shape, case.decoded);
        assert_decodes(&Case { stored: &found, ..case });
        let is_same = found == case.stored;
        match settings.compressor {
            Compressor::Lz4 => {
                assert!(is_same, "{}", case.name);
                lz4 += 1;
            }
            Compressor::Zstd => {
                let (found, expected) = (found.len(), case.stored.len());
                assert!(found * 200 <= expected * 201, "{}: {found} for {expected}", case.name);
                zstd += 1;
                same += usize::from(is_same);
            }
            Compressor::Lz4Hc | Compressor::Zlib => {}
        }
    }
    assert!(lz4 > 200 && zstd > 400, "only {lz4} and {zstd} cases");
    assert!(same * 100 > zstd * 93, "{same} of {zstd} Zstandard frames are those of the C filter");
}

/// What the name of a case says of its settings, if we encode with such.
fn settings_of(name: &str, element_size: usize) -> Option<Settings> {
    let words: Vec<&str> = name.split('-').collect();
    let (codec, level, transform, block_size) = match words[..] {
        ["blocks", block_size, _, codec, transform] => (
            ["0", "lz4", "", "", "", "zstd"][codec.parse::<usize>().ok()?],
            "5",
            transform,
            block_size.parse().ok(),
        ),
        [_, "stored"] => ("lz4", "0", "1", None),
        [.., codec, transform] => {
            let (codec, level) = codec.split_at(codec.len() - 1);
            (codec, level, transform, None)
        }
        _ => return None,
    };
    let compressor = match codec {
        "lz4" => Compressor::Lz4,
        "lz4hc" => Compressor::Lz4Hc,
        "zlib" => Compressor::Zlib,
        "zstd" => Compressor::Zstd,
        _ => return None,
    };
    let transform = match transform {
        "0" => Transform::None,
        "1" => Transform::Shuffle,
        "2" => Transform::BitShuffle,
        _ => return None,
    };
    Some(Settings { compressor, level: level.parse().ok()?, transform, element_size, block_size })
}

/// As the HDF5 filter does it: arrays in n-d blocks.
fn encode(settings: Settings, shape: &[usize], elements: &[u8]) -> Vec<u8> {
    let mut encoder = Encoder::new(settings).expect("settings that can be encoded");
    let mut frame = Vec::new();
    let done = match shape {
        [_] => encoder.encode(elements, &mut frame),
        _ => encoder.encode_array(shape, elements, &mut frame),
    };
    done.expect("elements that can be encoded");
    frame
}

fn assert_decodes(case: &Case<'_>) {
    let corner = vec![0; case.shape.len()];
    let found = case.decode_box(&corner, case.shape, &mut Scratch::new());
    assert!(found.as_deref() == Ok(case.decoded), "{}: {:?}", case.name, found.err());
}

const SHAPES: [&[usize]; 11] = [
    &[1],
    &[31],
    &[7705],
    &[40_000],
    &[1, 1],
    &[65, 80],
    &[3, 1001],
    &[7, 20, 33],
    &[64, 1, 64],
    &[2, 9, 17, 25],
    &[2, 3, 2, 5, 2, 7],
];

/// Every codec, level and filter over shapes, element sizes and contents: the C filter reads what went in.
#[test]
fn the_c_filter_decodes_what_we_encode() {
    let folder = tempfile::tempdir().expect("a folder for a test");
    let mut cases = NewCases::default();
    let mut chance = Chance::new(32_026);
    for shape in SHAPES {
        for element_size in [1, 2, 3, 4, 8, 16, 255] {
            let count = shape.iter().product::<usize>();
            if count * element_size > 400_000 {
                continue;
            }
            let elements = contents(count, element_size, &mut chance);
            for (compressor, level, transform) in [
                (Compressor::Lz4, 1, Transform::Shuffle),
                (Compressor::Zstd, 3, Transform::Shuffle),
                (Compressor::Zstd, 3, Transform::BitShuffle),
                (Compressor::Zstd, 9, Transform::BitShuffle),
                (Compressor::Lz4, 9, Transform::None),
                (Compressor::Lz4Hc, 5, Transform::BitShuffle),
                (Compressor::Zlib, 6, Transform::Shuffle),
                (Compressor::Zstd, 0, Transform::Shuffle),
            ] {
                let settings =
                    Settings { compressor, level, transform, element_size, block_size: None };
                cases.add(&settings, shape, &encode(settings, shape, &elements), &elements);
            }
        }
    }
    cases.write(folder.path());
    let said = reference::script("decode_blosc2.py", &[folder.path().into()]);
    assert_eq!(said.trim(), format!("{} frames decode", cases.lines.lines().count()));
}

/// Zeros, ramps, few values, noise: one after the other.
fn contents(count: usize, element_size: usize, chance: &mut Chance) -> Vec<u8> {
    let kind = chance.below(4);
    (0..count * element_size)
        .map(|at| match kind {
            0 => 0,
            1 => ((at / element_size) >> (8 * (at % element_size).min(3))).to_le_bytes()[0],
            2 => {
                u8::from(at % element_size == 0)
                    * chance.below(3).to_le_bytes()[0]
                    * u8::from(at > count / 2)
            }
            _ => chance.below(256).to_le_bytes()[0],
        })
        .collect()
}

/// Cases as `tests/python/blosc2_cases.py` keeps them.
#[derive(Default)]
struct NewCases {
    lines: String,
    stored: Vec<u8>,
    decoded: Vec<u8>,
}

impl NewCases {
    fn add(&mut self, settings: &Settings, shape: &[usize], stored: &[u8], decoded: &[u8]) {
        let Settings { compressor, level, transform, element_size, .. } = settings;
        let dims: Vec<String> = shape.iter().map(ToString::to_string).collect();
        writeln!(
            self.lines,
            "{compressor:?}{level}-{transform:?} filter {} {} {} {} {element_size} {}",
            self.stored.len(),
            stored.len(),
            self.decoded.len(),
            decoded.len(),
            dims.join("x"),
        )
        .expect("a text takes all");
        self.stored.extend_from_slice(stored);
        self.decoded.extend_from_slice(decoded);
    }

    fn write(&self, folder: &Path) {
        let write = |name: &str, bytes: &[u8]| {
            fs::write(folder.join(name), bytes).expect("a folder that can be written");
        };
        write("cases.txt", self.lines.as_bytes());
        write("stored.bin", &self.stored);
        write("decoded.bin", &self.decoded);
    }
}
