//! The checksum of metadata: lookup3 ("hashlittle", initial value 0). Spec: HDF5 File Format 3.0, II.A.

use nom::Parser;
use nom::number::complete::le_u32;

use crate::error::Problem;
use crate::parse::{Failure, Parsed, field};

/// Computes lookup3 over `bytes`. Names in dense groups are hashed with it too.
pub(crate) fn lookup3(bytes: &[u8]) -> u32 {
    let mut state = State::new(bytes.len());
    let mut rest = bytes;
    // The last block, even a full one, is mixed differently.
    while rest.len() > BLOCK {
        let (block, tail) = rest.split_at(BLOCK);
        state.add(block);
        state.mix();
        rest = tail;
    }
    if !rest.is_empty() {
        state.add(rest);
        state.finish();
    }
    state.c
}

/// Reads the checksum at the end of a structure that is all of `covered`.
pub(crate) fn checksum<'a>(covered: &[u8]) -> impl FnMut(&'a [u8]) -> Parsed<'a, ()> {
    let computed = lookup3(covered);
    field("checksum", move |input: &'a [u8]| {
        let (rest, found) = le_u32.parse(input)?;
        compare(found, computed).map_err(|problem| Failure::at(input, problem))?;
        Ok((rest, ()))
    })
}

/// Refuses a checksum that is not the computed one; a fuzzer may not know how to compute it.
pub(crate) fn compare(found: u32, computed: u32) -> Result<(), Problem> {
    if found == computed || cfg!(fuzzing) {
        Ok(())
    } else {
        Err(Problem::Checksum { found, computed })
    }
}

/// Reads the checksum that covers `whole` up to the place where `i`, its tail, starts.
pub(crate) fn seal<'a>(whole: &[u8], i: &'a [u8]) -> Parsed<'a, ()> {
    let covered = whole.len().saturating_sub(i.len());
    checksum(whole.get(..covered).unwrap_or_default())(i)
}

const BLOCK: usize = 12;

struct State {
    a: u32,
    b: u32,
    c: u32,
}

impl State {
    fn new(len: usize) -> Self {
        // A limit of ours caps every structure far below 4 GiB.
        let start = 0xdead_beef_u32.wrapping_add(u32::try_from(len).unwrap_or(u32::MAX));
        Self { a: start, b: start, c: start }
    }

    fn add(&mut self, block: &[u8]) {
        let mut padded = [0; BLOCK];
        for (to, from) in padded.iter_mut().zip(block) {
            *to = *from;
        }
        let [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3] = padded;
        self.a = self.a.wrapping_add(u32::from_le_bytes([a0, a1, a2, a3]));
        self.b = self.b.wrapping_add(u32::from_le_bytes([b0, b1, b2, b3]));
        self.c = self.c.wrapping_add(u32::from_le_bytes([c0, c1, c2, c3]));
    }

    fn mix(&mut self) {
        let Self { mut a, mut b, mut c } = *self;
        a = a.wrapping_sub(c) ^ c.rotate_left(4);
        c = c.wrapping_add(b);
        b = b.wrapping_sub(a) ^ a.rotate_left(6);
        a = a.wrapping_add(c);
        c = c.wrapping_sub(b) ^ b.rotate_left(8);
        b = b.wrapping_add(a);
        a = a.wrapping_sub(c) ^ c.rotate_left(16);
        c = c.wrapping_add(b);
        b = b.wrapping_sub(a) ^ a.rotate_left(19);
        a = a.wrapping_add(c);
        c = c.wrapping_sub(b) ^ b.rotate_left(4);
        b = b.wrapping_add(a);
        *self = Self { a, b, c };
    }

    fn finish(&mut self) {
        let Self { mut a, mut b, mut c } = *self;
        c = (c ^ b).wrapping_sub(b.rotate_left(14));
        a = (a ^ c).wrapping_sub(c.rotate_left(11));
        b = (b ^ a).wrapping_sub(a.rotate_left(25));
        c = (c ^ b).wrapping_sub(b.rotate_left(16));
        a = (a ^ c).wrapping_sub(c.rotate_left(4));
        b = (b ^ a).wrapping_sub(a.rotate_left(14));
        c = (c ^ b).wrapping_sub(b.rotate_left(24));
        *self = Self { a, b, c };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_published_values() {
        // Values that the author of lookup3 gives in its self-test, and of texts computed with an independent program.
        assert_eq!(lookup3(b""), 0xdead_beef);
        assert_eq!(lookup3(b"Four score and seven years ago"), 0x1777_0551);
    }

    #[test]
    fn a_full_last_block_is_finished_not_mixed() {
        assert_ne!(lookup3(b"twelve bytes"), lookup3(b"twelve bytes\0"));
    }
}
