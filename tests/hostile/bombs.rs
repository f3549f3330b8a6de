//! Files that promise far more than they hold.

use std::fs;

use hdf5::{Class, NewGroup, Object, Window};
use oracles::structures::{find, messages_of_type, number, put, seal, seal_object_header};
use oracles::{open, scratch};

use crate::judge;

fn bombs() -> Vec<(String, Vec<u8>)> {
    let files = scratch::files(&scratch::folder("hostile"), "bombs");
    files
        .iter()
        .map(|path| (scratch::name_of(path), fs::read(path).expect("a file of the corpus")))
        .collect()
}

#[test]
fn a_dataspace_of_two_to_the_sixtieth_is_refused_as_a_whole_and_read_in_part() {
    for (name, bytes) in bombs() {
        let file = open::source(std::sync::Arc::new(bytes))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let root = file.root().expect("a sound file");
        for (object, fill) in [("contiguous", 0), ("chunked", 7), ("growing", 0)] {
            let Ok(Some(Object::Dataset(dataset))) = root.get(object) else {
                panic!("{name}: no {object}")
            };
            assert_eq!(dataset.shape(), [1 << 60]);
            let error = dataset.read().expect_err("2^60 bytes do not fit");
            assert_eq!(error.class(), Class::Limit, "{name}: {object}: {error}");
            let mut out = [1_u8; 5];
            dataset
                .read_into(&Window::new(&[(1 << 60) - 5], &[5]), &mut out)
                .expect("five elements fit");
            assert_eq!(out, [fill; 5], "{name}: {object}");
        }
        let Ok(Some(Object::Dataset(empty))) = root.get("overflowing") else {
            panic!("{name}: no overflowing")
        };
        assert_eq!(empty.read().expect("nothing to read").shape, empty.shape());
    }
}

#[test]
fn walking_over_bombs_is_quick_and_small() {
    for (name, bytes) in bombs() {
        judge::judge(&name, bytes);
    }
    judge::memory_stayed_small();
}

/// Paths grow with depth, and the stack with recursion.
#[test]
fn groups_inside_one_another_are_followed_so_far() {
    let bytes =
        fs::read(scratch::folder("hostile").join("nested.h5")).expect("a file of the corpus");
    assert!(judge::judge("nested.h5", bytes.clone()).is_empty());
    let file = open::source(std::sync::Arc::new(bytes)).expect("a sound file");
    let errors = file.structures().expect("bytes in memory").errors;
    assert!(matches!(&errors[..], [error] if error.class() == Class::Limit), "{errors:?}");
    let refused = NewGroup::copy_of(&file.root().expect("a sound file")).expect_err("too deep");
    assert!(refused.to_string().contains("max_group_depth"), "{refused}");
    judge::memory_stayed_small();
}

/// The chunk of `wide` is 1 GiB; here it claims 1 TiB.
#[test]
fn a_chunk_of_one_tebibyte_is_over_a_limit() {
    let (name, mut bytes) =
        bombs().into_iter().find(|(name, _)| name.contains("earliest")).expect("an old file");
    let pattern =
        [(1_u32 << 15).to_le_bytes(), (1_u32 << 15).to_le_bytes(), 1_u32.to_le_bytes()].concat();
    let at = bytes
        .windows(12)
        .position(|window| window == pattern)
        .expect("the chunk dimensions of `wide`");
    for claim in [1_u32 << 20, u32::MAX] {
        put(&mut bytes, at, &claim.to_le_bytes());
        put(&mut bytes, at + 4, &claim.to_le_bytes());
        let errors = judge::judge(&name, bytes.clone());
        assert!(errors.iter().any(|error| error.class() == Class::Limit), "{name}: {errors:?}");
    }
    judge::memory_stayed_small();
}

/// A heap, of each of the three kinds, that claims to reach past the end of the file.
#[test]
fn a_heap_past_the_end_is_an_error_there() {
    for (name, signature, field) in [
        ("strings-variable-earliest.h5", b"GCOL", 8),
        ("links-deleted-earliest.h5", b"HEAP", 8),
        ("links-deleted-earliest.h5", b"HEAP", 24),
    ] {
        let whole = fs::read(scratch::folder("interop").join(name)).expect("a file of the corpus");
        for at in find(&whole, signature) {
            // Nobody asks the names of an empty group.
            if signature == b"HEAP" && number(&whole, at + 8, 8) == 0x58 {
                continue;
            }
            for claim in [1_u64 << 20, 1 << 40, u64::MAX - 8, 3] {
                let mut bytes = whole.clone();
                put(&mut bytes, at + field, &claim.to_le_bytes());
                let errors =
                    judge::judge(&format!("{name}: {claim:#x} at {:#x}", at + field), bytes);
                assert!(
                    !errors.is_empty(),
                    "{name}: {claim:#x} in field {field} of the heap at {at:#x} went unnoticed"
                );
            }
        }
    }
    judge::memory_stayed_small();
}

/// Every field of a fractal heap's header, with the largest value, behind a good checksum.
#[test]
fn a_boastful_fractal_heap_is_an_error_or_harmless() {
    let name = "attributes-dense-v110.h5";
    let whole = fs::read(scratch::folder("interop").join(name)).expect("a file of the corpus");
    let mut noticed = 0;
    for start in find(&whole, b"FRHP") {
        let end = start + 142;
        for at in start + 5..end {
            let mut bytes = whole.clone();
            bytes[at] = 0xff;
            seal(&mut bytes, start, end);
            noticed +=
                usize::from(!judge::judge(&format!("{name}: byte {at:#x}"), bytes).is_empty());
        }
    }
    assert!(noticed > 50, "only {noticed} edits were noticed");
    judge::memory_stayed_small();
}

/// Every byte of every message of every object header, all ones, behind a good checksum.
#[test]
fn a_boastful_object_header_is_an_error_or_harmless() {
    for name in ["chunks-single-v110.h5", "committed-types-v112.h5", "bombs-latest.h5"] {
        let corpus = if name.starts_with("bombs") { "hostile" } else { "interop" };
        let whole = fs::read(scratch::folder(corpus).join(name)).expect("a file of the corpus");
        for start in find(&whole, b"OHDR") {
            let (first, end) = oracles::structures::messages(&whole, start);
            for at in first..end {
                let mut bytes = whole.clone();
                bytes[at] = !bytes[at];
                seal_object_header(&mut bytes, start);
                judge::judge(&format!("{name}: byte {at:#x}"), bytes);
            }
        }
    }
    judge::memory_stayed_small();
}

/// A dataspace message whose extent is replaced, in a file where the data are contiguous and small.
#[test]
fn a_contiguous_dataset_that_claims_more_than_its_storage_is_an_error() {
    let name = "compact-and-contiguous-v110.h5";
    let whole = fs::read(scratch::folder("interop").join(name)).expect("a file of the corpus");
    let mut noticed = 0;
    for start in find(&whole, b"OHDR") {
        for data in messages_of_type(&whole, start, 1) {
            if whole[data] != 2 || whole[data + 1] != 2 {
                continue;
            }
            let mut bytes = whole.clone();
            let rows = number(&whole, data + 4, 8);
            put(&mut bytes, data + 4, &(rows * 1000).to_le_bytes());
            seal_object_header(&mut bytes, start);
            noticed += usize::from(
                !judge::judge(&format!("{name}: header at {start:#x}"), bytes).is_empty(),
            );
        }
    }
    assert!(noticed >= 9, "only {noticed} datasets were refused");
}
