//! What every structure's encoder is made of: little-endian output.

use alloc::vec::Vec;

use crate::checksum::lookup3;
use crate::parse::{Address, Sizes, undefined};

/// The bytes of one structure, while it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Encoder {
    sizes: Sizes,
    bytes: Vec<u8>,
}

impl Encoder {
    /// Nothing yet, for a file with integers of these widths.
    pub(crate) fn new(sizes: Sizes) -> Self {
        Self { sizes, bytes: Vec::new() }
    }

    pub(crate) fn sizes(&self) -> Sizes {
        self.sizes
    }

    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    /// The lowest `width` bytes of a value, at most 8.
    pub(crate) fn uint(&mut self, value: u64, width: u8) {
        self.bytes.extend(value.to_le_bytes().iter().take(width.into()));
    }

    /// A length, as wide as the file has them.
    pub(crate) fn length(&mut self, value: u64) {
        self.uint(value, self.sizes.length);
    }

    /// An address; `None` is all ones.
    pub(crate) fn address(&mut self, address: Option<Address>) {
        let width = self.sizes.offset;
        self.uint(address.map_or(undefined(width), |address| address.0), width);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn zeros(&mut self, len: usize) {
        self.bytes.resize(self.bytes.len().saturating_add(len), 0);
    }

    /// Zeros up to a multiple of 8 from the start.
    pub(crate) fn pad_to_8(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
    }

    /// The checksum over everything so far.
    pub(crate) fn seal(&mut self) {
        self.u32(lookup3(&self.bytes));
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// The bytes of one structure, which `encode` writes.
pub(crate) fn encoded(sizes: Sizes, encode: impl FnOnce(&mut Encoder)) -> Vec<u8> {
    let mut out = Encoder::new(sizes);
    encode(&mut out);
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::checksum;

    #[test]
    fn integers_are_as_wide_as_the_file_says() {
        let sizes = Sizes { offset: 4, length: 2 };
        let bytes = encoded(sizes, |out| {
            out.address(None);
            out.address(Some(Address(0x0102)));
            out.length(0x0304);
            out.uint(0x05_0607, 3);
            out.pad_to_8();
        });
        assert_eq!(bytes, [255, 255, 255, 255, 2, 1, 0, 0, 4, 3, 7, 6, 5, 0, 0, 0]);
    }

    #[test]
    fn a_seal_covers_what_is_before_it() {
        let sizes = Sizes { offset: 8, length: 8 };
        let bytes = encoded(sizes, |out| {
            out.bytes(b"sealed");
            out.seal();
        });
        assert!(checksum(b"sealed")(&bytes[6..]).is_ok());
    }
}
