//! Implicit index: all chunks one after the other, unfiltered, over the largest extent. Spec: VII.B.

use super::ChunkEntry;
use crate::parse::Address;

/// The chunk of this number; `None` when it lies past the end of every file.
pub(crate) fn entry(start: Address, chunk_bytes: u64, number: u64) -> Option<ChunkEntry> {
    let address = start.0.checked_add(number.checked_mul(chunk_bytes)?)?;
    Some(ChunkEntry { address: Address(address), stored_bytes: chunk_bytes, filter_mask: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_follow_one_another() {
        let third = entry(Address(0x800), 0x40, 3).unwrap();
        assert_eq!((third.address, third.stored_bytes), (Address(0x8c0), 0x40));
        assert_eq!(entry(Address(0x800), 0x40, u64::MAX), None);
    }
}
