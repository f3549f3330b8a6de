//! A valid file and a list of edits to structures of one kind, with every checksum made good again.
//!
//! Input: one byte that chooses the kind of structure, one that counts edits, eight bytes for each, and the file. A
//! fuzzer that changes bytes of a file seldom gets past a checksum; one that changes this does.

use std::sync::Arc;

use hdf5::Structure;

use crate::open;
use crate::structures::{lookup3, number, put, seal};

/// Bytes of one edit.
const EDIT_BYTES: usize = 8;

/// Values at which counts, sizes and addresses break.
const EDGES: [u64; 8] =
    [0, 1, 0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 1 << 60, 0xffff_ffff_ffff_fffe];

/// The file that `input` describes; `None` where its file does not open or has no structure.
pub fn edited(input: &[u8]) -> Option<Vec<u8>> {
    let [kind, count, rest @ ..] = input else { return None };
    let (edits, file) = rest.split_at_checked(usize::from(*count % 32) * EDIT_BYTES)?;
    let listed = open::source(Arc::new(file.to_vec())).ok()?.structures().ok()?.structures;
    let sealed: Vec<_> =
        listed.iter().filter_map(|structure| sealed_range(file, structure)).collect();
    let mut names: Vec<&str> = listed.iter().map(|structure| structure.name.as_ref()).collect();
    names.sort_unstable();
    names.dedup();
    let name = names.get(usize::from(*kind) % names.len().max(1))?;
    let chosen: Vec<_> = listed.iter().filter(|structure| structure.name == *name).collect();
    let mut bytes = file.to_vec();
    for edit in edits.chunks_exact(EDIT_BYTES) {
        let which = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % chosen.len();
        let target = listed[usize::from(edit[7]) % listed.len()].range.start;
        let range = range_in(&bytes, chosen[which])?;
        apply(&mut bytes[range], edit, target);
    }
    // Inner structures first: a header's checksum covers the messages in it.
    for (start, end) in sealed.into_iter().rev() {
        seal(&mut bytes, start, end);
    }
    Some(bytes)
}

/// Changes one to eight bytes of a structure.
fn apply(structure: &mut [u8], edit: &[u8], target: u64) {
    let Some(last) = structure.len().checked_sub(1) else { return };
    let at = usize::from(u16::from_le_bytes([edit[2], edit[3]])) % (last + 1);
    let width = [1, 2, 4, 8][usize::from(edit[4] >> 4) % 4].min(last + 1 - at);
    let old = number(structure, at, width);
    let value = match edit[4] % 6 {
        0 => old ^ (1 << (edit[5] % 64)),
        1 => u64::from(edit[5]),
        2 => old.wrapping_add(u64::from(edit[5])),
        3 => old.wrapping_sub(u64::from(edit[5])),
        4 => EDGES[usize::from(edit[6]) % EDGES.len()],
        _ => target,
    };
    put(structure, at, &value.to_le_bytes()[..width]);
}

fn range_in(file: &[u8], structure: &Structure) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(structure.range.start).ok()?;
    let end = usize::try_from(structure.range.end).ok()?;
    (start <= end && end <= file.len()).then_some(start..end)
}

/// Where a structure starts and its checksum stands, if it ends with one.
fn sealed_range(file: &[u8], structure: &Structure) -> Option<(usize, usize)> {
    let range = range_in(file, structure)?;
    let end = range.end.checked_sub(4).filter(|end| *end > range.start)?;
    (u64::from(lookup3(&file[range.start..end])) == number(file, end, 4))
        .then_some((range.start, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::scratch;

    /// Edits change a file, and what is found in it is not a checksum.
    #[test]
    fn edits_get_past_checksums() {
        let file = scratch::workspace().join("tests/fixtures/samples/clean.medh5");
        let file = std::fs::read(file).expect("a sample");
        let mut chance = Chance::new(7);
        let (mut changed, mut errors, mut checksums) = (0, 0, 0);
        for _ in 0..300 {
            let mut byte = || u8::try_from(chance.below(256)).expect("below 256");
            let mut input = vec![byte(), 1];
            input.extend((0..8).map(|_| byte()));
            input.extend_from_slice(&file);
            let bytes = edited(&input).expect("a file with structures");
            changed += usize::from(bytes != file);
            let Ok(opened) = open::source(Arc::new(bytes)) else { continue };
            for error in opened.structures().expect("bytes in memory").errors {
                errors += 1;
                checksums += usize::from(error.to_string().contains("checksum"));
            }
        }
        assert!(changed > 250 && errors > 40, "{changed} changed, {errors} errors");
        assert!(checksums * 5 < errors, "{checksums} of {errors} errors are checksums");
    }
}
