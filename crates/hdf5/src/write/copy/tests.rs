//! Copies of files in memory, and what can be changed of them.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::error::Error;
use crate::filter::FilterRegistry;
use crate::limits::Limits;
use crate::message::dataspace::Dataspace;
use crate::message::datatype::{Datatype, DatatypeClass};
use crate::message::filter_pipeline::FilterDescription;
use crate::read::{Dataset, File, Group, Object, OpenOptions};
use crate::value::Elements;
use crate::write::stored_elements::HeapValue;
use crate::write::tests::{opened, written};
use crate::write::{
    ElementSource, NewAttribute, NewData, NewDataset, NewDatatype, NewGroup, NewLink, NewStorage,
    ObjectId, StoredElements, WriteOptions, write,
};
use crate::{NumberType, Window};

fn deflate(level: u32) -> Vec<FilterDescription> {
    vec![FilterDescription { id: 1, name: None, optional: true, client_data: vec![level] }]
}

fn dataset(root: &Group, path: &str) -> Dataset {
    match root.get(path).unwrap().unwrap() {
        Object::Dataset(dataset) => dataset,
        other => panic!("{other:?}"),
    }
}

/// A tree with some of everything that a copy has to carry.
fn tree() -> NewGroup {
    let id = ObjectId::new(1);
    let image =
        NewDataset::numbers(NumberType::U16, &[20, 9], (0..=255).cycle().take(360).collect());
    let mut image = image.chunked(&[8, 4], deflate(4)).attribute("unit", NewAttribute::text("HU"));
    image.fill.value = Some(vec![7, 0]);
    image.comment = Some(b"seen\0".to_vec());
    let mut shared = NewDatatype::new(Datatype::boolean());
    shared.id = Some(id);
    let mut flags = NewDataset::fixed(Datatype::boolean(), Dataspace::fixed(&[2]), vec![1, 0]);
    flags.committed = Some(id);
    let mut root = NewGroup::new()
        .group("images", NewGroup::new().dataset("CT", image))
        .dataset("flags", flags)
        .dataset("meta", NewDataset::text("{\"a\": 1}"))
        .soft_link("soft", "/images/CT")
        .attribute("texts", NewAttribute::texts(&["a", "", "b"]));
    root.links.insert(b"bool".to_vec(), shared.into());
    root.links.insert(b"bool again".to_vec(), NewLink::Again(id));
    root
}

#[test]
fn a_copy_has_the_bytes_of_its_original() {
    // What this writer wrote is laid out as it lays out the copy.
    let original = written(tree());
    let copy = written(NewGroup::copy_of(&opened(original.clone())).unwrap());
    assert!(copy == original);
}

#[test]
fn chunks_are_encoded_anew_when_chunks_or_filters_change() {
    let root = opened(written(tree()));
    let expected = dataset(&root, "images/CT").read().unwrap();
    for (chunk_dims, filters) in
        [(vec![8, 4], deflate(9)), (vec![20, 9], deflate(4)), (vec![7, 7], vec![])]
    {
        let mut copy = NewGroup::copy_of(&root).unwrap();
        let image = copy.dataset_mut("images/CT").unwrap();
        image.storage = NewStorage::Chunked { chunk_dims: chunk_dims.clone() };
        image.filters = filters;
        let copy = opened(written(copy));
        let image = dataset(&copy, "images/CT");
        assert_eq!(
            (image.read().unwrap(), image.chunk_dims()),
            (expected.clone(), Some(&chunk_dims[..]))
        );
    }
    let mut copy = NewGroup::copy_of(&root).unwrap();
    let image = copy.dataset_mut("images/CT").unwrap();
    (image.storage, image.filters) = (NewStorage::Contiguous, vec![]);
    assert_eq!(dataset(&opened(written(copy)), "images/CT").read().unwrap(), expected);
}

#[test]
fn parts_can_be_exchanged_moved_and_dropped() {
    let mut copy = NewGroup::copy_of(&opened(written(tree()))).unwrap();
    copy.remove("meta").unwrap();
    let images = copy.take("images").unwrap();
    copy.links.insert(b"pictures".to_vec(), images);
    copy.links.insert(b"flags".to_vec(), NewDataset::text("none").into());
    // The type has another name, under which it stays.
    copy.remove("bool").unwrap();
    let root = opened(written(copy));
    assert!(root.get("meta").unwrap().is_none() && root.get("images").unwrap().is_none());
    assert_eq!(dataset(&root, "pictures/CT").shape(), [20, 9]);
    assert_eq!(
        dataset(&root, "flags").read().unwrap().elements,
        Elements::Strings(vec![b"none".to_vec()])
    );
    assert!(matches!(root.get("bool again").unwrap(), Some(Object::Datatype(_))));
}

#[test]
fn chunks_that_were_never_written_stay_so_in_other_chunks() {
    let dataspace = Dataspace::fixed(&[1 << 16, 1 << 16]);
    let nothing =
        NewDataset::new(Datatype::number_of(NumberType::F64), dataspace, NewData::Nothing);
    let root = NewGroup::new().dataset("d", nothing.chunked(&[512, 512], deflate(1)));
    let mut copy = NewGroup::copy_of(&opened(written(root))).unwrap();
    let image = copy.dataset_mut("d").unwrap();
    image.storage = NewStorage::Chunked { chunk_dims: vec![1024, 1024] };
    let bytes = written(copy);
    assert!(bytes.len() < 1000, "{} bytes", bytes.len());
    let read = dataset(&opened(bytes), "d").read_window(&Window::new(&[9, 9], &[1, 2])).unwrap();
    assert_eq!(read.elements, Elements::F64(vec![0.0; 2]));
}

/// A sequence of sequences: [[1], [], [2, 3]].
fn nested() -> NewAttribute {
    let sequence = |base: Datatype| Datatype {
        size: 16,
        class: DatatypeClass::VariableSequence { base: base.into() },
    };
    let value = |at: usize, values: &[u8]| HeapValue {
        at,
        len: u32::try_from(values.len()).unwrap(),
        elements: StoredElements::fixed(values.to_vec()),
    };
    let inner = StoredElements {
        bytes: vec![0; 48],
        values: vec![value(0, &[1]), value(16, &[]), value(32, &[2, 3])],
    };
    let outer = StoredElements {
        bytes: vec![0; 16],
        values: vec![HeapValue { at: 0, len: 3, elements: inner }],
    };
    let datatype = sequence(sequence(Datatype::number_of(NumberType::U8)));
    NewAttribute::raw(datatype, Dataspace::scalar(), outer)
}

#[test]
fn values_inside_values_are_carried_along() {
    let root = opened(written(NewGroup::new().attribute("nested", nested())));
    let read = NewAttribute::copy_of(&root.attribute("nested").unwrap().unwrap()).unwrap();
    let mut expected = nested();
    // Empty values are not told from none.
    expected.elements.values[0].elements.values.remove(1);
    assert_eq!(read, expected);
}

#[test]
fn what_means_nothing_elsewhere_is_refused_by_name() {
    let reference = Datatype { size: 8, class: DatatypeClass::Reference { kind: 0 } };
    let refused = |root: NewGroup| -> String {
        NewGroup::copy_of(&opened(written(root))).unwrap_err().to_string()
    };
    let attribute = NewAttribute::raw(
        reference.clone(),
        Dataspace::scalar(),
        StoredElements::fixed(vec![0; 8]),
    );
    assert_eq!(
        refused(NewGroup::new().group("g", NewGroup::new().attribute("scales", attribute))),
        "/g: the attribute `scales`: references to objects mean nothing in another file, and are not copied"
    );
    let array = Datatype {
        size: 16,
        class: DatatypeClass::Array { dims: vec![2], base: reference.into() },
    };
    let dataset = NewDataset::fixed(array, Dataspace::scalar(), vec![0; 16]);
    assert_eq!(
        refused(NewGroup::new().dataset("d", dataset)),
        "/d: references to objects mean nothing in another file, and are not copied"
    );
}

#[test]
fn a_source_that_fails_ends_the_write_by_name() {
    let mut bytes = written(tree());
    let root = opened(bytes.clone());
    let chunk = dataset(&root, "images/CT").stored_chunks().unwrap()[0].range.clone();
    bytes[usize::try_from(chunk.start).unwrap()] ^= 0xff;
    let mut copy = NewGroup::copy_of(&opened(bytes)).unwrap();
    copy.dataset_mut("images/CT").unwrap().filters = deflate(9);
    let registry = FilterRegistry::standard();
    let error = write(copy, &registry, &mut Vec::new(), &WriteOptions::default()).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("/images/CT: chunk [0, 0] at byte 0x"), "{text}");
}

#[test]
fn a_few_chunks_of_an_endless_extent_take_no_longer_than_a_few_chunks() {
    let dims = [1 << 30, 1 << 30];
    let dataspace = Dataspace::Simple { dims: dims.to_vec(), max_dims: Some(vec![u64::MAX; 2]) };
    let source = Arc::new(TwoChunks);
    let dataset =
        NewDataset::new(Datatype::number_of(NumberType::U8), dataspace, NewData::Source(source));
    let original = written(NewGroup::new().dataset("d", dataset.chunked(&[16, 16], deflate(1))));
    let copy = written(NewGroup::copy_of(&opened(original.clone())).unwrap());
    assert!(copy == original && copy.len() < 10_000, "{} bytes", copy.len());
    let window = Window::new(&[(1 << 29) - 1, 1 << 29], &[3, 1]);
    let read = self::dataset(&opened(copy), "d").read_window(&window).unwrap();
    assert_eq!(read.elements, Elements::U8(vec![0, 5, 5]));
}

/// Says that it will give nothing, and is not asked for it then.
struct Unwilling;

impl ElementSource for Unwilling {
    fn read(&self, _: &[u64], _: &[u64], out: &mut [u8]) -> Result<(), Error> {
        panic!("room for {} bytes was made", out.len())
    }

    fn admit(&self, shape: &[u64]) -> Result<(), Error> {
        Err(Error::Request { reason: alloc::format!("not {shape:?}") })
    }
}

#[test]
fn no_room_is_made_for_an_element_that_will_not_be_read() {
    let opaque = DatatypeClass::Opaque { tag: String::new() };
    let datatype = Datatype { size: u32::MAX - 7, class: opaque };
    let dataset = NewDataset::from_source(datatype, &[2], Arc::new(Unwilling));
    let root = NewGroup::new().dataset("d", dataset);
    let error = write(root, &FilterRegistry::standard(), &mut vec![], &WriteOptions::default());
    assert!(error.unwrap_err().to_string().contains("not [1]"));
}

#[test]
fn a_copy_reads_no_element_beyond_the_limits_of_its_original() {
    let bytes = written(
        NewGroup::new().dataset("d", NewDataset::numbers(NumberType::U32, &[3], vec![1; 12])),
    );
    for (limits, max) in [
        (Limits { max_element_bytes: 3, ..Limits::default() }, "max_element_bytes"),
        (Limits { max_read_bytes: 11, ..Limits::default() }, "max_read_bytes"),
    ] {
        let options = OpenOptions { limits, ..OpenOptions::default() };
        let root = File::open_with(Arc::new(bytes.clone()), options).unwrap().root().unwrap();
        let copy = NewDataset::copy_of(&dataset(&root, "d")).unwrap();
        let NewData::Source(source) = copy.data else { panic!("{:?}", copy.data) };
        let text = source.admit(&[3]).unwrap_err().to_string();
        assert!(text.contains(max), "{text}");
    }
}

/// Two chunks far from each other.
struct TwoChunks;

impl ElementSource for TwoChunks {
    fn read(&self, _: &[u64], _: &[u64], out: &mut [u8]) -> Result<(), Error> {
        out.fill(5);
        Ok(())
    }

    fn present(&self, _: &[u64], _: &[FilterDescription]) -> Result<Option<Vec<Vec<u64>>>, Error> {
        Ok(Some(vec![vec![0, 9], vec![1 << 25, 1 << 25]]))
    }
}

#[test]
fn one_value_that_many_elements_refer_to_is_not_copied_for_each() {
    let large = "x".repeat(100_000);
    let mut texts = vec![large.as_str()];
    texts.resize(200, "");
    let mut bytes = written(NewGroup::new().dataset("d", NewDataset::texts(&texts)));
    let plan = dataset(&opened(bytes.clone()), "d").plan(&Window::all(&[200])).unwrap();
    let start = usize::try_from(plan.ranges()[0].start).unwrap();
    let reference = bytes[start..start + 16].to_vec();
    bytes[start..start + 200 * 16].copy_from_slice(&reference.repeat(200));
    let text = NewGroup::copy_of(&opened(bytes)).unwrap_err().to_string();
    assert!(text.contains("bytes that a call copies"), "{text}");
}
