//! Object headers, read whole: all blocks, all messages, with what is shared found.

use alloc::vec::Vec;

use bytes::Bytes;

use super::storage::{Allowance, Block, Storage, required, whole};
use crate::error::{Error, FormatError, Problem};
use crate::limits::within;
use crate::message::kind;
use crate::message::shared::SharedMessage;
use crate::object_header::{Continuation, Prefix, RawMessage};
use crate::parse::{Address, Parsed, parse_at};

/// The messages of one object, unread.
pub(crate) struct ObjectHeader {
    blocks: Vec<Block>,
    messages: Vec<RawMessage>,
}

/// One message of a header.
#[derive(Clone, Copy)]
pub(crate) struct Message<'a> {
    pub(crate) kind: u16,
    flags: u8,
    /// Where its data starts, in bytes from the start of the file.
    pub(crate) offset: u64,
    pub(crate) data: &'a [u8],
    /// What the data is a part of.
    block: &'a Bytes,
}

/// Messages that a header has once. Two would leave open which one counts.
const UNIQUE: &[u16] = &[
    kind::DATASPACE,
    kind::LINK_INFO,
    kind::DATATYPE,
    kind::OLD_FILL_VALUE,
    kind::FILL_VALUE,
    kind::LAYOUT,
    kind::GROUP_INFO,
    kind::FILTER_PIPELINE,
    kind::SYMBOL_TABLE,
    kind::ATTRIBUTE_INFO,
];

impl ObjectHeader {
    /// Reads the header at `address` with all its continuations.
    pub(crate) fn read(storage: &Storage, address: Address) -> Result<Self, Error> {
        let mut prefix = None;
        let first = storage.measured(Prefix::NAME, address, Prefix::MAX_LEN, |start| {
            let found = start.parse(Prefix::NAME, Prefix::parse)?;
            prefix = Some(found);
            Ok(found.block_len())
        })?;
        let prefix = prefix.expect("a block was measured by its prefix");
        let mut reader = Reader {
            storage,
            prefix,
            count: 0,
            found: Self { blocks: Vec::with_capacity(1), messages: Vec::new() },
        };
        let messages = first.parse(Prefix::NAME, prefix.first_block())?;
        let mut pending = reader.add(first, messages)?;
        // Blocks are read in the order in which they are mentioned, which is that of their messages.
        let mut next = 0;
        while let Some(continuation) = pending.get(next).copied() {
            next = next.saturating_add(1);
            let block = reader.continuation(continuation)?;
            // A limit of ours keeps blocks far below what 32 bits count.
            let number = u32::try_from(reader.found.blocks.len()).unwrap_or(u32::MAX);
            let messages = block.parse(Prefix::CONTINUATION_NAME, prefix.continuation(number))?;
            pending.extend(reader.add(block, messages)?);
        }
        let mut header = reader.found;
        // A walk over a collection holds a hundred thousand of these.
        header.messages.shrink_to_fit();
        header.check()?;
        Ok(header)
    }

    /// All messages but the empty ones and the continuations, in their order.
    pub(crate) fn messages(&self) -> impl Iterator<Item = Message<'_>> {
        self.messages.iter().filter_map(|message| {
            let block = self.blocks.get(message.block as usize)?;
            Some(Message {
                kind: message.kind,
                flags: message.flags,
                offset: block.offset.saturating_add(u64::from(message.start)),
                data: block.bytes.get(message.data())?,
                block: &block.bytes,
            })
        })
    }

    /// The message of this kind, which must be one that a header has once.
    pub(crate) fn message(&self, kind: u16) -> Option<Message<'_>> {
        self.messages().find(|message| message.kind == kind)
    }

    /// Whether there is a message of this kind.
    pub(crate) fn has(&self, kind: u16) -> bool {
        self.messages.iter().any(|message| message.kind == kind)
    }

    /// Where the header starts, in bytes from the start of the file.
    pub(crate) fn offset(&self) -> u64 {
        self.blocks.first().map_or(0, |block| block.offset)
    }

    /// The blocks, in the order of their messages.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Reads the message `kind`, here or wherever it is shared from; `None` when there is none.
    pub(crate) fn parse<T>(
        &self,
        storage: &Storage,
        kind: u16,
        name: &'static str,
        parser: impl Fn(&[u8]) -> Parsed<'_, T>,
    ) -> Result<Option<T>, Error> {
        let Some(message) = self.message(kind) else { return Ok(None) };
        if !message.is_shared() {
            return Ok(Some(message.parse(name, parser)?));
        }
        let place =
            message.parse(SharedMessage::NAME, |i| SharedMessage::parse(storage.sizes())(i))?;
        let mut allowance = storage.allowance();
        let from = Sharing { storage, offset: message.offset, allowance: &mut allowance };
        from.parse(place, kind, name, parser).map(Some)
    }

    /// The object whose message of this kind is shared here.
    pub(crate) fn shared_from(
        &self,
        storage: &Storage,
        kind: u16,
    ) -> Result<Option<Address>, Error> {
        let Some(message) = self.message(kind).filter(Message::is_shared) else { return Ok(None) };
        let parser = |i| SharedMessage::parse(storage.sizes())(i);
        match message.parse(SharedMessage::NAME, parser)? {
            SharedMessage::InHeader(address) => Ok(Some(address)),
            SharedMessage::InTable => Ok(None),
        }
    }

    /// Refuses what must not be there twice, and what must not be passed over.
    fn check(&self) -> Result<(), Error> {
        let mut seen = [false; UNIQUE.len()];
        for message in self.messages() {
            let refuse = |problem| Err(whole(Prefix::NAME, self.offset(), problem));
            let unique = UNIQUE.iter().position(|kind| *kind == message.kind);
            let before = unique.and_then(|place| seen.get_mut(place));
            let is_second = before.is_some_and(|seen| core::mem::replace(seen, true));
            match kind::name(message.kind) {
                Some(name) if is_second => {
                    return refuse(Problem::invalid(alloc::format!("a second {name} message")));
                }
                None if message.flags & kind::FAIL_IF_UNKNOWN != 0 => {
                    return refuse(Problem::unsupported(alloc::format!(
                        "message type {:#06x} at byte {:#x}, which must not be passed over,",
                        message.kind,
                        message.offset
                    )));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl<'a> Message<'a> {
    /// Whether the data is a pointer to the message.
    pub(crate) fn is_shared(&self) -> bool {
        self.flags & kind::SHARED != 0
    }

    /// Its data, to be kept.
    pub(crate) fn shared_data(&self) -> Bytes {
        self.block.slice_ref(self.data)
    }

    /// Runs the parser of the message `name`.
    pub(crate) fn parse<T>(
        &self,
        name: &'static str,
        parser: impl Fn(&'a [u8]) -> Parsed<'a, T>,
    ) -> Result<T, FormatError> {
        parse_at(name, self.offset, self.data, parser)
    }
}

/// A pointer to a message in another header.
pub(crate) struct Sharing<'s> {
    pub(crate) storage: &'s Storage,
    /// Where the pointer is, in bytes from the start of the file.
    pub(crate) offset: u64,
    /// What reading the messages of one call may come to.
    pub(crate) allowance: &'s mut Allowance,
}

impl Sharing<'_> {
    /// Reads the message `kind` from its `place`.
    pub(crate) fn parse<T>(
        self,
        place: SharedMessage,
        kind: u16,
        name: &'static str,
        parser: impl Fn(&[u8]) -> Parsed<'_, T>,
    ) -> Result<T, Error> {
        let refuse = |problem| Err(whole(SharedMessage::NAME, self.offset, problem));
        let SharedMessage::InHeader(address) = place else {
            return refuse(Problem::unsupported(
                "a message in the file's table of shared messages",
            ));
        };
        let node = self.storage.node(address)?;
        match node.header.message(kind) {
            Some(message) if message.is_shared() => {
                refuse(Problem::invalid("it leads to another shared message"))
            }
            Some(message) => {
                self.allowance.take(name, message.offset, message.data.len())?;
                Ok(message.parse(name, parser)?)
            }
            None => refuse(Problem::invalid("its object has no message of this type")),
        }
    }
}

/// Whether messages of this kind are kept; others only say how the header is stored.
fn is_kept(kind: u16) -> bool {
    !matches!(kind, kind::NIL | kind::CONTINUATION)
}

/// A header while its blocks are read.
struct Reader<'s> {
    storage: &'s Storage,
    prefix: Prefix,
    /// Messages so far, of every kind.
    count: usize,
    found: ObjectHeader,
}

impl Reader<'_> {
    /// Adds a block and its messages, and returns where the header goes on.
    fn add(
        &mut self,
        block: Block,
        mut messages: Vec<RawMessage>,
    ) -> Result<Vec<Continuation>, Error> {
        if let Some(count) = self.prefix.message_count {
            // Version 1 says how many messages there are; what follows is left over from earlier ones.
            messages.truncate(usize::from(count).saturating_sub(self.count));
        }
        self.count = self.count.saturating_add(messages.len());
        let mut continuations = Vec::new();
        for message in messages.iter().filter(|message| message.kind == kind::CONTINUATION) {
            let data = block.bytes.get(message.data()).unwrap_or_default();
            let offset = block.offset.saturating_add(message.start.into());
            let parser = Continuation::parse(self.storage.sizes());
            continuations.push(parse_at(Continuation::NAME, offset, data, parser)?);
        }
        messages.retain(|message| is_kept(message.kind));
        if self.found.messages.is_empty() {
            self.found.messages = messages;
        } else {
            self.found.messages.append(&mut messages);
        }
        self.found.blocks.push(block);
        Ok(continuations)
    }

    fn continuation(&mut self, continuation: Continuation) -> Result<Block, Error> {
        let offset = self.found.offset();
        let max = self.storage.limits().max_continuations;
        within("continuation blocks", self.found.blocks.len() as u64, "max_continuations", max)
            .map_err(|problem| whole(Prefix::NAME, offset, problem))?;
        let address = required(Prefix::CONTINUATION_NAME, offset, continuation.address)?;
        let start = self.storage.offset(address);
        if self.found.blocks.iter().any(|block| block.offset == start) {
            let problem = Problem::invalid("the header goes on here for the second time");
            return Err(whole(Prefix::CONTINUATION_NAME, start, problem));
        }
        self.storage.block(Prefix::CONTINUATION_NAME, address, continuation.len)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_file::{
        ROOT, attribute, continuation, continuation_block, file, header, link_info, open, text_of,
    };
    use super::*;
    use crate::{File, Limits, OpenOptions};
    use alloc::sync::Arc;
    use alloc::vec;
    use testkit::Bytes;

    /// A group that goes on at 0x100, with one attribute there, and from there as `then` says.
    fn continued(then: Vec<super::super::test_file::Message>) -> Vec<u8> {
        let mut messages = vec![attribute("a", 1)];
        messages.extend(then);
        let block = continuation_block(messages);
        let root = header(vec![link_info(), continuation(0x100, block.len())]);
        file(&[(ROOT, root), (0x100, block), (0x200, continuation_block(vec![attribute("b", 2)]))])
    }

    #[test]
    fn follows_continuations_of_continuations() {
        let len = continuation_block(vec![attribute("b", 2)]).len();
        let root = open(continued(vec![continuation(0x200, len)])).unwrap().root().unwrap();
        let attributes = root.attributes().unwrap();
        let names: Vec<_> = attributes.iter().map(|a| a.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn refuses_continuations_that_run_in_circles_or_away() {
        let root = |bytes| open(bytes).unwrap().root();
        assert_eq!(
            text_of(root(continued(vec![continuation(0x100, 63)]))),
            "/: object header continuation block at byte 0x100: the header goes on here for the second time"
        );
        assert_eq!(
            text_of(root(continued(vec![continuation(0x210, 63)]))),
            "/: object header continuation block at byte 0x210: its 63 bytes end past the end of the file, which has 552 bytes"
        );
        let limits = Limits { max_continuations: 1, ..Limits::default() };
        let bytes = continued(vec![continuation(0x200, 39)]);
        let options = OpenOptions { limits, ..OpenOptions::default() };
        assert_eq!(
            text_of(File::open_with(Arc::new(bytes), options).unwrap().root()),
            "/: object header at byte 0x40: continuation blocks: 2 is over the limit `max_continuations` of 1"
        );
    }

    #[test]
    fn a_header_of_a_file_in_memory_is_a_part_of_it() {
        let bytes = file(&[(ROOT, header(vec![link_info()]))]);
        let shared = bytes::Bytes::from(bytes.clone());
        let block_at =
            |file: &File| file.root().unwrap().handle().node.header.blocks()[0].bytes.as_ptr();
        let file = File::open_with(Arc::new(shared.clone()), OpenOptions::default()).unwrap();
        assert_eq!(block_at(&file), shared[ROOT..].as_ptr());
        assert_ne!(block_at(&open(bytes).unwrap()), shared[ROOT..].as_ptr());
    }

    #[test]
    fn refuses_doubled_and_unknown_messages() {
        let root = |messages| open(file(&[(ROOT, header(messages))])).unwrap().root();
        assert_eq!(
            text_of(root(vec![link_info(), link_info()])),
            "/: object header at byte 0x40: a second link info message"
        );
        let unknown = |flags| (0x77, flags, Bytes::new().u32(1));
        assert!(root(vec![link_info(), unknown(0)]).is_ok());
        assert_eq!(
            text_of(root(vec![link_info(), unknown(kind::FAIL_IF_UNKNOWN)])),
            "/: object header at byte 0x40: message type 0x0077 at byte 0x62, which must not be passed over, is not supported"
        );
        assert_eq!(
            text_of(root(vec![unknown(0)])),
            "/: object header at byte 0x40: an object that is no group, dataset or datatype is not supported"
        );
    }

    #[test]
    fn checks_the_checksum() {
        let mut root = header(vec![link_info()]);
        root[12] ^= 1;
        let text = text_of(open(file(&[(ROOT, root)])).unwrap().root());
        assert!(
            text.starts_with("/: object header at byte 0x40: field `checksum` at byte 0x5e: "),
            "{text}"
        );
    }
}
