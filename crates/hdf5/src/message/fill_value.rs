//! Fill value messages (0x0005, and 0x0004 of old files): what unwritten elements read as.
//! Spec: HDF5 File Format 3.0, IV.A.2.e and IV.A.2.f.

use alloc::vec::Vec;

use nom::Parser;
use nom::bytes::complete::take;
use nom::combinator::cond;
use nom::number::complete::le_u8;

use crate::encode::Encoder;
use crate::error::Problem;
use crate::parse::{Parsed, checked, field, len32, version};

/// What elements that were never written read as.
///
/// | bytes | field | versions |
/// | --- | --- | --- |
/// | 1 | version | 1 to 3 |
/// | 1 | space allocation time | 1, 2 |
/// | 1 | fill value write time | 1, 2 |
/// | 1 | fill value defined | 1, 2 |
/// | 1 | flags | 3 |
/// | 4 | size, if defined (always in version 1) | 1 to 3 |
/// | size | fill value | 1 to 3 |
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct FillValue {
    /// One element as stored; `None` reads as zero bytes, whether by default or because nothing is defined.
    pub(crate) bytes: Option<Vec<u8>>,
    /// Whether the value is declared undefined.
    pub(crate) undefined: bool,
    pub(crate) allocation: AllocationTime,
    pub(crate) write_time: FillTime,
}

/// When a writer allocates storage; by the numbers of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AllocationTime {
    /// Not said; as the writer likes.
    #[default]
    Unsaid,
    /// When it makes the dataset.
    Early,
    /// When it first writes elements.
    Late,
    /// Chunk by chunk, as it writes them.
    Incremental,
}

/// When a writer fills storage with the fill value; by the numbers of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FillTime {
    /// When storage is allocated.
    #[default]
    OnAllocation,
    /// Never.
    Never,
    /// When storage is allocated, if a value was set.
    IfSet,
}

const ALLOCATION_TIME: u8 = 0b0000_0011;
const WRITE_TIME_SHIFT: u8 = 2;
const KNOWN_FLAGS: u8 = 0b0011_1111;
const UNDEFINED: u8 = 0b0001_0000;
const HAS_VALUE: u8 = 0b0010_0000;

impl FillValue {
    pub(crate) const NAME: &str = "fill value message";
    pub(crate) const OLD_NAME: &str = "old fill value message";

    /// Reads versions 1 to 3 of message 0x0005.
    pub(crate) fn parse(i: &[u8]) -> Parsed<'_, Self> {
        let (i, version) = field("version", version(&[1, 2, 3])).parse(i)?;
        if version == 3 {
            let (i, flags) = field("flags", checked(le_u8, consistent)).parse(i)?;
            let (i, bytes) = value(flags & HAS_VALUE != 0, i)?;
            let allocation = AllocationTime::of(flags & ALLOCATION_TIME);
            let write_time = FillTime::of(flags >> WRITE_TIME_SHIFT & 0b11);
            let undefined = flags & UNDEFINED != 0;
            return Ok((i, Self { bytes, undefined, allocation, write_time }));
        }
        let (i, allocation) = field("space allocation time", le_u8).parse(i)?;
        let (i, write_time) = field("fill value write time", le_u8).parse(i)?;
        let (i, defined) = field("fill value defined", le_u8).parse(i)?;
        let (i, bytes) = value(version == 1 || defined != 0, i)?;
        let fill = Self {
            bytes: bytes.filter(|_| defined != 0),
            undefined: defined == 0,
            allocation: AllocationTime::of(allocation),
            write_time: FillTime::of(write_time),
        };
        Ok((i, fill))
    }

    /// Reads message 0x0004, which is only a size and a value.
    pub(crate) fn parse_old(i: &[u8]) -> Parsed<'_, Self> {
        let (i, bytes) = value(true, i)?;
        Ok((i, Self { bytes, ..Self::default() }))
    }

    /// Writes version 3 of message 0x0005.
    pub(crate) fn encode(&self, out: &mut Encoder) {
        let value = self.bytes.as_deref().filter(|_| !self.undefined);
        let mut flags = self.allocation as u8 | (self.write_time as u8) << WRITE_TIME_SHIFT;
        flags |= if self.undefined { UNDEFINED } else { 0 };
        flags |= if value.is_some() { HAS_VALUE } else { 0 };
        out.u8(3);
        out.u8(flags);
        if let Some(value) = value {
            out.u32(u32::try_from(value.len()).unwrap_or(u32::MAX));
            out.bytes(value);
        }
    }
}

impl AllocationTime {
    fn of(stored: u8) -> Self {
        match stored {
            1 => Self::Early,
            2 => Self::Late,
            3 => Self::Incremental,
            _ => Self::Unsaid,
        }
    }
}

impl FillTime {
    fn of(stored: u8) -> Self {
        match stored {
            1 => Self::Never,
            2 => Self::IfSet,
            _ => Self::OnAllocation,
        }
    }
}

/// Size 0 stands for the default value, all zero.
fn value(present: bool, i: &[u8]) -> Parsed<'_, Option<Vec<u8>>> {
    let (i, size) = field("size", cond(present, len32)).parse(i)?;
    let (i, bytes) = field("fill value", take(size.unwrap_or(0))).parse(i)?;
    Ok((i, (!bytes.is_empty()).then(|| bytes.to_vec())))
}

fn consistent(flags: u8) -> Result<(), Problem> {
    if flags & !KNOWN_FLAGS != 0 {
        return Err(Problem::unsupported(alloc::format!("flag {:#04x}", flags & !KNOWN_FLAGS)));
    }
    if flags & UNDEFINED != 0 && flags & HAS_VALUE != 0 {
        return Err(Problem::invalid("a fill value that is both undefined and given"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encoded;
    use crate::parse::{Sizes, parse_at};
    use alloc::string::ToString;
    use alloc::vec;
    use proptest::prelude::*;
    use testkit::Bytes;

    fn parse(bytes: Bytes) -> Result<Option<Vec<u8>>, crate::FormatError> {
        parse_at(FillValue::NAME, 0, &bytes.build(), FillValue::parse).map(|fill| fill.bytes)
    }

    #[test]
    fn reads_all_versions() {
        assert_eq!(parse(Bytes::new().u8(3).u8(0x0a)).unwrap(), None);
        assert_eq!(
            parse(Bytes::new().u8(3).u8(0x2a).u32(2).text("ab")).unwrap(),
            Some(vec![97, 98])
        );
        assert_eq!(parse(Bytes::new().u8(3).u8(0x1a)).unwrap(), None);
        assert_eq!(parse(Bytes::new().bytes([2, 2, 2, 0])).unwrap(), None);
        assert_eq!(parse(Bytes::new().bytes([2, 2, 2, 1]).u32(1).u8(7)).unwrap(), Some(vec![7]));
        assert_eq!(parse(Bytes::new().bytes([1, 2, 2, 1]).u32(0)).unwrap(), None);
        let old = Bytes::new().u32(1).u8(9).build();
        let fill = parse_at(FillValue::OLD_NAME, 0, &old, FillValue::parse_old).unwrap();
        assert_eq!(fill.bytes, Some(vec![9]));
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(bytes in proptest::collection::vec(any::<u8>(), 1..40), given: bool, allocation in 0_u8..4, write_time in 0_u8..3) {
            let fill = FillValue {
                bytes: given.then_some(bytes),
                undefined: !given && allocation == 1,
                allocation: AllocationTime::of(allocation),
                write_time: FillTime::of(write_time),
            };
            let stored = encoded(Sizes { offset: 8, length: 8 }, |out| fill.encode(out));
            prop_assert_eq!(parse_at(FillValue::NAME, 0, &stored, FillValue::parse), Ok(fill));
        }
    }

    #[test]
    fn refuses_what_contradicts_itself_or_ends() {
        assert_eq!(
            parse(Bytes::new().u8(3).u8(0x30)).unwrap_err().to_string(),
            "fill value message at byte 0x0: field `flags` at byte 0x1: a fill value that is both undefined and given"
        );
        assert_eq!(
            parse(Bytes::new().u8(3).u8(0x20).u32(4).u8(1)).unwrap_err().to_string(),
            "fill value message at byte 0x0: field `fill value` at byte 0x6: the structure ends early"
        );
    }
}
