//! B-tree K values message (0x0013) of the superblock extension. Spec: HDF5 File Format 3.0, IV.A.2.t.

use nom::Parser;
use nom::number::complete::le_u16;

use crate::error::Problem;
use crate::parse::{Parsed, checked, field, version};
use crate::superblock::NodeSizes;

impl NodeSizes {
    pub(crate) const MESSAGE_NAME: &str = "B-tree K values message";

    /// Reads version 0.
    ///
    /// | bytes | field |
    /// | --- | --- |
    /// | 1 | version |
    /// | 2 | indexed storage internal node K |
    /// | 2 | group internal node K |
    /// | 2 | group leaf node K |
    pub(crate) fn parse_message(i: &[u8]) -> Parsed<'_, Self> {
        let positive = || {
            checked(le_u16, |k| {
                if k == 0 { Err(Problem::invalid("nodes without entries")) } else { Ok(()) }
            })
        };
        let (i, _) = field("version", version(&[0])).parse(i)?;
        let (i, chunk_internal) = field("indexed storage internal node K", positive()).parse(i)?;
        let (i, group_internal) = field("group internal node K", positive()).parse(i)?;
        let (i, group_leaf) = field("group leaf node K", positive()).parse(i)?;
        Ok((i, Self { group_leaf, group_internal, chunk_internal }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use testkit::Bytes;

    #[test]
    fn reads_the_three_values() {
        let bytes = Bytes::new().u8(0).u16(64).u16(16).u16(4).build();
        let parse =
            |bytes: &[u8]| parse_at(NodeSizes::MESSAGE_NAME, 0, bytes, NodeSizes::parse_message);
        let expected = NodeSizes { group_leaf: 4, group_internal: 16, chunk_internal: 64 };
        assert_eq!(parse(&bytes), Ok(expected));
        assert_eq!(
            parse(&[0, 0, 0]).unwrap_err().to_string(),
            "B-tree K values message at byte 0x0: field `indexed storage internal node K` at byte 0x1: nodes without entries"
        );
    }
}
