//! Adjacent structures that are laid out while they are written.

use alloc::vec::Vec;

use super::SIZES;
use crate::encode::{Encoder, encoded};
use crate::parse::{Address, byte_count};

/// Structures start at multiples of this.
const ALIGNMENT: u64 = 8;

/// The first place from `address` on where a structure may start.
pub(super) fn aligned(address: u64) -> u64 {
    address.checked_next_multiple_of(ALIGNMENT).unwrap_or(u64::MAX)
}

/// Bytes of the file from one address on.
pub(super) struct Blob {
    base: Address,
    bytes: Vec<u8>,
}

impl Blob {
    /// Nothing yet; `base` is aligned.
    pub(super) fn new(base: Address) -> Self {
        Self { base, bytes: Vec::new() }
    }

    /// Makes room for a structure that is written later.
    pub(super) fn reserve(&mut self, len: u64) -> Address {
        let start = aligned(self.bytes.len() as u64);
        self.bytes.resize(byte_count(start.saturating_add(len)), 0);
        Address(self.base.0.saturating_add(start))
    }

    /// Adds a structure.
    pub(super) fn add(&mut self, encode: impl FnOnce(&mut Encoder)) -> Address {
        let bytes = encoded(SIZES, encode);
        let address = self.reserve(bytes.len() as u64);
        self.put(address, &bytes);
        address
    }

    /// Writes a structure for which there is room.
    pub(super) fn fill(&mut self, address: Address, encode: impl FnOnce(&mut Encoder)) {
        self.put(address, &encoded(SIZES, encode));
    }

    /// Writes bytes for which there is room.
    pub(super) fn put(&mut self, address: Address, bytes: &[u8]) {
        let start = byte_count(address.0.saturating_sub(self.base.0));
        let room = self.bytes.iter_mut().skip(start);
        room.zip(bytes).for_each(|(to, from)| *to = *from);
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
