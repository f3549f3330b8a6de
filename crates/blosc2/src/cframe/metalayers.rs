//! The metalayers of a frame: named bytes. Only the layout of arrays is read.

#![warn(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use alloc::vec::Vec;

use nom::Parser;
use nom::bytes::complete::take;
use nom::multi::length_data;
use nom::number::complete::{be_u16, be_u32, u8 as byte};

use super::header::FIXED_LEN;
use crate::encode::write_int32;
use crate::error::{FormatError, Problem};
use crate::layout::Layout;
use crate::parse::{Failure, Parsed, field, int32, marker, parse_at, skipped};

/// The most metalayers that the format allows.
const MAX_COUNT: u16 = 16;

/// Reads the layout from the frame header `header`, if one of its metalayers is one.
///
/// | bytes | field |
/// | --- | --- |
/// | 1 + 3 | array of 3, bytes of the map |
/// | 3 | map: number of metalayers |
/// | 1 + n, 5 | for each its name, and where it starts, in bytes from the start of the frame |
/// | 3 | array: the same number |
/// | 5 + n | for each its length and its bytes |
pub(super) fn layout(header: &[u8]) -> Result<Option<Layout>, FormatError> {
    const NAME: &str = "Blosc2 metalayers";
    let section = header.get(FIXED_LEN..).unwrap_or_default();
    let Some(start) = parse_at(NAME, FIXED_LEN, section, layout_offset(header.len()))? else {
        return Ok(None);
    };
    let from = header.get(start..).unwrap_or_default();
    let content = field("content", |i| {
        let (i, ()) = marker(0xc6)(i)?;
        length_data(be_u32).parse(i)
    });
    let content = parse_at(NAME, start, from, content)?;
    let start = start.saturating_add(5);
    parse_at(Layout::NAME, start, content, Layout::parse).map(Some)
}

/// Writes the metalayers of a frame: the layout, if it has one.
pub(super) fn encode(layout: Option<&Layout>, element_size: usize, target: &mut Vec<u8>) {
    let Some(layout) = layout else {
        target.extend_from_slice(&[0x93, 0xcd, 0, 7, 0xde, 0, 0, 0xdc, 0, 0]);
        return;
    };
    target.extend_from_slice(b"\x93\xcd\x00\x11\xde\x00\x01\xa4b2nd");
    write_int32(FIXED_LEN.saturating_add(LAYOUT_OFFSET), target);
    target.extend_from_slice(&[0xdc, 0, 1, 0xc6]);
    let content = layout.encode(element_size);
    let len = u32::try_from(content.len()).expect("a layout takes some hundred bytes");
    target.extend_from_slice(&len.to_be_bytes());
    target.extend_from_slice(&content);
}

/// Where the layout starts when it is the only metalayer, in bytes from the start of them.
const LAYOUT_OFFSET: usize = 20;

/// Where the metalayer starts that describes an array: `b2nd`, or `caterva` as it was called.
fn layout_offset(header_len: usize) -> impl FnMut(&[u8]) -> Parsed<'_, Option<usize>> {
    move |i| {
        let (i, ()) = field("metalayers", marker(0x93)).parse(i)?;
        let (i, ()) = field("bytes of the map", marker(0xcd)).parse(i)?;
        let (i, ()) = field("bytes of the map", skipped(2)).parse(i)?;
        let (i, ()) = field("number of metalayers", marker(0xde)).parse(i)?;
        let (mut i, count) = field("number of metalayers", count).parse(i)?;
        let mut found = None;
        for _ in 0..count {
            let (name, offset);
            (i, name) = field("name", name_of).parse(i)?;
            (i, offset) = field("offset", int32(FIXED_LEN, header_len)).parse(i)?;
            if name == b"b2nd" || (name == b"caterva" && found.is_none()) {
                found = Some(offset);
            }
        }
        Ok((i, found))
    }
}

fn count(input: &[u8]) -> Parsed<'_, u16> {
    let (rest, found) = be_u16(input)?;
    if found > MAX_COUNT {
        let problem = Problem::Range { found: found.into(), min: 0, max: MAX_COUNT.into() };
        return Err(Failure::at(input, problem));
    }
    Ok((rest, found))
}

/// A msgpack string of at most 31 bytes.
fn name_of(input: &[u8]) -> Parsed<'_, &[u8]> {
    let (rest, kind) = byte(input)?;
    if kind & 0xe0 != 0xa0 {
        return Err(Failure::at(input, Problem::Marker { found: kind, expected: 0xa0 }));
    }
    take(usize::from(kind & 0x1f))(rest)
}
