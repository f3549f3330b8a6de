//! Everything that encodes, on any elements.

use std::sync::Arc;

use blosc2::{Cframe, Compressor, Encoder, Scratch, Settings, Transform};
use hdf5::{
    Datatype, FilterDescription, NewDataset, NewGroup, NumberType, Object, Window, WriteOptions,
    write,
};

use crate::open;

/// The most elements that are encoded, in bytes.
const MAX_BYTES: usize = 1 << 12;

/// Encodes and decodes. Input: eight bytes that choose filters, extents, levels and blocks; the others are elements, again and again.
///
/// Nothing panics. Frames of Blosc2 and files of every chain of filters that we encode give back what went in, whole and in part,
/// and the same elements give the same bytes.
pub fn encode_then_decode(data: &[u8]) {
    let [which, size, a, b, c, level, how, block, pattern @ ..] = data else { return };
    let element_size = [1, 2, 4, 8, 3, 16, 255][usize::from(*size) % 7];
    let shape = [a, b, c].map(|extent| usize::from(*extent) % 40 + 1);
    let bytes = shape.iter().product::<usize>() * element_size;
    if pattern.is_empty() || bytes > MAX_BYTES {
        return;
    }
    let elements: Vec<u8> = pattern.iter().copied().cycle().take(bytes).collect();
    let settings = Settings {
        compressor: [Compressor::Lz4, Compressor::Zstd, Compressor::Zlib, Compressor::Lz4Hc]
            [usize::from(*how) % 4],
        level: level % 10,
        transform: [Transform::None, Transform::Shuffle, Transform::BitShuffle]
            [usize::from(how >> 2) % 3],
        element_size,
        block_size: (*block > 0).then_some(usize::from(*block) * 37),
    };
    frames(settings, &shape, &elements);
    let number =
        [NumberType::U8, NumberType::I16, NumberType::F32, NumberType::F64][usize::from(*size) % 4];
    let datatype = Datatype::number_of(number);
    let bytes = shape.iter().product::<usize>() * datatype.size as usize;
    let elements: Vec<u8> = pattern.iter().copied().cycle().take(bytes).collect();
    // Every chunk costs an encoder of its own: few chunks, many inputs.
    let chunk_extent = |chosen: &u8, extent: usize| {
        (u64::from(chosen.rotate_left(3)) % 24 + 1).max(extent.div_ceil(4) as u64)
    };
    let chunk = [(a, shape[0]), (b, shape[1]), (c, shape[2])]
        .map(|(chosen, extent)| chunk_extent(chosen, extent));
    file(&filters(*which, *level, *how, datatype.size, &chunk), number, (shape, chunk), &elements);
}

/// A frame, and a frame of an array.
fn frames(settings: Settings, shape: &[usize], elements: &[u8]) {
    let mut encoder = Encoder::new(settings).expect("levels and sizes are in range");
    let (mut plain, mut array, mut again) = (Vec::new(), Vec::new(), Vec::new());
    encoder.encode(elements, &mut plain).expect("every compressor is there");
    let encoded = encoder.encode_array(shape, elements, &mut array);
    encoder.encode(elements, &mut again).expect("as before");
    assert!(plain == again, "another frame of the same elements");
    let mut scratch = Scratch::new();
    let mut found = vec![0x55; elements.len()];
    let frame = Cframe::parse(&plain, elements.len()).expect("a frame of ours");
    frame.decode(&mut scratch, &mut found).expect("a frame of ours");
    assert!(found == elements, "a frame gives other elements: {settings:?}");
    if encoded.is_ok() {
        let frame = Cframe::parse(&array, usize::MAX).expect("a frame of ours");
        found.fill(0x55);
        let corner = vec![0; shape.len()];
        frame.decode_dense(&corner, shape, &mut scratch, &mut found).expect("a frame of ours");
        assert!(found == elements, "an array gives other elements: {settings:?}");
    }
}

/// A chain of filters that we encode.
fn filters(which: u8, level: u8, how: u8, size: u32, chunk: &[u64; 3]) -> Vec<FilterDescription> {
    let filter = |id: u16, client_data: &[u32]| FilterDescription {
        id,
        name: None,
        optional: how & 0x80 != 0,
        client_data: client_data.to_vec(),
    };
    let level = u32::from(level % 10);
    let codec = [1, 5, 4, 2][usize::from(how) % 4];
    let chunk_bytes = size
        * chunk.iter().product::<u64>().to_le_bytes()[..4]
            .iter()
            .rev()
            .fold(0, |n, byte| n << 8 | u32::from(*byte));
    let mut blosc2 = vec![2, 0, size, chunk_bytes, level, u32::from(how >> 2) % 3, codec];
    if which & 0x10 != 0 {
        blosc2.push(3);
        blosc2.extend(chunk.iter().map(|extent| u32::from(extent.to_le_bytes()[0])));
    }
    let blosc2 = filter(32_026, &blosc2);
    match which % 8 {
        0 => vec![],
        1 => vec![filter(1, &[level])],
        2 => vec![filter(2, &[size]), filter(1, &[level])],
        3 => vec![filter(2, &[size]), filter(1, &[level]), filter(3, &[])],
        4 => vec![filter(3, &[])],
        5 => vec![filter(2, &[size])],
        6 => vec![blosc2, filter(3, &[])],
        _ => vec![blosc2],
    }
}

/// A file with one dataset in chunks.
fn file(
    filters: &[FilterDescription],
    number: NumberType,
    (shape, chunk): ([usize; 3], [u64; 3]),
    elements: &[u8],
) {
    let dims = shape.map(|extent| extent as u64);
    let tree = || {
        let data = NewDataset::numbers(number, &dims, elements.to_vec());
        NewGroup::new().dataset("data", data.chunked(&chunk, filters.to_vec()))
    };
    let (registry, options) = (medh5::storage::reading(), WriteOptions::default());
    let (mut bytes, mut again) = (Vec::new(), Vec::new());
    write(tree(), &registry, &mut bytes, &options).expect("filters that we encode");
    write(tree(), &registry, &mut again, &options).expect("as before");
    assert!(bytes == again, "other bytes of the same tree");
    let root = open::source(Arc::new(bytes)).and_then(|file| file.root()).expect("a file of ours");
    let Ok(Some(Object::Dataset(data))) = root.get("data") else { panic!("the dataset is gone") };
    let mut found = vec![0x55; elements.len()];
    data.read_bytes(&Window::all(&dims), &mut found).expect("chunks of ours");
    assert!(found == elements, "a file gives other elements: {filters:?}");
    let start = dims.map(|extent| extent / 3);
    let part = [0, 1, 2].map(|axis| (dims[axis] - start[axis]).div_ceil(2));
    let size = elements.len() / shape.iter().product::<usize>();
    let row = usize::try_from(part[2]).expect("small") * size;
    let mut found = vec![0x55; row * usize::try_from(part[0] * part[1]).expect("small")];
    data.read_bytes(&Window::new(&start, &part), &mut found).expect("chunks of ours");
    for (number, found) in found.chunks_exact(row).enumerate() {
        let (z, y) = (number as u64 / part[1] + start[0], number as u64 % part[1] + start[1]);
        let at = usize::try_from((z * dims[1] + y) * dims[2] + start[2]).expect("small") * size;
        assert!(found == &elements[at..at + row], "a window gives other elements: {filters:?}");
    }
}
