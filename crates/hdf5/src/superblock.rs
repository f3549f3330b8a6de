//! Superblock: where a file starts and how wide its integers are. Spec: HDF5 File Format 3.0, II.A.

use nom::Parser;
use nom::combinator::cond;
use nom::number::complete::{le_u8, le_u16, le_u32};

use crate::checksum::seal;
use crate::encode::Encoder;
use crate::error::Problem;
use crate::parse::{
    Address, Failure, Parsed, Sizes, address, checked, field, flags, reserved, signature, uint,
    version,
};

/// The first structure of a file.
///
/// | bytes | field | versions |
/// | --- | --- | --- |
/// | 8 | signature | 0 to 3 |
/// | 1 | version | 0 to 3 |
/// | 1 | free-space storage version | 0, 1 |
/// | 1 | root group entry version | 0, 1 |
/// | 1 | reserved | 0, 1 |
/// | 1 | shared header message version | 0, 1 |
/// | 1 | size of offsets | 0 to 3 |
/// | 1 | size of lengths | 0 to 3 |
/// | 1 | reserved | 0, 1 |
/// | 2 | group leaf node K | 0, 1 |
/// | 2 | group internal node K | 0, 1 |
/// | 4; 1 | file consistency flags | 0, 1; 2, 3 |
/// | 2 + 2 | indexed storage internal node K, reserved | 1 |
/// | offset | base address | 0 to 3 |
/// | offset | free-space address | 0, 1 |
/// | offset | superblock extension address | 2, 3 |
/// | offset | end of file address | 0 to 3 |
/// | offset | driver information address | 0, 1 |
/// | | root group symbol table entry | 0, 1 |
/// | offset | root group object header address | 2, 3 |
/// | 4 | checksum | 2, 3 |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Superblock {
    /// Version of the superblock; other structures have versions of their own.
    pub(crate) version: u8,
    /// Widths of addresses and lengths.
    pub(crate) sizes: Sizes,
    /// Half the entries of B-tree and symbol-table nodes, what the format calls K.
    pub(crate) node_sizes: NodeSizes,
    /// A writer has, or had, the file open; version 3 only.
    pub(crate) open_for_write: bool,
    /// As stored. Addresses count from where the superblock was found, whatever this says.
    pub(crate) base: u64,
    /// Object header with more about the file.
    pub(crate) extension: Option<Address>,
    /// Where the file should end.
    pub(crate) end_of_file: Option<Address>,
    /// Driver information, which only files in several parts have.
    pub(crate) driver_information: Option<Address>,
    /// The root group's object header.
    pub(crate) root: Option<Address>,
}

/// Half the number of entries that a node of each old tree may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeSizes {
    pub(crate) group_leaf: u16,
    pub(crate) group_internal: u16,
    pub(crate) chunk_internal: u16,
}

impl Default for NodeSizes {
    fn default() -> Self {
        Self { group_leaf: 4, group_internal: 16, chunk_internal: 32 }
    }
}

const OPEN_FOR_WRITE: u8 = 0b001;
const MARKED_CLOSED: u8 = 0b010;
const OPEN_FOR_SWMR: u8 = 0b100;

impl Superblock {
    pub(crate) const NAME: &str = "superblock";
    pub(crate) const SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";
    /// Bytes of the largest form.
    pub(crate) const MAX_LEN: u64 = 100;

    /// Bytes of this superblock.
    pub(crate) fn len(&self) -> u64 {
        let (fixed, offsets, lengths) = match self.version {
            0 => (48, 5, 1),
            1 => (52, 5, 1),
            _ => (16, 4, 0),
        };
        u64::from(self.sizes.offset)
            .saturating_mul(offsets)
            .saturating_add(u64::from(self.sizes.length).saturating_mul(lengths))
            .saturating_add(fixed)
    }

    /// Reads versions 0 to 3.
    pub(crate) fn parse(whole: &[u8]) -> Parsed<'_, Self> {
        let (i, ()) = field("signature", signature(Self::SIGNATURE)).parse(whole)?;
        let (i, version) = field("version", version(&[0, 1, 2, 3])).parse(i)?;
        if version < 2 { Self::parse_old(version, i) } else { Self::parse_new(version, whole, i) }
    }

    fn parse_old(version: u8, i: &[u8]) -> Parsed<'_, Self> {
        let (i, ()) = field("free-space storage version", reserved(1)).parse(i)?;
        let (i, ()) = field("root group entry version", reserved(1)).parse(i)?;
        let (i, ()) = field("reserved", reserved(1)).parse(i)?;
        let (i, ()) = field("shared header message version", reserved(1)).parse(i)?;
        let (i, sizes) = sizes(i)?;
        let (i, ()) = field("reserved", reserved(1)).parse(i)?;
        let (i, group_leaf) = field("group leaf node K", positive).parse(i)?;
        let (i, group_internal) = field("group internal node K", positive).parse(i)?;
        let (i, _) = field("file consistency flags", le_u32).parse(i)?;
        let chunk_k = |i| {
            let (i, k) = positive(i)?;
            let (i, ()) = reserved(2)(i)?;
            Ok((i, k))
        };
        let (i, chunk_internal) =
            field("indexed storage internal node K", cond(version == 1, chunk_k)).parse(i)?;
        let (i, base) = field("base address", uint(sizes.offset)).parse(i)?;
        let (i, _) = field("free-space address", address(sizes)).parse(i)?;
        let (i, end_of_file) = field("end of file address", address(sizes)).parse(i)?;
        let (i, driver_information) =
            field("driver information address", address(sizes)).parse(i)?;
        let (i, _) = field("root group name offset", uint(sizes.length)).parse(i)?;
        let (i, root) = field("root group object header address", address(sizes)).parse(i)?;
        let (i, ()) = field("root group cache", reserved(24)).parse(i)?;
        let chunk_internal = chunk_internal.unwrap_or(NodeSizes::default().chunk_internal);
        let superblock = Self {
            version,
            sizes,
            node_sizes: NodeSizes { group_leaf, group_internal, chunk_internal },
            open_for_write: false,
            base,
            extension: None,
            end_of_file,
            driver_information,
            root,
        };
        Ok((i, superblock))
    }

    fn parse_new<'a>(version: u8, whole: &'a [u8], i: &'a [u8]) -> Parsed<'a, Self> {
        let (i, sizes) = sizes(i)?;
        // Version 2 has the byte, but gives it no meaning.
        let known =
            if version == 2 { 0xff } else { OPEN_FOR_WRITE | MARKED_CLOSED | OPEN_FOR_SWMR };
        let (i, consistency) = field("file consistency flags", flags(known)).parse(i)?;
        let (i, base) = field("base address", uint(sizes.offset)).parse(i)?;
        let (i, extension) = field("superblock extension address", address(sizes)).parse(i)?;
        let (i, end_of_file) = field("end of file address", address(sizes)).parse(i)?;
        let (i, root) = field("root group object header address", address(sizes)).parse(i)?;
        let (i, ()) = seal(whole, i)?;
        let superblock = Self {
            version,
            sizes,
            node_sizes: NodeSizes::default(),
            open_for_write: version == 3 && consistency & (OPEN_FOR_WRITE | OPEN_FOR_SWMR) != 0,
            base,
            extension,
            end_of_file,
            driver_information: None,
            root,
        };
        Ok((i, superblock))
    }
}

impl Superblock {
    /// Writes version 3, of a file at rest.
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.bytes(Self::SIGNATURE);
        out.u8(3);
        out.u8(self.sizes.offset);
        out.u8(self.sizes.length);
        out.u8(0);
        out.uint(self.base, self.sizes.offset);
        out.address(self.extension);
        out.address(self.end_of_file);
        out.address(self.root);
        out.seal();
    }
}

fn sizes(i: &[u8]) -> Parsed<'_, Sizes> {
    let (i, offset) = field("size of offsets", checked(le_u8, readable_width)).parse(i)?;
    let (i, length) = field("size of lengths", checked(le_u8, readable_width)).parse(i)?;
    Ok((i, Sizes { offset, length }))
}

fn readable_width(width: u8) -> Result<(), Problem> {
    match width {
        2 | 4 | 8 => Ok(()),
        16 | 32 => Err(Problem::unsupported(alloc::format!("a width of {width} bytes"))),
        _ => Err(Problem::invalid(alloc::format!("a width of {width} bytes"))),
    }
}

fn positive(i: &[u8]) -> Parsed<'_, u16> {
    match le_u16(i)? {
        (_, 0) => Err(Failure::at(i, Problem::invalid("nodes without entries"))),
        read => Ok(read),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::lookup3;
    use crate::encode::encoded;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use proptest::prelude::*;
    use testkit::Bytes;

    fn parse(bytes: &[u8]) -> Result<Superblock, crate::FormatError> {
        parse_at(Superblock::NAME, 0, bytes, Superblock::parse)
    }

    fn version_3(flags: u8) -> Bytes {
        Bytes::new()
            .bytes(Superblock::SIGNATURE.iter().copied())
            .bytes([3, 8, 8, flags])
            .u64(0)
            .ones(8)
            .u64(0x800)
            .u64(48)
    }

    #[test]
    fn reads_version_3() {
        let bytes = version_3(1).sealed(lookup3).build();
        let superblock = parse(&bytes).unwrap();
        assert_eq!(superblock.len(), bytes.len() as u64);
        assert_eq!((superblock.root, superblock.extension), (Some(Address(48)), None));
        assert_eq!(
            (superblock.end_of_file, superblock.open_for_write),
            (Some(Address(0x800)), true)
        );
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(base: u64, extension in address(), end_of_file in address(), root in address()) {
            let sizes = Sizes { offset: 8, length: 8 };
            let superblock = Superblock {
                version: 3,
                sizes,
                node_sizes: NodeSizes::default(),
                open_for_write: false,
                base,
                extension,
                end_of_file,
                driver_information: None,
                root,
            };
            let bytes = encoded(sizes, |out| superblock.encode(out));
            prop_assert_eq!(bytes.len() as u64, superblock.len());
            prop_assert_eq!(parse(&bytes), Ok(superblock));
        }
    }

    fn address() -> impl Strategy<Value = Option<Address>> {
        proptest::option::of((0..u64::MAX).prop_map(Address))
    }

    #[test]
    fn reads_versions_0_and_1_with_narrow_addresses() {
        let head = |version| {
            let head = Bytes::new().bytes(Superblock::SIGNATURE.iter().copied());
            head.bytes([version, 0, 0, 0, 0, 4, 8, 0]).u16(5).u16(17).u32(0)
        };
        let tail = |head: Bytes| head.u32(0).ones(4).u32(0x800).ones(4).u64(0).u32(0x60).zeros(24);
        let v0 = parse(&tail(head(0)).build()).unwrap();
        assert_eq!(v0.len(), tail(head(0)).len() as u64);
        assert_eq!((v0.root, v0.node_sizes.chunk_internal), (Some(Address(0x60)), 32));
        let v1 = parse(&tail(head(1).u16(64).u16(0)).build()).unwrap();
        let expected = NodeSizes { group_leaf: 5, group_internal: 17, chunk_internal: 64 };
        assert_eq!((v1.root, v1.node_sizes), (Some(Address(0x60)), expected));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let text = |bytes: Bytes| parse(&bytes.build()).unwrap_err().to_string();
        let head = || Bytes::new().bytes(Superblock::SIGNATURE.iter().copied());
        assert_eq!(
            text(head().u8(4)),
            "superblock at byte 0x0: field `version` at byte 0x8: version 4 is not supported (known: [0, 1, 2, 3])"
        );
        assert_eq!(
            text(head().bytes([2, 16])),
            "superblock at byte 0x0: field `size of offsets` at byte 0x9: a width of 16 bytes is not supported"
        );
        assert_eq!(
            text(version_3(0).u32(7)),
            "superblock at byte 0x0: field `checksum` at byte 0x2c: the checksum is 0x00000007, the bytes give 0x386e82cc"
        );
        assert_eq!(
            text(version_3(0).u8(7)),
            "superblock at byte 0x0: field `checksum` at byte 0x2c: the structure ends early"
        );
    }
}
