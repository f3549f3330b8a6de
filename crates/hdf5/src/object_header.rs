//! Object headers, versions 1 and 2: what an object consists of. Spec: HDF5 File Format 3.0, IV.A.1.

use alloc::vec::Vec;
use core::ops::Range;

use nom::Parser;
use nom::bytes::complete::take;
use nom::combinator::cond;
use nom::number::complete::{le_u8, le_u16, le_u32};

use crate::checksum::seal;
use crate::encode::Encoder;
use crate::error::Problem;
use crate::parse::{
    Address, Failure, Parsed, Sizes, address, byte_count, checked, count16, field, flags, reserved,
    signature, uint, version, width_of,
};

/// What stands before the first messages.
///
/// | bytes | field | versions |
/// | --- | --- | --- |
/// | 4 | signature `OHDR` | 2 |
/// | 1 | version | 1, 2 |
/// | 1 | reserved | 1 |
/// | 2 | total number of messages | 1 |
/// | 4 | object reference count | 1 |
/// | 4 | object header size | 1 |
/// | 4 | padding | 1 |
/// | 1 | flags | 2 |
/// | 16 | times, if flag bit 5 | 2 |
/// | 4 | phase change values, if flag bit 4 | 2 |
/// | 1 to 8 | size of chunk 0 | 2 |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Prefix {
    pub(crate) version: u8,
    /// Version 2: which optional fields there are.
    pub(crate) flags: u8,
    /// Version 1: messages in all blocks, the empty ones and the continuations too.
    pub(crate) message_count: Option<u16>,
    /// Bytes before the first message.
    pub(crate) messages_start: u64,
    /// Bytes of messages in the first block.
    pub(crate) messages_len: u64,
}

/// One message of a header block, not yet read.
///
/// | bytes | field | versions |
/// | --- | --- | --- |
/// | 2; 1 | message type | 1; 2 |
/// | 2 | size of message data | 1, 2 |
/// | 1 | message flags | 1, 2 |
/// | 3 | reserved | 1 |
/// | 2 | creation order, if header flag bit 2 | 2 |
/// | size | message data | 1, 2 |
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawMessage {
    pub(crate) kind: u16,
    pub(crate) flags: u8,
    /// Which of the header's blocks it is in. Narrow, as the next two: a walk keeps a hundred thousand headers.
    pub(crate) block: u32,
    /// Where in the block its data starts.
    pub(crate) start: u32,
    /// Bytes of its data.
    pub(crate) len: u16,
}

impl RawMessage {
    /// The bytes of its block that are its data.
    pub(crate) fn data(&self) -> Range<usize> {
        let start = self.start as usize;
        start..start.saturating_add(self.len.into())
    }
}

/// Where a header goes on: the data of message 0x0010.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Continuation {
    pub(crate) address: Option<Address>,
    pub(crate) len: u64,
}

const CHUNK_SIZE_WIDTH: u8 = 0b0000_0011;
const TRACKS_ORDER: u8 = 0b0000_0100;
const STORES_PHASE_CHANGE: u8 = 0b0001_0000;
const STORES_TIMES: u8 = 0b0010_0000;
const KNOWN_FLAGS: u8 = 0b0011_1111;

/// Bytes of a version 1 prefix.
const OLD_PREFIX_LEN: u64 = 16;
const CHECKSUM_LEN: u64 = 4;
/// Most headers have no more messages.
const USUAL_MESSAGES: usize = 16;
/// Bytes before the data of a message, as version 2 is written.
const NEW_MESSAGE_HEAD_LEN: usize = 4;

impl Prefix {
    pub(crate) const NAME: &str = "object header";
    pub(crate) const CONTINUATION_NAME: &str = "object header continuation block";
    /// Bytes of the largest form.
    pub(crate) const MAX_LEN: u64 = 34;
    const SIGNATURE: &[u8] = b"OHDR";

    /// Reads versions 1 and 2.
    pub(crate) fn parse(whole: &[u8]) -> Parsed<'_, Self> {
        if whole.first() == Some(&1) { Self::parse_1(whole) } else { Self::parse_2(whole) }
    }

    fn parse_1(i: &[u8]) -> Parsed<'_, Self> {
        let (i, version) = field("version", version(&[1])).parse(i)?;
        let (i, ()) = field("reserved", reserved(1)).parse(i)?;
        let (i, messages) = field("total number of messages", le_u16).parse(i)?;
        let (i, _) = field("object reference count", le_u32).parse(i)?;
        let (i, messages_len) = field("object header size", le_u32).parse(i)?;
        let (i, ()) = field("padding", reserved(4)).parse(i)?;
        Ok((
            i,
            Self {
                version,
                flags: 0,
                message_count: Some(messages),
                messages_start: OLD_PREFIX_LEN,
                messages_len: messages_len.into(),
            },
        ))
    }

    fn parse_2(whole: &[u8]) -> Parsed<'_, Self> {
        let (i, ()) = field("signature", signature(Self::SIGNATURE)).parse(whole)?;
        let (i, version) = field("version", version(&[2])).parse(i)?;
        let (i, flags) = field("flags", flags(KNOWN_FLAGS)).parse(i)?;
        let (i, _) = field("times", cond(flags & STORES_TIMES != 0, reserved(16))).parse(i)?;
        let phase_change = cond(flags & STORES_PHASE_CHANGE != 0, reserved(4));
        let (i, _) = field("phase change values", phase_change).parse(i)?;
        let width = 1 << (flags & CHUNK_SIZE_WIDTH);
        let (i, messages_len) = field("size of chunk 0", uint(width)).parse(i)?;
        let messages_start = whole.len().saturating_sub(i.len()) as u64;
        Ok((i, Self { version, flags, message_count: None, messages_start, messages_len }))
    }

    /// Bytes of the whole first block.
    pub(crate) fn block_len(&self) -> u64 {
        let checksum = if self.version == 1 { 0 } else { CHECKSUM_LEN };
        self.messages_start.saturating_add(self.messages_len).saturating_add(checksum)
    }

    /// Reads the messages of the first block, which starts with this prefix, and checks its checksum.
    pub(crate) fn first_block<'a>(&self) -> impl Fn(&'a [u8]) -> Parsed<'a, Vec<RawMessage>> {
        let prefix = *self;
        move |whole| {
            let (i, _) = take(byte_count(prefix.messages_start))(whole)?;
            prefix.messages(0, whole, prefix.messages_len, i)
        }
    }

    /// Reads the messages of a continuation block, the header's block `number`; from version 2 on it has a signature and a
    /// checksum.
    pub(crate) fn continuation<'a>(
        &self,
        number: u32,
    ) -> impl Fn(&'a [u8]) -> Parsed<'a, Vec<RawMessage>> {
        let prefix = *self;
        move |whole| {
            if prefix.version == 1 {
                return prefix.messages(number, whole, whole.len() as u64, whole);
            }
            let (i, ()) = field("signature", signature(b"OCHK")).parse(whole)?;
            let messages_len = (i.len() as u64).saturating_sub(CHECKSUM_LEN);
            prefix.messages(number, whole, messages_len, i)
        }
    }

    /// Reads messages to the end of their `len` bytes; fewer left than a message needs are a gap.
    fn messages<'a>(
        &self,
        block: u32,
        whole: &'a [u8],
        len: u64,
        i: &'a [u8],
    ) -> Parsed<'a, Vec<RawMessage>> {
        if u32::try_from(whole.len()).is_err() {
            return Err(Failure::at(i, Problem::unsupported("a block of 4 GiB or more")));
        }
        let (mut tail, messages) = take(byte_count(len))(i)?;
        if self.version != 1 {
            (tail, ()) = seal(whole, tail)?;
        }
        // What a message may not run into: everything behind this block's messages.
        let behind = i.len().saturating_sub(messages.len());
        let head_len = self.message_head_len();
        let most = messages.len().checked_div(head_len).unwrap_or(0);
        let mut found = Vec::with_capacity(most.min(USUAL_MESSAGES));
        let mut rest = i;
        while rest.len().saturating_sub(behind) >= head_len {
            let message;
            (rest, message) = self.message(whole.len(), behind, rest)?;
            found.push(RawMessage { block, ..message });
        }
        Ok((tail, found))
    }

    fn message<'a>(&self, whole_len: usize, behind: usize, i: &'a [u8]) -> Parsed<'a, RawMessage> {
        let old = self.version == 1;
        let (i, kind) = if old {
            field("message type", le_u16).parse(i)?
        } else {
            field("message type", le_u8.map(u16::from)).parse(i)?
        };
        let (after_size, _) = le_u16::<_, Failure>(i)?;
        let heads = self.message_head_len().saturating_sub(if old { 4 } else { 3 });
        let left = after_size.len().saturating_sub(heads).saturating_sub(behind);
        let fits = |size: usize| {
            if size <= left {
                Ok(())
            } else {
                Err(Problem::invalid(alloc::format!(
                    "a message of {size} bytes where {left} are left"
                )))
            }
        };
        let (i, size) = field("message size", checked(count16, fits)).parse(i)?;
        let (i, flags) = field("message flags", le_u8).parse(i)?;
        let (i, _) = field("reserved", cond(old, reserved(3))).parse(i)?;
        let ordered = self.flags & TRACKS_ORDER != 0;
        let (i, _) = field("creation order", cond(ordered, reserved(2))).parse(i)?;
        let start = whole_len.saturating_sub(i.len());
        let (i, data) = field("message data", take(size)).parse(i)?;
        // Both were checked: a block is below 4 GiB, and two bytes hold the size.
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let len = u16::try_from(data.len()).unwrap_or(u16::MAX);
        Ok((i, RawMessage { kind, flags, block: 0, start, len }))
    }

    fn message_head_len(&self) -> usize {
        match self.version {
            1 => 8,
            _ if self.flags & TRACKS_ORDER != 0 => 6,
            _ => 4,
        }
    }
}

/// A message to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewMessage {
    pub(crate) kind: u16,
    pub(crate) flags: u8,
    /// Less than 64 KiB.
    pub(crate) data: Vec<u8>,
}

impl Prefix {
    /// Writes a whole header, version 2, in one block: without times, creation order, gaps and continuations.
    pub(crate) fn encode(messages: &[NewMessage], out: &mut Encoder) {
        let head_len = NEW_MESSAGE_HEAD_LEN;
        let lens = messages.iter().map(|message| message.data.len().saturating_add(head_len));
        let messages_len = lens.fold(0, usize::saturating_add) as u64;
        // Log of the width of the size: 1, 2, 4 or 8 bytes.
        let width_bits = match width_of(messages_len) {
            1 => 0,
            2 => 1,
            3 | 4 => 2,
            _ => 3,
        };
        out.bytes(Self::SIGNATURE);
        out.u8(2);
        out.u8(width_bits);
        out.uint(messages_len, 1 << width_bits);
        for message in messages {
            out.uint(message.kind.into(), 1);
            out.uint(message.data.len() as u64, 2);
            out.u8(message.flags);
            out.bytes(&message.data);
        }
        out.seal();
    }
}

impl Continuation {
    pub(crate) const NAME: &str = "object header continuation message";

    /// Reads the message's data: an offset and a length.
    pub(crate) fn parse<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |i| {
            let (i, address) = field("offset", address(sizes)).parse(i)?;
            let (i, len) = field("length", uint(sizes.length)).parse(i)?;
            Ok((i, Self { address, len }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum::lookup3;
    use crate::encode::encoded;
    use crate::parse::parse_at;
    use alloc::string::{String, ToString};
    use proptest::prelude::*;
    use testkit::Bytes;

    fn messages(bytes: &[u8]) -> Result<Vec<RawMessage>, crate::FormatError> {
        let prefix = parse_at(Prefix::NAME, 0x30, bytes, Prefix::parse)?;
        assert_eq!(prefix.block_len(), bytes.len() as u64);
        parse_at(Prefix::NAME, 0x30, bytes, prefix.first_block())
    }

    fn raw(kind: u16, flags: u8, data: Range<usize>) -> RawMessage {
        let (start, len) = (data.start.try_into().unwrap(), data.len().try_into().unwrap());
        RawMessage { kind, flags, block: 0, start, len }
    }

    fn message() -> impl Strategy<Value = NewMessage> {
        let data = prop_oneof![
            9 => proptest::collection::vec(any::<u8>(), 0..60),
            1 => Just(alloc::vec![7; 65_535]),
        ];
        (0_u16..256, any::<u8>(), data).prop_map(|(kind, flags, data)| NewMessage {
            kind,
            flags,
            data,
        })
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(written in proptest::collection::vec(message(), 0..9)) {
            let bytes = encoded(Sizes { offset: 8, length: 8 }, |out| Prefix::encode(&written, out));
            let read = messages(&bytes).unwrap().into_iter().map(|message| NewMessage {
                kind: message.kind,
                flags: message.flags,
                data: bytes[message.data()].to_vec(),
            });
            prop_assert_eq!(read.collect::<Vec<_>>(), written);
        }
    }

    #[test]
    fn reads_version_2_with_a_gap() {
        let bytes = Bytes::new().text("OHDR").u8(2).u8(0).u8(9);
        let bytes = bytes.u8(1).u16(2).u8(1).u16(7).zeros(3).sealed(lookup3).build();
        assert_eq!(messages(&bytes).unwrap(), [raw(1, 1, 11..13)]);
    }

    #[test]
    fn reads_version_2_with_every_optional_field() {
        let bytes = Bytes::new().text("OHDR").u8(2).u8(0b11_0101).zeros(16).zeros(4).u16(6);
        let bytes = bytes.u8(0).u16(0).u8(0).u16(3).sealed(lookup3).build();
        assert_eq!(messages(&bytes).unwrap(), [raw(0, 0, 34..34)]);
    }

    #[test]
    fn reads_version_1_and_its_continuations() {
        let bytes = Bytes::new().bytes([1, 0]).u16(1).u32(1).u32(16).zeros(4);
        let bytes = bytes.u16(0x12).u16(8).u8(0).zeros(3).zeros(8).build();
        assert_eq!(messages(&bytes).unwrap(), [raw(0x12, 0, 24..32)]);
        let prefix = parse_at(Prefix::NAME, 0, &bytes, Prefix::parse).unwrap();
        let block = bytes.get(16..).unwrap();
        let found = parse_at("block", 0, block, prefix.continuation(0)).unwrap();
        assert_eq!(found, [raw(0x12, 0, 8..16)]);
    }

    #[test]
    fn reads_a_continuation_of_version_2() {
        let prefix = Prefix {
            version: 2,
            flags: 0,
            message_count: None,
            messages_start: 0,
            messages_len: 0,
        };
        let bytes = Bytes::new().text("OCHK").u8(5).u16(1).u8(0).u8(9).sealed(lookup3).build();
        let found = parse_at("block", 0, &bytes, prefix.continuation(0)).unwrap();
        assert_eq!(found, [raw(5, 0, 8..9)]);
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let text = |bytes: Bytes| -> String { messages(&bytes.build()).unwrap_err().to_string() };
        let head = || Bytes::new().text("OHDR").u8(2).u8(0).u8(5);
        assert_eq!(
            text(head().u8(1).u16(2).u8(0).u8(0).sealed(lookup3)),
            "object header at byte 0x30: field `message size` at byte 0x38: a message of 2 bytes where 1 are left"
        );
        assert_eq!(
            text(Bytes::new().text("OHD")),
            "object header at byte 0x30: field `signature` at byte 0x30: the structure ends early"
        );
        assert_eq!(
            text(Bytes::new().text("OHDR").u8(3)),
            "object header at byte 0x30: field `version` at byte 0x34: version 3 is not supported (known: [2])"
        );
    }
}
