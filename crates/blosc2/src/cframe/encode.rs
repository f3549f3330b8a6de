//! Writes a frame of one chunk, which is what HDF5 stores.

use alloc::vec::Vec;

use super::header::{FIXED_LEN, NewHeader};
use super::{metalayers, offsets, trailer};
use crate::chunk::encode::Plan;
use crate::error::Error;
use crate::layout::Layout;

/// Writes the frame to the end of `target`. `write_chunk` writes its chunk to the end of what it is given; without it
/// all elements are zero.
pub(crate) fn encode<W>(
    plan: Plan<'_>,
    layout: Option<&Layout>,
    write_chunk: Option<W>,
    target: &mut Vec<u8>,
) -> Result<(), Error>
where
    W: FnOnce(&mut Vec<u8>) -> Result<(), Error>,
{
    let start = target.len();
    target.resize(start + FIXED_LEN, 0);
    metalayers::encode(layout, plan.settings.element_size, target);
    let chunks_start = target.len();
    let index = offsets::encode(write_chunk.is_none());
    if let Some(write_chunk) = write_chunk {
        write_chunk(target)?;
    }
    let chunks_end = target.len();
    target.extend_from_slice(&index);
    target.extend_from_slice(&trailer::ENCODED);
    let header = NewHeader {
        plan,
        chunks_len: chunks_end - chunks_start,
        len: chunks_start - start,
        frame_len: target.len() - start,
    };
    target[start..][..FIXED_LEN].copy_from_slice(&header.encode());
    Ok(())
}
