//! Local heap: the names of an old group. Spec: HDF5 File Format 3.0, III.D.

use nom::Parser;

use crate::error::Problem;
use crate::parse::{Address, Parsed, Sizes, address, field, reserved, signature, uint, version};

/// Where the names of a group are.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | signature `HEAP` |
/// | 1 | version |
/// | 3 | reserved |
/// | length | data segment size |
/// | length | offset to head of free list |
/// | offset | data segment address |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LocalHeap {
    pub(crate) data_len: u64,
    pub(crate) data: Option<Address>,
}

impl LocalHeap {
    pub(crate) const NAME: &str = "local heap";
    pub(crate) const DATA_NAME: &str = "local heap data segment";

    /// Bytes of the header.
    pub(crate) fn len(sizes: Sizes) -> u64 {
        let lengths = u64::from(sizes.length).saturating_mul(2);
        lengths.saturating_add(sizes.offset.into()).saturating_add(8)
    }

    /// Reads the header. The free list is of use to writers only.
    pub(crate) fn parse<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |i| {
            let (i, ()) = field("signature", signature(b"HEAP")).parse(i)?;
            let (i, _) = field("version", version(&[0])).parse(i)?;
            let (i, ()) = field("reserved", reserved(3)).parse(i)?;
            let (i, data_len) = field("data segment size", uint(sizes.length)).parse(i)?;
            let (i, _) = field("offset to head of free list", uint(sizes.length)).parse(i)?;
            let (i, data) = field("data segment address", address(sizes)).parse(i)?;
            Ok((i, Self { data_len, data }))
        }
    }
}

/// The text at `offset` of a data segment, without the NUL that ends it.
pub(crate) fn text_at(segment: &[u8], offset: u64) -> Result<&[u8], Problem> {
    let tail = usize::try_from(offset).ok().and_then(|offset| segment.get(offset..));
    let text = tail.and_then(|tail| {
        let end = tail.iter().position(|byte| *byte == 0)?;
        tail.get(..end)
    });
    text.ok_or_else(|| {
        Problem::invalid(alloc::format!(
            "no text ends within the {} bytes after offset {offset:#x}",
            segment.len()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use testkit::Bytes;

    #[test]
    fn reads_a_header_and_names() {
        let sizes = Sizes { offset: 4, length: 8 };
        let bytes = Bytes::new().text("HEAP").zeros(4).u64(24).u64(16).u32(0x300).build();
        assert_eq!(LocalHeap::len(sizes), bytes.len() as u64);
        let heap = parse_at(LocalHeap::NAME, 0, &bytes, LocalHeap::parse(sizes)).unwrap();
        assert_eq!(heap, LocalHeap { data_len: 24, data: Some(Address(0x300)) });
        assert_eq!(text_at(b"\0\0ab\0cd", 2), Ok(&b"ab"[..]));
        assert_eq!(
            text_at(b"\0\0ab\0cd", 5).unwrap_err().to_string(),
            "no text ends within the 7 bytes after offset 0x5"
        );
        assert!(text_at(b"ab\0", u64::MAX).is_err());
        let error = parse_at(LocalHeap::NAME, 0, &bytes[..26], LocalHeap::parse(sizes));
        assert_eq!(
            error.unwrap_err().to_string(),
            "local heap at byte 0x0: field `data segment address` at byte 0x18: the structure ends early"
        );
    }
}
