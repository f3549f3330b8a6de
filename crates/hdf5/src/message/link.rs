//! Link message (0x0006), also what dense groups keep in their heap. Spec: HDF5 File Format 3.0, IV.A.2.g.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use nom::Parser;
use nom::bytes::complete::take;
use nom::combinator::cond;
use nom::number::complete::{le_u8, le_u64};

use crate::encode::Encoder;
use crate::error::Problem;
use crate::parse::{
    Address, Failure, Parsed, Sizes, address, bounded, checked, count16, field, flags, uint,
    until_nul, version,
};

/// A link of a group.
///
/// | bytes | field |
/// | --- | --- |
/// | 1 | version |
/// | 1 | flags |
/// | 1 | link type, if flag bit 3; hard otherwise |
/// | 8 | creation order, if flag bit 2 |
/// | 1 | link name character set, if flag bit 4 |
/// | 1 to 8 | length of link name, as flag bits 0 and 1 say |
/// | length | link name |
/// | offset | object header address, if hard |
/// | 2 | length of link value, otherwise |
/// | length | link value: a path; for an external link flags, file name and path, each ended by a NUL |
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Its name as stored.
    pub name: Vec<u8>,
    /// Where it leads.
    pub target: LinkTarget,
}

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkTarget {
    /// To an object of this file.
    Hard(Address),
    /// To a path of this file, which may not exist.
    Soft(Vec<u8>),
    /// To a path of another file; never followed.
    External {
        /// The other file.
        file: Vec<u8>,
        /// The path in it.
        path: Vec<u8>,
    },
    /// A class of link that the writer defined; never followed.
    UserDefined {
        /// Its class number.
        class: u8,
    },
}

const NAME_LENGTH_WIDTH: u8 = 0b0_0011;
const TRACKS_ORDER: u8 = 0b0_0100;
const HAS_TYPE: u8 = 0b0_1000;
const HAS_CHARACTER_SET: u8 = 0b1_0000;
const KNOWN_FLAGS: u8 = 0b1_1111;

const UTF_8: u8 = 1;

const HARD: u8 = 0;
const SOFT: u8 = 1;
const FIRST_USER_DEFINED: u8 = 64;
const EXTERNAL: u8 = 64;

impl Link {
    pub(crate) const MESSAGE_NAME: &str = "link message";

    /// The name as text; bytes that are not UTF-8 show as U+FFFD.
    pub fn name(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.name)
    }

    /// Bytes of the name and of the paths.
    pub(crate) fn stored_len(&self) -> usize {
        let paths = match &self.target {
            LinkTarget::Hard(_) | LinkTarget::UserDefined { .. } => 0,
            LinkTarget::Soft(path) => path.len(),
            LinkTarget::External { file, path } => file.len().saturating_add(path.len()),
        };
        self.name.len().saturating_add(paths)
    }

    /// Reads version 1.
    pub(crate) fn parse<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |i| {
            let (i, _) = field("version", version(&[1])).parse(i)?;
            let (i, flags) = field("flags", flags(KNOWN_FLAGS)).parse(i)?;
            let type_start = i;
            let (i, kind) = field("link type", cond(flags & HAS_TYPE != 0, le_u8)).parse(i)?;
            let tracked = flags & TRACKS_ORDER != 0;
            let (i, _) = field("creation order", cond(tracked, le_u64)).parse(i)?;
            let (i, _) =
                field("link name character set", cond(flags & HAS_CHARACTER_SET != 0, le_u8))
                    .parse(i)?;
            let (i, len) = field("length of link name", name_len(flags)).parse(i)?;
            let (i, name) = field("link name", checked(take(len), usable_name)).parse(i)?;
            let (i, target) = match kind.unwrap_or(HARD) {
                HARD => hard(sizes, i)?,
                SOFT => value(|value| Ok((&[], LinkTarget::Soft(value.to_vec()))), i)?,
                EXTERNAL => value(external, i)?,
                class if class > FIRST_USER_DEFINED => {
                    value(|_| Ok((&[], LinkTarget::UserDefined { class })), i)?
                }
                reserved => {
                    let problem = Problem::unsupported(alloc::format!("link type {reserved}"));
                    return Err(Failure::named("link type", type_start, problem));
                }
            };
            Ok((i, Self { name: name.to_vec(), target }))
        }
    }

    /// Writes version 1. Names and paths have less than 64 KiB; links of classes that a writer defined are not written.
    pub(crate) fn encode(&self, out: &mut Encoder) {
        let (kind, has_type) = match &self.target {
            LinkTarget::Hard(_) => (HARD, 0),
            LinkTarget::Soft(_) => (SOFT, HAS_TYPE),
            LinkTarget::External { .. } => (EXTERNAL, HAS_TYPE),
            LinkTarget::UserDefined { class } => (*class, HAS_TYPE),
        };
        let width_bits = u8::from(self.name.len() > usize::from(u8::MAX));
        out.u8(1);
        out.u8(HAS_CHARACTER_SET | has_type | width_bits);
        if has_type != 0 {
            out.u8(kind);
        }
        out.u8(UTF_8);
        out.uint(self.name.len() as u64, 1 << width_bits);
        out.bytes(&self.name);
        match &self.target {
            LinkTarget::Hard(address) => out.address(Some(*address)),
            LinkTarget::Soft(path) => {
                out.uint(path.len() as u64, 2);
                out.bytes(path);
            }
            LinkTarget::External { file, path } => {
                let len = file.len().saturating_add(path.len()).saturating_add(3);
                out.uint(len as u64, 2);
                out.u8(0);
                out.bytes(file);
                out.u8(0);
                out.bytes(path);
                out.u8(0);
            }
            LinkTarget::UserDefined { .. } => out.u16(0),
        }
    }
}

/// A name that a path can hold: not empty, without a slash or a NUL.
pub(crate) fn usable_name(name: &[u8]) -> Result<(), Problem> {
    if name.is_empty() {
        Err(Problem::invalid("an empty link name"))
    } else if name.contains(&b'/') || name.contains(&0) {
        let text = String::from_utf8_lossy(name);
        Err(Problem::invalid(alloc::format!("the link name {text:?}")))
    } else {
        Ok(())
    }
}

fn name_len<'a>(flags: u8) -> impl FnMut(&'a [u8]) -> Parsed<'a, usize> {
    let width = 1 << (flags & NAME_LENGTH_WIDTH);
    move |i| {
        let (i, len) = uint(width)(i)?;
        // What does not fit memory is more than there is as well.
        Ok((i, usize::try_from(len).unwrap_or(usize::MAX)))
    }
}

fn hard(sizes: Sizes, i: &[u8]) -> Parsed<'_, LinkTarget> {
    let (rest, target) = field("object header address", address(sizes)).parse(i)?;
    let Some(target) = target else {
        let problem = Problem::invalid("a hard link without an address");
        return Err(Failure::named("object header address", i, problem));
    };
    Ok((rest, LinkTarget::Hard(target)))
}

fn value<'a>(
    read: impl Fn(&'a [u8]) -> Parsed<'a, LinkTarget>,
    i: &'a [u8],
) -> Parsed<'a, LinkTarget> {
    let (i, len) = field("length of link value", count16).parse(i)?;
    field("link value", bounded(len, read)).parse(i)
}

fn external(i: &[u8]) -> Parsed<'_, LinkTarget> {
    let (i, _) = le_u8(i)?;
    let file = until_nul(i);
    let path = until_nul(i.get(file.len().saturating_add(1)..).unwrap_or_default());
    Ok((&[], LinkTarget::External { file: file.to_vec(), path: path.to_vec() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encoded;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use proptest::prelude::*;
    use testkit::Bytes;

    fn parse(bytes: Bytes) -> Result<Link, crate::FormatError> {
        let bytes = bytes.build();
        let parser = Link::parse(Sizes { offset: 8, length: 8 });
        parse_at(Link::MESSAGE_NAME, 0, &bytes, parser)
    }

    #[test]
    fn reads_every_kind_of_link() {
        let link = |target| Link { name: b"ab".to_vec(), target };
        let hard = Bytes::new().bytes([1, 0, 2]).text("ab").u64(0x800);
        assert_eq!(parse(hard), Ok(link(LinkTarget::Hard(Address(0x800)))));
        let ordered = Bytes::new().bytes([1, 0x15]).u64(7).u8(1).u16(2).text("ab").u64(0x800);
        assert_eq!(parse(ordered), Ok(link(LinkTarget::Hard(Address(0x800)))));
        let soft = Bytes::new().bytes([1, 8, 1, 2]).text("ab").u16(3).text("/xy");
        assert_eq!(parse(soft), Ok(link(LinkTarget::Soft(b"/xy".to_vec()))));
        let external = Bytes::new().bytes([1, 8, 64, 2]).text("ab").u16(8).u8(0).text("f.h\0/p\0");
        let (file, path) = (b"f.h".to_vec(), b"/p".to_vec());
        assert_eq!(parse(external), Ok(link(LinkTarget::External { file, path })));
        let custom = Bytes::new().bytes([1, 8, 99, 2]).text("ab").u16(0);
        assert_eq!(parse(custom), Ok(link(LinkTarget::UserDefined { class: 99 })));
    }

    fn target() -> impl Strategy<Value = LinkTarget> {
        let text = || proptest::collection::vec(1_u8.., 0..99);
        prop_oneof![
            (0..u64::MAX).prop_map(|address| LinkTarget::Hard(Address(address))),
            text().prop_map(LinkTarget::Soft),
            (text(), text()).prop_map(|(file, path)| LinkTarget::External { file, path }),
            (65_u8..).prop_map(|class| LinkTarget::UserDefined { class }),
        ]
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(name in proptest::collection::vec(b'0'.., 1..300), target in target()) {
            let link = Link { name, target };
            let sizes = Sizes { offset: 8, length: 8 };
            let bytes = encoded(sizes, |out| link.encode(out));
            prop_assert_eq!(parse_at(Link::MESSAGE_NAME, 0, &bytes, Link::parse(sizes)), Ok(link));
        }
    }

    #[test]
    fn refuses_unusable_names_and_says_where_the_bytes_end() {
        let text = |bytes| parse(bytes).unwrap_err().to_string();
        assert_eq!(
            text(Bytes::new().bytes([1, 0, 2]).text("a/").u64(0)),
            "link message at byte 0x0: field `link name` at byte 0x3: the link name \"a/\""
        );
        assert_eq!(
            text(Bytes::new().bytes([1, 8, 2, 1]).text("a").u64(0)),
            "link message at byte 0x0: field `link type` at byte 0x2: link type 2 is not supported"
        );
        assert_eq!(
            text(Bytes::new().bytes([1, 8, 1, 1]).text("a").u16(5).text("/x")),
            "link message at byte 0x0: field `link value` at byte 0x7: the structure ends early"
        );
    }
}
