//! Group info message (0x000a): advice for writers on how to keep links. Spec: HDF5 File Format 3.0, IV.A.2.k.

use nom::Parser;
use nom::combinator::cond;

use crate::encode::Encoder;
use crate::parse::{Parsed, field, flags, reserved, version};

/// Nothing that a reader needs, so only its presence counts: it makes an object a group.
///
/// | bytes | field |
/// | --- | --- |
/// | 1 | version |
/// | 1 | flags |
/// | 4 | link phase change values, if flag bit 0 |
/// | 4 | estimated entries, if flag bit 1 |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GroupInfo;

const STORES_PHASE_CHANGE: u8 = 0b01;
const STORES_ESTIMATES: u8 = 0b10;

impl GroupInfo {
    pub(crate) const NAME: &str = "group info message";

    /// Reads version 0.
    pub(crate) fn parse(i: &[u8]) -> Parsed<'_, Self> {
        let (i, _) = field("version", version(&[0])).parse(i)?;
        let (i, flags) = field("flags", flags(STORES_PHASE_CHANGE | STORES_ESTIMATES)).parse(i)?;
        let phase_change = cond(flags & STORES_PHASE_CHANGE != 0, reserved(4));
        let (i, _) = field("link phase change values", phase_change).parse(i)?;
        let estimates = cond(flags & STORES_ESTIMATES != 0, reserved(4));
        let (i, _) = field("estimated entries", estimates).parse(i)?;
        Ok((i, Self))
    }

    /// Writes version 0, without advice.
    pub(crate) fn encode(out: &mut Encoder) {
        out.bytes(&[0, 0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encoded;
    use crate::parse::{Sizes, parse_at};
    use alloc::string::ToString;

    #[test]
    fn reads_every_combination_and_says_where_the_bytes_end() {
        let parse = |bytes: &[u8]| parse_at(GroupInfo::NAME, 0, bytes, GroupInfo::parse);
        let sizes = Sizes { offset: 8, length: 8 };
        assert_eq!(parse(&encoded(sizes, GroupInfo::encode)), Ok(GroupInfo));
        assert_eq!(parse(&[0, 0]), Ok(GroupInfo));
        assert_eq!(parse(&[0, 3, 8, 0, 6, 0, 4, 0, 8, 0]), Ok(GroupInfo));
        assert_eq!(
            parse(&[0, 2, 8]).unwrap_err().to_string(),
            "group info message at byte 0x0: field `estimated entries` at byte 0x2: the structure ends early"
        );
    }
}
