//! Shared messages: a pointer where a message would be. Spec: HDF5 File Format 3.0, IV.A.2 (shared message).

use nom::Parser;
use nom::bytes::complete::take;
use nom::combinator::cond;
use nom::number::complete::le_u8;

use crate::encode::Encoder;
use crate::error::Problem;
use crate::parse::{Address, Failure, Parsed, Sizes, address, field, reserved, uint, version};

/// A message, or where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MaybeShared<T> {
    /// Read in place.
    Here(T),
    /// Elsewhere in the file.
    Shared(SharedMessage),
}

/// Where a shared message is.
///
/// | bytes | field | versions |
/// | --- | --- | --- |
/// | 1 | version | 1 to 3 |
/// | 1 | type | 1 to 3 |
/// | 6 | reserved | 1 |
/// | length | name offset | 1 |
/// | offset | address of an object header with a message of the same type | 1, 2, 3 unless type 1 |
/// | 8 | fractal heap ID | 3, type 1 |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SharedMessage {
    /// In the header of another object, mostly a committed datatype.
    InHeader(Address),
    /// In the file's table of shared messages.
    InTable,
}

const IN_TABLE: u8 = 1;
const IN_HEADER: u8 = 2;
const HEAP_ID_LEN: usize = 8;

impl SharedMessage {
    pub(crate) const NAME: &str = "shared message";

    /// Reads versions 1 to 3.
    pub(crate) fn parse<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |i| {
            let (i, version) = field("version", version(&[1, 2, 3])).parse(i)?;
            let (i, kind) = field("type", le_u8).parse(i)?;
            if version == 3 && kind == IN_TABLE {
                let (i, _) = field("fractal heap ID", take(HEAP_ID_LEN)).parse(i)?;
                return Ok((i, Self::InTable));
            }
            let (i, _) = field("reserved", cond(version == 1, reserved(6))).parse(i)?;
            let (i, _) = field("name offset", cond(version == 1, uint(sizes.length))).parse(i)?;
            let (rest, target) = field("address", address(sizes)).parse(i)?;
            let Some(target) = target else {
                let problem = Problem::invalid("a shared message without an address");
                return Err(Failure::named("address", i, problem));
            };
            Ok((rest, Self::InHeader(target)))
        }
    }

    /// Writes version 3 for the message of the object at `address`.
    pub(crate) fn encode_in_header(address: Address, out: &mut Encoder) {
        out.bytes(&[3, IN_HEADER]);
        out.address(Some(address));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encoded;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use proptest::prelude::*;
    use testkit::Bytes;

    fn parse(bytes: Bytes) -> Result<SharedMessage, crate::FormatError> {
        let bytes = bytes.build();
        let parser = SharedMessage::parse(Sizes { offset: 8, length: 8 });
        parse_at(SharedMessage::NAME, 0, &bytes, parser)
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(address in 0..u64::MAX) {
            let sizes = Sizes { offset: 8, length: 8 };
            let bytes = encoded(sizes, |out| SharedMessage::encode_in_header(Address(address), out));
            let read = parse_at(SharedMessage::NAME, 0, &bytes, SharedMessage::parse(sizes));
            prop_assert_eq!(read, Ok(SharedMessage::InHeader(Address(address))));
        }
    }

    #[test]
    fn reads_all_versions() {
        let in_header = SharedMessage::InHeader(Address(0x500));
        assert_eq!(parse(Bytes::new().bytes([3, 2]).u64(0x500)), Ok(in_header));
        assert_eq!(parse(Bytes::new().bytes([3, 1]).u64(7)), Ok(SharedMessage::InTable));
        assert_eq!(parse(Bytes::new().bytes([2, 0]).u64(0x500)), Ok(in_header));
        assert_eq!(parse(Bytes::new().bytes([1, 0]).zeros(6).u64(1).u64(0x500)), Ok(in_header));
        assert_eq!(
            parse(Bytes::new().bytes([3, 2]).u32(5)).unwrap_err().to_string(),
            "shared message at byte 0x0: field `address` at byte 0x2: the structure ends early"
        );
    }
}
