//! Structures that lead back to themselves.

use std::fs;

use hdf5::Object;
use oracles::structures::{find, messages_of_type, number, put, seal, seal_object_header};
use oracles::{open, scratch};

use crate::judge;

fn read(name: &str) -> Vec<u8> {
    fs::read(scratch::folder("interop").join(name)).expect("a file of the corpus")
}

/// Legal: hard links up and to themselves. Every object is met once.
#[test]
fn hard_links_in_a_circle_are_walked_once() {
    for name in ["links-of-all-kinds-earliest.h5", "links-of-all-kinds-v110.h5"] {
        let errors = judge::judge(name, read(name));
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
}

/// Legal to store, impossible to follow.
#[test]
fn soft_links_in_a_circle_lead_nowhere() {
    for name in ["links-of-all-kinds-earliest.h5", "links-of-all-kinds-v110.h5"] {
        let file = open::source(std::sync::Arc::new(read(name))).expect("a sound file");
        let root = file.root().expect("a sound file");
        assert!(!matches!(root.get("soft-loop-a"), Ok(Some(_))), "{name}: a circle led somewhere");
        assert!(
            matches!(root.get("soft"), Ok(Some(Object::Dataset(_)))),
            "{name}: a sound soft link"
        );
    }
}

/// A group's B-tree (version 1) whose child is the node itself, as a leaf and as an inner node; and whose sibling is.
#[test]
fn an_old_tree_that_contains_itself_is_an_error() {
    for name in ["links-deleted-earliest.h5", "chunks-fixed-array-earliest.h5"] {
        let whole = read(name);
        for node in find(&whole, b"TREE") {
            let is_empty = number(&whole, node + 6, 2) == 0;
            let key_bytes = if whole[node + 4] == 0 && !is_empty { 8 } else { continue };
            for level in [0, 1, 200] {
                let mut bytes = whole.clone();
                bytes[node + 5] = level;
                put(&mut bytes, node + 24 + key_bytes, &(node as u64).to_le_bytes());
                let errors =
                    judge::judge(&format!("{name}: tree at {node:#x}, level {level}"), bytes);
                assert!(
                    !errors.is_empty(),
                    "{name}: the tree at {node:#x} contains itself and nobody minds"
                );
            }
            let mut bytes = whole.clone();
            put(&mut bytes, node + 16, &(node as u64).to_le_bytes());
            judge::judge(&format!("{name}: tree at {node:#x} is its own sibling"), bytes);
        }
    }
}

/// The chunk index of an old dataset, bent the same way.
#[test]
fn an_old_chunk_tree_that_contains_itself_is_an_error() {
    let name = "chunks-fixed-array-earliest.h5";
    let whole = read(name);
    let mut bent = 0;
    for node in find(&whole, b"TREE").into_iter().filter(|node| whole[node + 4] == 1) {
        // One or two axes: a key is chunk size, mask, and an offset per axis and one for the element.
        for axes in [1, 2] {
            let mut bytes = whole.clone();
            bytes[node + 5] = 1;
            put(&mut bytes, node + 24 + 8 + 8 * (axes + 1), &(node as u64).to_le_bytes());
            bent +=
                usize::from(!judge::judge(&format!("{name}: tree at {node:#x}"), bytes).is_empty());
        }
    }
    assert!(bent > 4, "only {bent} circles were noticed");
}

/// A continuation message that points at the block it stands in, or at the header.
#[test]
fn a_header_that_continues_in_itself_is_an_error() {
    let name = "attributes-compact-v110.h5";
    let whole = read(name);
    let mut bent = 0;
    for start in find(&whole, b"OHDR") {
        for data in messages_of_type(&whole, start, 0x10) {
            let block = usize::try_from(number(&whole, data, 8)).expect("a small file");
            let block_end =
                block + usize::try_from(number(&whole, data + 8, 8)).expect("a small file") - 4;
            let mut to_header = whole.clone();
            put(&mut to_header, data, &(start as u64).to_le_bytes());
            seal_object_header(&mut to_header, start);
            assert!(!judge::judge("continues in its own header", to_header).is_empty());
            // The block's first message becomes a continuation that leads to the block.
            let mut to_block = whole.clone();
            put(&mut to_block, block + 4, &[0x10, 16, 0, 0]);
            put(&mut to_block, block + 8, &(block as u64).to_le_bytes());
            put(&mut to_block, block + 16, &((block_end + 4 - block) as u64).to_le_bytes());
            seal(&mut to_block, block, block_end);
            assert!(!judge::judge("continues in its own block", to_block).is_empty());
            bent += 1;
        }
    }
    assert!(bent > 0, "{name} has no continuation");
}

/// The old form: no signature, no checksum; the message's type is found by its bytes.
#[test]
fn an_old_header_that_continues_in_itself_ends() {
    let name = "attributes-rewritten-earliest.h5";
    let whole = read(name);
    let mut bent = 0;
    for at in (0..whole.len() - 24).step_by(8) {
        if whole[at..at + 4] != [0x10, 0, 16, 0] {
            continue;
        }
        let mut bytes = whole.clone();
        put(&mut bytes, at + 8, &(at as u64).to_le_bytes());
        put(&mut bytes, at + 16, &64_u64.to_le_bytes());
        bent += usize::from(
            !judge::judge(&format!("{name}: continuation at {at:#x}"), bytes).is_empty(),
        );
    }
    assert!(bent > 0, "no continuation of {name} was noticed");
}

/// A version 2 B-tree and a fractal heap whose root is the header.
#[test]
fn new_trees_and_heaps_that_contain_themselves_are_errors() {
    let name = "links-dense-v110.h5";
    let whole = read(name);
    for (signature, root_field, len) in [(b"BTHD", 16, 34), (b"FRHP", 132, 142)] {
        for start in find(&whole, signature) {
            let mut bytes = whole.clone();
            put(&mut bytes, start + root_field, &(start as u64).to_le_bytes());
            seal(&mut bytes, start, start + len);
            let errors = judge::judge(&format!("{name}: {start:#x}"), bytes);
            assert!(
                !errors.is_empty(),
                "{name}: the structure at {start:#x} contains itself and nobody minds"
            );
        }
    }
    // An inner node whose children are itself.
    let mut bent = 0;
    for start in find(&whole, b"BTIN") {
        for at in start + 6..start + 400 {
            let mut bytes = whole.clone();
            put(&mut bytes, at, &(start as u64).to_le_bytes());
            bent += usize::from(
                !judge::judge(&format!("{name}: inner node, {at:#x}"), bytes).is_empty(),
            );
        }
    }
    assert!(bent > 0, "{name} has no inner node");
}

/// A chain of global heap objects cannot exist; a datatype nested in itself can only be deep.
#[test]
fn a_symbol_table_that_names_its_own_group_is_walked_once() {
    let name = "links-deleted-earliest.h5";
    let whole = read(name);
    for node in find(&whole, b"SNOD") {
        let mut bytes = whole.clone();
        // The root's header is where the superblock's symbol-table entry says.
        let root = number(&whole, 64, 8);
        for entry in 0..usize::from(whole[node + 6]) {
            put(&mut bytes, node + 8 + 40 * entry + 8, &root.to_le_bytes());
        }
        judge::judge(&format!("{name}: every entry at {node:#x} is the root"), bytes);
    }
}
