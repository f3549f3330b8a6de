//! What stands between the header of a chunk and its streams: the offsets of the blocks, and a dictionary.

#![warn(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use super::header::{Body, Header};
use super::nan;
use crate::error::Problem;

/// Bytes of a block offset.
const OFFSET_BYTES: usize = 4;

/// The largest dictionary that is read, in bytes: what the C library trains at most.
const MAX_DICTIONARY: usize = 128 << 10;

/// The block offsets of a chunk and its dictionary, checked.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockTable<'a> {
    /// One i32 per block, from the start of the chunk; empty where the body is no blocks.
    offsets: &'a [[u8; OFFSET_BYTES]],
    /// What the compressor had seen before each stream.
    pub(super) dictionary: Option<&'a [u8]>,
}

impl<'a> BlockTable<'a> {
    /// Reads the tables of the chunk `bytes`, and checks that a body without tables has the length that it needs.
    ///
    /// A failure comes with the offset of what is wrong, in bytes from the start of the chunk.
    pub(super) fn parse(header: &Header, bytes: &'a [u8]) -> Result<Self, (usize, Problem)> {
        let at_body = |problem| (header.len, problem);
        let body = bytes.get(header.len..).ok_or(at_body(Problem::EndsEarly))?;
        let value_len = match header.body {
            Body::Zeros => return Ok(Self::default()),
            Body::Stored if body.len() == header.decoded_len => return Ok(Self::default()),
            Body::Stored => {
                return Err(at_body(Problem::invalid("as many bytes are stored as are decoded")));
            }
            Body::Nan => nan(header.element_size).len(),
            Body::Value => body.len(),
            Body::Blocks { dictionary, .. } => {
                return Self::parse_blocks(header, bytes, dictionary);
            }
        };
        match header.decoded_len.checked_rem(value_len) {
            Some(0) => Ok(Self::default()),
            _ => Err(at_body(Problem::invalid("the chunk is not a whole number of its one value"))),
        }
    }

    fn parse_blocks(
        header: &Header,
        bytes: &'a [u8],
        has_dictionary: bool,
    ) -> Result<Self, (usize, Problem)> {
        let ends_early = (header.len, Problem::EndsEarly);
        let rest = bytes.get(header.len..).ok_or(ends_early.clone())?;
        let table_len = header.block_count().checked_mul(OFFSET_BYTES).ok_or(ends_early.clone())?;
        let (table, rest) = rest.split_at_checked(table_len).ok_or(ends_early)?;
        let (offsets, _) = table.as_chunks();
        let at = bytes.len().saturating_sub(rest.len());
        let (mut dictionary, mut end) = (None, at);
        if has_dictionary && header.block_count() > 0 {
            let found = read_dictionary(rest).map_err(|problem| (at, problem))?;
            end = at.saturating_add(OFFSET_BYTES).saturating_add(found.len());
            dictionary = Some(found);
        }
        for (index, offset) in offsets.iter().enumerate() {
            let found = i64::from(i32::from_le_bytes(*offset));
            let (min, max) = (signed(end), signed(bytes.len()).saturating_sub(1));
            if !(min..=max).contains(&found) {
                let at = index.saturating_mul(OFFSET_BYTES).saturating_add(header.len);
                return Err((at, Problem::Range { found, min, max }));
            }
        }
        Ok(Self { offsets, dictionary })
    }

    /// The bytes from the start of block `index` to the end of the chunk; none when there is no such block.
    pub(super) fn block(&self, index: usize, bytes: &'a [u8]) -> &'a [u8] {
        self.offsets
            .get(index)
            .and_then(|offset| usize::try_from(i32::from_le_bytes(*offset)).ok())
            .and_then(|offset| bytes.get(offset..))
            .unwrap_or_default()
    }
}

/// The dictionary at the start of `bytes`, after its length.
fn read_dictionary(bytes: &[u8]) -> Result<&[u8], Problem> {
    let (len, rest) = bytes.split_first_chunk().ok_or(Problem::EndsEarly)?;
    let found = i32::from_le_bytes(*len);
    match usize::try_from(found) {
        Ok(len @ 1..=MAX_DICTIONARY) => rest.get(..len).ok_or(Problem::EndsEarly),
        _ => Err(Problem::Range { found: found.into(), min: 1, max: signed(MAX_DICTIONARY) }),
    }
}

fn signed(len: usize) -> i64 {
    i64::try_from(len).unwrap_or(i64::MAX)
}
