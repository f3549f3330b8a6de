//! Whole files, written and read back.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::error::Error;
use crate::filter::FilterRegistry;
use crate::message::dataspace::Dataspace;
use crate::message::datatype::Datatype;
use crate::message::filter_pipeline::FilterDescription;
use crate::read::{File, Group, Object, OpenOptions};
use crate::value::Elements;
use crate::{Address, NumberType};

/// The bytes of the file with this root.
pub(super) fn written(root: NewGroup) -> Vec<u8> {
    let mut bytes = Vec::new();
    let registry = FilterRegistry::standard();
    let written = write(root, &registry, &mut bytes, &WriteOptions::default()).unwrap();
    assert_eq!(written.len, bytes.len() as u64);
    bytes
}

pub(super) fn opened(bytes: Vec<u8>) -> Group {
    File::open(bytes).unwrap().root().unwrap()
}

fn refusal(root: NewGroup) -> String {
    let registry = FilterRegistry::standard();
    write(root, &registry, &mut Vec::new(), &WriteOptions::default()).unwrap_err().to_string()
}

fn deflate() -> Vec<FilterDescription> {
    vec![FilterDescription { id: 1, name: None, optional: true, client_data: vec![4] }]
}

fn ramp(len: usize) -> Vec<u8> {
    (0..len).map(|n| u8::try_from(n * 7 % 251).unwrap()).collect()
}

fn elements(root: &Group, path: &str) -> Elements {
    match root.get(path).unwrap().unwrap() {
        Object::Dataset(dataset) => dataset.read().unwrap().elements,
        other => panic!("{other:?}"),
    }
}

#[test]
fn attributes_read_back_as_they_were() {
    let root = NewGroup::new()
        .attribute("text", NewAttribute::text("größer"))
        .attribute("empty", NewAttribute::text(""))
        .attribute("texts", NewAttribute::texts(&["a", "", "ccc"]))
        .attribute("flag", NewAttribute::boolean(true))
        .attribute("none", NewAttribute::integers(&[]))
        .attribute("matrix", NewAttribute::float_array(&[1, 2], &[1.5, -2.0]))
        .attribute("ids", NewAttribute::u16s(&[1, 65_535]))
        .attribute("n", NewAttribute::integer(-3));
    let root = opened(written(root));
    let read = |name: &str| root.attribute(name).unwrap().unwrap().read().unwrap();
    assert_eq!(read("text").elements, Elements::Strings(vec!["größer".into()]));
    let texts = vec![b"a".to_vec(), vec![], b"ccc".to_vec()];
    assert_eq!(read("texts").elements, Elements::Strings(texts));
    assert_eq!((read("flag").elements, read("none").shape), (Elements::I8(vec![1]), vec![0]));
    let matrix = read("matrix");
    assert_eq!((matrix.shape, matrix.elements), (vec![1, 2], Elements::F64(vec![1.5, -2.0])));
    assert_eq!(read("ids").elements, Elements::U16(vec![1, 65_535]));
    assert_eq!(read("n").elements, Elements::I64(vec![-3]));
}

#[test]
fn many_links_and_attributes_are_dense() {
    for n in [8_u64, 9, 60, 700, 20_000] {
        let mut root = NewGroup::new();
        for number in 0..n {
            root = root.soft_link(&format!("link {number}"), &format!("/target/{number}"));
        }
        for number in 0..n.min(3_000) {
            let text = "x".repeat(usize::try_from(number * 37 % 900).unwrap());
            root = root.attribute(&format!("attribute {number}"), NewAttribute::text(&text));
            let numbers = vec![1.5; usize::try_from(number % 700).unwrap()];
            root = root.attribute(&format!("numbers {number}"), NewAttribute::floats(&numbers));
        }
        let root = opened(written(root));
        assert_eq!(root.links().unwrap().len() as u64, n);
        let last = format!("link {}", n - 1);
        assert!(root.link(&last).unwrap().is_some());
        // One by its name, before and after all were read.
        let last = n.min(3_000) - 1;
        let shape = |name: String| Some(root.attribute(&name).unwrap()?.read().unwrap().shape);
        assert_eq!(shape(format!("numbers {last}")), Some(vec![last % 700]));
        assert_eq!(shape(format!("numbers {n}")), None);
        let attributes = root.attributes().unwrap();
        assert_eq!(attributes.len() as u64, n.min(3_000) * 2);
        assert_eq!(shape(format!("numbers {last}")), Some(vec![last % 700]));
    }
}

#[test]
fn an_attribute_too_large_for_a_message_is_a_huge_object() {
    let numbers = vec![1.25; 20_000];
    let root = NewGroup::new()
        .attribute("huge", NewAttribute::floats(&numbers))
        .attribute("n", NewAttribute::integer(1));
    let root = opened(written(root));
    let huge = root.attribute("huge").unwrap().unwrap().read().unwrap();
    assert_eq!(huge.elements, Elements::F64(numbers));
}

#[test]
fn a_stored_chunk_decodes_by_itself() {
    let bytes = ramp(40 * 30);
    let dataset = NewDataset::numbers(NumberType::U8, &[40, 30], bytes.clone());
    let root = NewGroup::new()
        .dataset("chunked", dataset.clone().chunked(&[40, 8], deflate()))
        .dataset("whole", dataset);
    let root = opened(written(root));
    let Some(Object::Dataset(chunked)) = root.get("chunked").unwrap() else { panic!("a dataset") };
    let chunks = chunked.stored_chunks().unwrap();
    assert_eq!(chunks.len(), 4);
    let stored = chunked.read_stored(&chunks[1]).unwrap();
    let decoded = chunked.decode_chunk(&chunks[1], &stored).unwrap();
    let expected: Vec<u8> = bytes.chunks(30).flat_map(|row| row[8..16].to_vec()).collect();
    assert_eq!(decoded, expected);
    assert!(chunked.decode_chunk(&chunks[1], &stored[1..]).is_err());
    let Some(Object::Dataset(whole)) = root.get("whole").unwrap() else { panic!("a dataset") };
    assert!(whole.decode_chunk(&chunks[1], &stored).is_err() && whole.stored_chunks().is_err());
}

#[test]
fn every_storage_reads_back() {
    let bytes = ramp(40 * 30 * 2);
    let make = || NewDataset::numbers(NumberType::U16, &[40, 30], bytes.clone());
    let compact = NewDataset { storage: NewStorage::Compact, ..make() };
    let endless = NewDataset {
        dataspace: Dataspace::Simple {
            dims: vec![40, 30],
            max_dims: Some(vec![u64::MAX, u64::MAX]),
        },
        ..make().chunked(&[7, 4], deflate())
    };
    let root = NewGroup::new()
        .dataset("compact", compact)
        .dataset("contiguous", make())
        .dataset("single", make().chunked(&[40, 30], deflate()))
        .dataset("plain single", make().chunked(&[40, 30], vec![]))
        .dataset("larger chunk", make().chunked(&[64, 64], deflate()))
        .dataset("array", make().chunked(&[7, 4], deflate()))
        .dataset("plain array", make().chunked(&[7, 4], vec![]))
        .dataset("paged array", make().chunked(&[1, 1], vec![]))
        .dataset("endless", endless)
        .dataset("text", NewDataset::texts(&["a", "b"]).chunked(&[1], deflate()))
        .dataset("scalar", NewDataset::text("{}"))
        .dataset(
            "empty",
            NewDataset::numbers(NumberType::U8, &[0, 3], vec![]).chunked(&[1, 1], vec![]),
        );
    let root = opened(written(root));
    for name in [
        "compact",
        "contiguous",
        "single",
        "plain single",
        "larger chunk",
        "array",
        "plain array",
        "paged array",
        "endless",
    ] {
        let Elements::U16(read) = elements(&root, name) else { panic!("{name}") };
        let stored: Vec<u8> = read.iter().flat_map(|n| n.to_le_bytes()).collect();
        assert!(stored == bytes, "{name}");
    }
    assert_eq!(elements(&root, "text"), Elements::Strings(vec![b"a".to_vec(), b"b".to_vec()]));
    assert_eq!(elements(&root, "scalar"), Elements::Strings(vec![b"{}".to_vec()]));
    assert_eq!(elements(&root, "empty"), Elements::U8(vec![]));
}

/// Every second chunk of bytes.
struct Sparse;

impl ElementSource for Sparse {
    fn read(&self, start: &[u64], _: &[u64], out: &mut [u8]) -> Result<(), Error> {
        out.fill(u8::try_from(start[0]).unwrap());
        Ok(())
    }

    fn chunk(&self, request: &ChunkRequest<'_>) -> Result<ChunkSupply, Error> {
        let number = request.start[0] / 10;
        Ok(if number.is_multiple_of(2) { ChunkSupply::Elements } else { ChunkSupply::Absent })
    }
}

#[test]
fn absent_chunks_stay_unallocated() {
    let dataset =
        NewDataset::from_source(Datatype::number_of(NumberType::U8), &[35], Arc::new(Sparse));
    let mut dataset = dataset.chunked(&[10], vec![]);
    dataset.fill.value = Some(vec![9]);
    let root = opened(written(NewGroup::new().dataset("d", dataset)));
    let mut expected = vec![0; 10];
    expected.extend([9; 10]);
    expected.extend([20; 10]);
    expected.extend([9; 5]);
    assert_eq!(elements(&root, "d"), Elements::U8(expected));
    let Object::Dataset(dataset) = root.get("d").unwrap().unwrap() else { panic!() };
    assert_eq!(dataset.stored_chunks().unwrap().len(), 2);
}

#[test]
fn one_object_under_several_names_is_written_once() {
    let mut shared = NewDataset::text("shared");
    shared.id = Some(ObjectId::new(5));
    let mut root = NewGroup::new().dataset("a", shared);
    root.id = Some(ObjectId::new(6));
    let mut inner = NewGroup::new();
    inner.links.insert(b"again".to_vec(), NewLink::Again(ObjectId::new(5)));
    inner.links.insert(b"up".to_vec(), NewLink::Again(ObjectId::new(6)));
    let root = opened(written(root.group("b", inner)));
    let address = |path: &str| root.get(path).unwrap().unwrap().address();
    assert_eq!(address("a"), address("b/again"));
    assert_eq!(address("/"), address("b/up"));
    assert_ne!(address("a"), Address(0));
}

#[test]
fn committed_datatypes_are_shared() {
    let id = ObjectId::new(1);
    let datatype = Datatype::boolean();
    let committed = NewDatatype {
        datatype: datatype.clone(),
        attributes: [(b"n".to_vec(), NewAttribute::integer(4))].into(),
        id: Some(id),
        comment: None,
    };
    let mut dataset = NewDataset::fixed(datatype.clone(), Dataspace::fixed(&[2]), vec![0, 1]);
    dataset.committed = Some(id);
    let mut attribute = NewAttribute::boolean(true);
    attribute.committed = Some(id);
    let mut root = NewGroup::new().dataset("d", dataset.attribute("a", attribute));
    root.links.insert(b"type".to_vec(), committed.into());
    let root = opened(written(root));
    let Object::Dataset(dataset) = root.get("d").unwrap().unwrap() else { panic!() };
    assert_eq!(dataset.datatype(), &datatype);
    assert_eq!(dataset.attribute("a").unwrap().unwrap().datatype, datatype);
}

#[test]
fn the_same_tree_gives_the_same_bytes() {
    let tree = || {
        let image = NewDataset::numbers(NumberType::U8, &[64, 64], ramp(4096));
        let image = image.chunked(&[16, 16], deflate());
        NewGroup::new().dataset("image", image).attribute("a", NewAttribute::text("b"))
    };
    assert_eq!(written(tree()), written(tree()));
}

#[test]
fn a_user_block_stands_before_the_file() {
    let root = NewGroup::new()
        .attribute("a", NewAttribute::text("b"))
        .dataset("d", NewDataset::numbers(NumberType::U8, &[9000], ramp(9000)));
    let mut bytes = Vec::new();
    let options = WriteOptions { user_block: vec![7; 600], ..WriteOptions::default() };
    write(root, &FilterRegistry::standard(), &mut bytes, &options).unwrap();
    assert_eq!(bytes[599..602], [7, 0, 0]);
    let root = opened(bytes);
    assert_eq!(elements(&root, "d"), Elements::U8(ramp(9000)));
}

#[test]
fn opening_needs_the_start_of_the_file_only() {
    let mut root = NewGroup::new();
    for number in 0..30 {
        let image = NewDataset::numbers(NumberType::U8, &[64, 64, 64], ramp(64 * 64 * 64));
        let image = image.chunked(&[16, 16, 16], deflate());
        let group = NewGroup::new().dataset("image", image).attribute("t", NewAttribute::text("x"));
        root = root.group(&format!("sample {number}"), group);
    }
    let mut bytes = Vec::new();
    let written = write(root, &FilterRegistry::standard(), &mut bytes, &WriteOptions::default());
    let metadata_len = usize::try_from(written.unwrap().metadata_len).unwrap();
    // What is behind the metadata is not looked at.
    bytes[metadata_len..].fill(0xee);
    let file = File::open_with(Arc::new(bytes), OpenOptions::default()).unwrap();
    for link in file.root().unwrap().links().unwrap().iter() {
        let Some(Object::Group(group)) = file.root().unwrap().open(link).unwrap() else { panic!() };
        assert_eq!(group.attributes().unwrap().len(), 1);
        let Some(Object::Dataset(image)) = group.get("image").unwrap() else { panic!() };
        assert_eq!(image.stored_chunks().unwrap().len(), 64);
    }
}

#[test]
fn what_cannot_be_stored_is_refused_by_name() {
    let one = || NewDataset::numbers(NumberType::U16, &[3], vec![0; 6]);
    let within = |dataset: NewDataset| {
        refusal(NewGroup::new().group("g", NewGroup::new().dataset("d", dataset)))
    };
    let elements = NewData::Elements(StoredElements::fixed(vec![0; 5]));
    assert_eq!(
        within(NewDataset { data: elements, ..one() }),
        "/g/d: 5 bytes for elements of 2 with the extent [3]"
    );
    let short = NewDataset::numbers(NumberType::U16, &[3], vec![0; 5]);
    assert_eq!(within(short), "/g/d: fewer elements than the shape has");
    assert_eq!(within(one().chunked(&[0], vec![])), "/g/d: chunks of [0] for an extent of [3]");
    let filters = deflate();
    assert_eq!(within(NewDataset { filters, ..one() }), "/g/d: only chunks can be filtered");
    let unknown = FilterDescription { id: 999, name: None, optional: false, client_data: vec![] };
    assert_eq!(
        within(one().chunked(&[3], vec![unknown])),
        "/g/d: chunk [0]: filter 999: this filter, with the parameters [], is not supported"
    );
    assert_eq!(refusal(NewGroup::new().group("a/b", NewGroup::new())), "/: the link name \"a/b\"");
    let mut dangling = NewGroup::new();
    dangling.links.insert(b"x".to_vec(), NewLink::Again(ObjectId::new(3)));
    assert_eq!(refusal(dangling), "/: the link `x` leads to an object that is not written");
    let mut deep = NewGroup::new();
    for _ in 0..300 {
        deep = NewGroup::new().group("g", deep);
    }
    assert!(
        refusal(deep)
            .ends_with("groups inside one another: 257 is over the limit `max_group_depth` of 256")
    );
}

/// Gives elements that are not looked at, and counts their bytes.
struct Counted(Arc<AtomicU64>);

impl ElementSource for Counted {
    fn read(&self, _: &[u64], _: &[u64], out: &mut [u8]) -> Result<(), Error> {
        self.0.fetch_add(out.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}

/// Keeps nothing, and compares what arrives with what was asked of the source.
struct Metered {
    asked: Arc<AtomicU64>,
    written: u64,
    most_between: u64,
}

impl Sink for Metered {
    fn write_at(&mut self, _: u64, bytes: &[u8]) -> Result<(), Error> {
        let between = self.asked.load(Ordering::Relaxed).saturating_sub(self.written);
        self.most_between = self.most_between.max(between);
        self.written += bytes.len() as u64;
        Ok(())
    }
}

#[test]
fn a_volume_is_never_in_memory_as_a_whole() {
    const MIB: u64 = 1 << 20;
    let dims = [512, 1024, 1024];
    let asked = Arc::new(AtomicU64::new(0));
    let volume = || {
        let source = Arc::new(Counted(Arc::clone(&asked)));
        NewDataset::from_source(Datatype::number_of(NumberType::U8), &dims, source)
    };
    let chunked = volume().chunked(&[64, 128, 128], vec![]);
    let root = NewGroup::new().dataset("chunked", chunked).dataset("contiguous", volume());
    let mut sink = Metered { asked: Arc::clone(&asked), written: 0, most_between: 0 };
    write(root, &FilterRegistry::standard(), &mut sink, &WriteOptions::default()).unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 1024 * MIB);
    assert!(sink.most_between <= 68 * MIB, "{} bytes", sink.most_between);
}

/// Lets some bytes pass, and then no more.
struct Patience(AtomicU64);

impl Watch for Patience {
    fn go_on(&self, bytes: u64) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes))
            .is_ok()
    }
}

#[test]
fn whoever_follows_a_write_may_stop_it() {
    let stop_after = |bytes: u64| {
        let asked = Arc::new(AtomicU64::new(0));
        let source = Arc::new(Counted(Arc::clone(&asked)));
        let volume =
            NewDataset::from_source(Datatype::number_of(NumberType::U8), &[640, 64], source);
        let root = NewGroup::new().dataset("volume", volume.chunked(&[1, 64], vec![]));
        let patience = Patience(AtomicU64::new(bytes));
        let options = WriteOptions { watch: Some(&patience), ..WriteOptions::default() };
        let registry = FilterRegistry::standard();
        let written = write(root, &registry, &mut Vec::new(), &options).map(|_| ());
        (written, asked.load(Ordering::Relaxed))
    };
    assert_eq!(stop_after(640 * 64), (Ok(()), 640 * 64));
    assert_eq!(stop_after(10 * 64), (Err(Error::Stopped), 10 * 64));
}
