//! Attributes: small values attached to an object.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use bytes::{Buf, Bytes};
use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::{le_u8, le_u32};

use super::btree::{Stored, TreeV2};
use super::decode::decode;
use super::fractal_heap::FractalHeapReader;
use super::header::{Message, Sharing};
use super::object::Handle;
use super::storage::{Allowance, Storage, required, whole};
use crate::btree::v2::record;
use crate::checksum::lookup3;
use crate::error::{Error, Problem};
use crate::limits::within;
use crate::message::attribute::AttributeMessage;
use crate::message::attribute_info::AttributeInfo;
use crate::message::dataspace::Dataspace;
use crate::message::datatype::Datatype;
use crate::message::kind;
use crate::message::shared::{MaybeShared, SharedMessage};
use crate::parse::{Address, Parsed, field, parse_at};
use crate::value::Array;

/// One attribute: its description is read, its value is decoded on demand.
#[derive(Clone)]
pub struct Attribute {
    /// Its name; bytes that are not UTF-8 show as U+FFFD.
    pub name: String,
    /// Type of the elements.
    pub datatype: Datatype,
    /// Extent.
    pub dataspace: Dataspace,
    storage: Arc<Storage>,
    /// Path of the object that has the attribute.
    path: Arc<str>,
    /// The name as stored, where it is no UTF-8.
    raw_name: Option<Box<[u8]>>,
    /// The header of the datatype that it shares.
    committed: Option<Address>,
    /// The value as stored.
    value: Bytes,
    /// Where the value starts, in bytes from the start of the file.
    value_offset: u64,
}

impl Attribute {
    /// Decodes the value.
    ///
    /// # Errors
    /// [`Error::Request`] for a null dataspace, [`Error::Format`] when the value or a string's heap is broken,
    /// [`Error::Source`] when its bytes cannot be had; both inside [`Error::Object`].
    pub fn read(&self) -> Result<Array, Error> {
        let Self { storage, path, .. } = self;
        if self.dataspace == Dataspace::Null {
            let reason = alloc::format!("the attribute `{}` has no elements to read", self.name);
            return Err(Error::Request { reason }.in_object(path));
        }
        let shape = self.dataspace.dims().to_vec();
        let elements = decode(storage, &self.datatype, &self.value, self.value_offset)
            .map_err(|error| error.in_object(path))?;
        Ok(Array { shape, elements })
    }

    /// Its name as stored.
    pub fn stored_name(&self) -> &[u8] {
        self.raw_name.as_deref().unwrap_or(self.name.as_bytes())
    }

    /// The header of the committed datatype that it shares, if it does.
    pub(crate) fn committed_datatype(&self) -> Option<Address> {
        self.committed
    }

    /// The open file that it is in.
    pub(crate) fn store(&self) -> &Storage {
        &self.storage
    }

    /// Where the bytes of the value start in the file.
    pub(crate) fn value_offset(&self) -> u64 {
        self.value_offset
    }

    /// The path of the object that has it.
    pub(crate) fn object_path(&self) -> &str {
        &self.path
    }

    /// The bytes of the value as stored: for variable-length types the pointers, not what they lead to.
    pub fn stored_value(&self) -> &[u8] {
        &self.value
    }
}

impl core::fmt::Debug for Attribute {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Attribute")
            .field("name", &self.name)
            .field("datatype", &self.datatype)
            .field("dataspace", &self.dataspace)
            .finish_non_exhaustive()
    }
}

/// What looking for one attribute by its hash came to.
pub(super) enum LookUp {
    /// The object's attributes are few, or in its header: reading all is as cheap.
    ReadAll,
    /// The attribute, if there is one.
    Found(Option<Box<Attribute>>),
}

/// Up to this many attributes, finding one by its hash reads as much as reading all.
const FEW_ATTRIBUTES: u64 = 64;

/// All attributes of the object, sorted by the bytes of their names.
pub(super) fn read_all(object: &Handle) -> Result<Vec<Attribute>, Error> {
    let mut found = Vec::new();
    let mut allowance = object.storage.allowance();
    for message in compact(object) {
        check_count(object, found.len())?;
        found.push(of_message(object, message, &mut allowance)?);
    }
    if let Some(dense) = dense_storage(object)? {
        let tree = TreeV2::open(&object.storage, dense.name_index, &[record::ATTRIBUTE_NAME])?;
        let mut heap = FractalHeapReader::open(&object.storage, dense.heap)?;
        tree.walk(|record| {
            check_count(object, found.len())?;
            let record = NameRecord::of(record, heap.id_len())?;
            let message = heap.object(record.id()?, record.offset)?;
            found.push(of_bytes(object, message.bytes, message.offset, &mut allowance)?);
            Ok(())
        })?;
    }
    found.sort_by(|a, b| a.stored_name().cmp(b.stored_name()));
    refuse_duplicates(object, &found)?;
    Ok(found)
}

/// Looks for the attribute of this name without reading all of them, if that pays.
pub(super) fn look_up(object: &Handle, name: &[u8]) -> Result<LookUp, Error> {
    let Some(dense) = dense_storage(object)? else { return Ok(LookUp::ReadAll) };
    let tree = TreeV2::open(&object.storage, dense.name_index, &[record::ATTRIBUTE_NAME])?;
    if tree.header.total_records <= FEW_ATTRIBUTES || compact(object).next().is_some() {
        return Ok(LookUp::ReadAll);
    }
    let mut heap = FractalHeapReader::open(&object.storage, dense.heap)?;
    let (hash, id_len) = (lookup3(name), heap.id_len());
    let mut found = None;
    // Names may share a hash, so those that do are all looked at.
    tree.search(
        |record| Ok(NameRecord::of(record, id_len)?.hash.cmp(&hash)),
        |record| {
            let record = NameRecord::of(record, id_len)?;
            let message = heap.object(record.id()?, record.offset)?;
            let mut allowance = object.storage.allowance();
            let attribute = of_bytes(object, message.bytes, message.offset, &mut allowance)?;
            if attribute.stored_name() == name {
                found = Some(Box::new(attribute));
            }
            Ok(())
        },
    )?;
    Ok(LookUp::Found(found))
}

fn compact(object: &Handle) -> impl Iterator<Item = Message<'_>> {
    object.node.header.messages().filter(|message| message.kind == kind::ATTRIBUTE)
}

struct DenseStorage {
    heap: Address,
    name_index: Address,
}

fn dense_storage(object: &Handle) -> Result<Option<DenseStorage>, Error> {
    let Some(message) = object.node.header.message(kind::ATTRIBUTE_INFO) else { return Ok(None) };
    let info = message.parse(AttributeInfo::NAME, AttributeInfo::parse(object.storage.sizes()))?;
    let Some(heap) = info.heap else { return Ok(None) };
    let name_index = required("name index B-tree", message.offset, info.name_index)?;
    Ok(Some(DenseStorage { heap, name_index }))
}

/// A record of the name index.
///
/// | bytes | field |
/// | --- | --- |
/// | as the heap says | heap ID |
/// | 1 | message flags |
/// | 4 | creation order |
/// | 4 | hash of name |
struct NameRecord<'a> {
    id: &'a [u8],
    flags: u8,
    hash: u32,
    offset: u64,
}

impl<'a> NameRecord<'a> {
    fn of(record: Stored<'a>, id_len: usize) -> Result<Self, Error> {
        let parser = |i: &'a [u8]| -> Parsed<'a, Self> {
            let (i, id) = field("heap ID", take(id_len)).parse(i)?;
            let (i, flags) = field("message flags", le_u8).parse(i)?;
            let (i, _) = field("creation order", le_u32).parse(i)?;
            let (i, hash) = field("hash of name", le_u32).parse(i)?;
            Ok((i, Self { id, flags, hash, offset: record.offset }))
        };
        Ok(parse_at("attribute name record", record.offset, record.bytes, parser)?)
    }

    /// The ID, which must be one of the object's own heap.
    fn id(&self) -> Result<&'a [u8], Error> {
        if self.flags & kind::SHARED == 0 {
            return Ok(self.id);
        }
        let problem = Problem::unsupported("a message in the file's table of shared messages");
        Err(whole("attribute name record", self.offset, problem))
    }
}

fn of_message(
    object: &Handle,
    message: Message<'_>,
    allowance: &mut Allowance,
) -> Result<Attribute, Error> {
    if message.is_shared() {
        // Whole attributes are shared through the file's table only.
        let problem = Problem::unsupported("a message in the file's table of shared messages");
        return Err(whole(SharedMessage::NAME, message.offset, problem));
    }
    of_bytes(object, message.shared_data(), message.offset, allowance)
}

fn of_bytes(
    object: &Handle,
    bytes: Bytes,
    offset: u64,
    allowance: &mut Allowance,
) -> Result<Attribute, Error> {
    let storage = &object.storage;
    let (sizes, limits) = (storage.sizes(), storage.limits());
    let name = AttributeMessage::NAME;
    let message = parse_at(name, offset, &bytes, AttributeMessage::parse(sizes, limits))?;
    let committed = match message.datatype {
        MaybeShared::Shared(SharedMessage::InHeader(address)) => Some(address),
        _ => None,
    };
    let datatype = match message.datatype {
        MaybeShared::Here(datatype) => datatype,
        MaybeShared::Shared(place) => Sharing { storage, offset, allowance }.parse(
            place,
            kind::DATATYPE,
            Datatype::NAME,
            |i| Datatype::parse(sizes, limits)(i),
        )?,
    };
    let dataspace = match message.dataspace {
        MaybeShared::Here(dataspace) => dataspace,
        MaybeShared::Shared(place) => Sharing { storage, offset, allowance }.parse(
            place,
            kind::DATASPACE,
            Dataspace::NAME,
            |i| Dataspace::parse(sizes)(i),
        )?,
    };
    let mut value = bytes;
    value.advance(message.value_start);
    let len =
        value_len(&dataspace, &datatype).filter(|len| *len <= value.len()).ok_or_else(|| {
            let problem = alloc::format!(
                "{} elements of {} bytes in the {} bytes of a value",
                dataspace.element_count().unwrap_or(u64::MAX),
                datatype.size,
                value.len()
            );
            whole(name, offset, Problem::invalid(problem))
        })?;
    value.truncate(len);
    let (name, raw_name) = match String::from_utf8(message.name) {
        Ok(name) => (name, None),
        Err(error) => {
            let raw = error.into_bytes();
            (String::from_utf8_lossy(&raw).into_owned(), Some(raw.into_boxed_slice()))
        }
    };
    Ok(Attribute {
        name,
        datatype,
        dataspace,
        storage: Arc::clone(storage),
        path: Arc::clone(&object.path),
        raw_name,
        committed,
        value,
        value_offset: offset.saturating_add(message.value_start as u64),
    })
}

fn value_len(dataspace: &Dataspace, datatype: &Datatype) -> Option<usize> {
    let bytes = dataspace.element_count()?.checked_mul(datatype.size.into())?;
    usize::try_from(bytes).ok()
}

fn check_count(object: &Handle, known: usize) -> Result<(), Error> {
    let count = (known as u64).saturating_add(1);
    let max = object.storage.limits().max_attributes;
    within("attributes of an object", count, "max_attributes", max)
        .map_err(|problem| whole("object", object.node.header.offset(), problem))
}

fn refuse_duplicates(object: &Handle, sorted: &[Attribute]) -> Result<(), Error> {
    let mut neighbours = sorted.iter().zip(sorted.iter().skip(1));
    match neighbours.find(|(a, b)| a.stored_name() == b.stored_name()) {
        None => Ok(()),
        Some((twin, _)) => {
            let problem = alloc::format!("two attributes are called `{}`", twin.name);
            Err(whole("object", object.node.header.offset(), Problem::invalid(problem)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_file::{
        ROOT, attribute, collection, file, header, link_info, open, text_at, text_of, text_type,
        typed_attribute, u8_type,
    };
    use super::*;
    use crate::value::Elements;
    use crate::{Class, Group};
    use alloc::vec;
    use testkit::Bytes;

    fn root(attributes: Vec<(u16, u8, Bytes)>) -> Group {
        let mut messages = vec![link_info()];
        messages.extend(attributes);
        let bytes = file(&[(ROOT, header(messages)), (0x400, collection(&["text\0", "more"]))]);
        open(bytes).unwrap().root().unwrap()
    }

    fn text(len: u32, collection: usize, index: u32) -> (u16, u8, Bytes) {
        let value = text_at(len, collection, index);
        (kind::ATTRIBUTE, 0, typed_attribute("t", text_type(), value))
    }

    #[test]
    fn reads_numbers_and_text() {
        let root = root(vec![text(5, 0x400, 1), attribute("n", 9)]);
        let value = |name: &str| root.attribute(name).unwrap().unwrap().read().unwrap().elements;
        assert_eq!(value("n"), Elements::U8(vec![9]));
        assert_eq!(value("t"), Elements::Strings(vec![b"text".to_vec()]));
        assert!(root.attribute("m").unwrap().is_none());
    }

    #[test]
    fn an_empty_text_needs_no_heap() {
        let root = root(vec![text(0, 0x9999, 77)]);
        let value = root.attribute("t").unwrap().unwrap().read().unwrap();
        assert_eq!(value.elements, Elements::Strings(vec![vec![]]));
    }

    #[test]
    fn says_what_is_wrong_with_a_text() {
        let read = |attribute| text_of(root(vec![attribute]).attributes().unwrap()[0].read());
        assert_eq!(
            read(text(5, 0x400, 3)),
            "/: variable-length element at byte 0x85: there is no object 3"
        );
        assert_eq!(
            read(text(9, 0x400, 2)),
            "/: variable-length element at byte 0x85: 9 bytes of a heap object of 4"
        );
        assert_eq!(
            read(text(9, 0x40, 2)),
            "/: global heap collection at byte 0x40: field `signature` at byte 0x40: the signature is [4f, 48, 44, 52], not [47, 43, 4f, 4c]"
        );
    }

    #[test]
    fn a_null_dataspace_is_listed_but_not_read() {
        let scalar = typed_attribute("e", u8_type(), Bytes::new());
        let mut bytes = scalar.build();
        let kind_of_space = bytes.len() - 1;
        bytes[kind_of_space] = 2;
        let root = root(vec![(kind::ATTRIBUTE, 0, Bytes::new().bytes(bytes))]);
        let attribute = root.attribute("e").unwrap().unwrap();
        let error = attribute.read().unwrap_err();
        assert_eq!(error.class(), Class::Request);
        assert_eq!(text_of(Err::<(), _>(error)), "/: the attribute `e` has no elements to read");
    }

    #[test]
    fn refuses_short_values_and_doubled_names() {
        let short = (kind::ATTRIBUTE, 0, typed_attribute("s", text_type(), Bytes::new().u8(1)));
        assert_eq!(
            text_of(root(vec![short]).attributes()),
            "/: attribute message at byte 0x62: 1 elements of 16 bytes in the 1 bytes of a value"
        );
        assert_eq!(
            text_of(root(vec![attribute("n", 1), attribute("n", 2)]).attributes()),
            "/: object at byte 0x40: two attributes are called `n`"
        );
    }

    #[test]
    fn refuses_the_table_of_shared_messages() {
        let shared = (kind::ATTRIBUTE, kind::SHARED, Bytes::new().bytes([3, 1]).u64(5));
        assert_eq!(
            text_of(root(vec![shared]).attributes()),
            "/: shared message at byte 0x62: a message in the file's table of shared messages is not supported"
        );
    }
}
