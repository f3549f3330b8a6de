//! Filter pipeline message (0x000b): how chunks are encoded. Spec: HDF5 File Format 3.0, IV.A.2.l.

use alloc::string::String;
use alloc::vec::Vec;

use nom::Parser;
use nom::bytes::complete::take;
use nom::combinator::cond;
use nom::number::complete::{le_u16, le_u32};

use crate::encode::Encoder;
use crate::parse::{Parsed, at_most, count, count16, field, reserved, text, version};

/// The filters of a dataset's chunks, in the order in which they were applied when writing.
///
/// | bytes | field | versions |
/// | --- | --- | --- |
/// | 1 | version | 1, 2 |
/// | 1 | number of filters | 1, 2 |
/// | 6 | reserved | 1 |
/// | | filters | 1, 2 |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilterPipeline {
    pub(crate) filters: Vec<FilterDescription>,
}

/// One filter of a pipeline.
///
/// | bytes | field | versions |
/// | --- | --- | --- |
/// | 2 | filter identification | 1, 2 |
/// | 2 | name length, with its terminator; in version 2 only for identifiers from 256 on | 1, 2 |
/// | 2 | flags | 1, 2 |
/// | 2 | number of client data values | 1, 2 |
/// | name length | name; in version 1 padded to a multiple of 8 | 1, 2 |
/// | 4 × number | client data | 1, 2 |
/// | 4 | padding, if the number is odd | 1 |
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterDescription {
    /// Registered identifier.
    pub id: u16,
    /// Name as stored; filters below 256 often have none.
    pub name: Option<String>,
    /// Whether a writer may leave it out of a chunk.
    pub optional: bool,
    /// The filter's parameters.
    pub client_data: Vec<u32>,
}

/// One bit per filter in a chunk's filter mask.
const MAX_FILTERS: u8 = 32;
const FIRST_NAMED_ID: u16 = 256;
const OPTIONAL: u16 = 0b1;

impl FilterPipeline {
    pub(crate) const NAME: &str = "filter pipeline message";

    /// Reads versions 1 and 2.
    pub(crate) fn parse(i: &[u8]) -> Parsed<'_, Self> {
        let (i, version) = field("version", version(&[1, 2])).parse(i)?;
        let (i, number) = field("number of filters", at_most(MAX_FILTERS)).parse(i)?;
        let (i, _) = field("reserved", cond(version == 1, reserved(6))).parse(i)?;
        let filter = move |i| FilterDescription::parse(version, i);
        let (i, filters) = field("filters", count(filter, number.into())).parse(i)?;
        Ok((i, Self { filters }))
    }

    /// Writes version 2.
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.u8(2);
        out.uint(self.filters.len() as u64, 1);
        for filter in &self.filters {
            filter.encode(out);
        }
    }
}

impl FilterDescription {
    fn parse(version: u8, i: &[u8]) -> Parsed<'_, Self> {
        let (i, id) = field("filter identification", le_u16).parse(i)?;
        let named = version == 1 || id >= FIRST_NAMED_ID;
        let (i, name_len) = field("name length", cond(named, count16)).parse(i)?;
        let (i, flags) = field("flags", le_u16).parse(i)?;
        let (i, values) = field("number of client data values", count16).parse(i)?;
        let stored_len = match (version, name_len.unwrap_or(0)) {
            (1, len) => len.next_multiple_of(8),
            (_, len) => len,
        };
        let (i, name) = field("name", take(stored_len)).parse(i)?;
        let (i, client_data) = field("client data", count(le_u32, values)).parse(i)?;
        let padded = version == 1 && values % 2 == 1;
        let (i, _) = field("padding", cond(padded, reserved(4))).parse(i)?;
        let name = Some(text(name)).filter(|name| !name.is_empty());
        Ok((i, Self { id, name, optional: flags & OPTIONAL != 0, client_data }))
    }

    fn encode(&self, out: &mut Encoder) {
        let name = self.name.as_deref().filter(|_| self.id >= FIRST_NAMED_ID);
        out.u16(self.id);
        if self.id >= FIRST_NAMED_ID {
            let len = name.map_or(0, |name| name.len().saturating_add(1));
            out.uint(len as u64, 2);
        }
        out.u16(if self.optional { OPTIONAL } else { 0 });
        out.uint(self.client_data.len() as u64, 2);
        if let Some(name) = name {
            out.bytes(name.as_bytes());
            out.u8(0);
        }
        for value in &self.client_data {
            out.u32(*value);
        }
    }
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

    fn parse(bytes: &[u8]) -> Result<FilterPipeline, crate::FormatError> {
        parse_at(FilterPipeline::NAME, 0x100, bytes, FilterPipeline::parse)
    }

    #[test]
    fn reads_version_1_with_padded_names_and_values() {
        let deflate = Bytes::new().u16(1).u16(8).u16(1).u16(1).text("deflate\0").u32(6).u32(0);
        let bytes = Bytes::new().u8(1).u8(1).zeros(6).then(deflate).build();
        let filters = parse(&bytes).unwrap().filters;
        let name = Some("deflate".to_string());
        assert_eq!(
            filters,
            [FilterDescription { id: 1, name, optional: true, client_data: vec![6] }]
        );
    }

    #[test]
    fn reads_version_2_with_and_without_a_name() {
        let shuffle = Bytes::new().u16(2).u16(0).u16(1).u32(4);
        let blosc2 = Bytes::new().u16(32026).u16(7).u16(1).u16(0).text("blosc2\0");
        let bytes = Bytes::new().u8(2).u8(2).then(shuffle).then(blosc2).build();
        let filters = parse(&bytes).unwrap().filters;
        assert_eq!((filters[0].name.as_deref(), filters[0].optional), (None, false));
        assert_eq!((filters[1].name.as_deref(), filters[1].id), (Some("blosc2"), 32026));
    }

    fn filter() -> impl Strategy<Value = FilterDescription> {
        (256_u16.., proptest::option::of("[a-z]{1,20}"), any::<bool>(), any::<Vec<u32>>()).prop_map(
            |(id, name, optional, client_data)| FilterDescription {
                id,
                name,
                optional,
                client_data,
            },
        )
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(filters in proptest::collection::vec(filter(), 0..33), low in 0_u16..256) {
            let mut pipeline = FilterPipeline { filters };
            // Filters of the format itself go without their names.
            if let Some(first) = pipeline.filters.first_mut() {
                (first.id, first.name) = (low, None);
            }
            let bytes = encoded(Sizes { offset: 8, length: 8 }, |out| pipeline.encode(out));
            prop_assert_eq!(parse(&bytes), Ok(pipeline));
        }
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let many = Bytes::new().u8(2).u8(33).build();
        assert_eq!(
            parse(&many).unwrap_err().to_string(),
            "filter pipeline message at byte 0x100: field `number of filters` at byte 0x101: 33 is more than the 32 that are allowed"
        );
        let cut = Bytes::new().u8(2).u8(1).u16(2).u16(0).u16(2).u32(4).build();
        assert_eq!(
            parse(&cut).unwrap_err().to_string(),
            "filter pipeline message at byte 0x100: field `client data` at byte 0x108: the structure ends early"
        );
    }
}
