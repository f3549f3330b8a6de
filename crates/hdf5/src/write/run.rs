//! Writing a tree: plan, stream, then the metadata.

use alloc::vec;
use alloc::vec::Vec;

use super::element_source::{ElementSource, InMemory};
use super::global_heap::GlobalHeap;
use super::layout::{FileLayout, is_small};
use super::plan::{DatasetPlan, PlannedData, StoragePlan};
use super::stream::{self, ChunkWriter};
use super::tail::Tail;
use super::tree::{PlannedKind, Tree};
use super::{NewGroup, Sink, Watch};
use crate::error::Error;
use crate::filter::FilterRegistry;
use crate::parse::{Address, byte_count};

/// How to write.
#[derive(Debug, Clone, Default)]
pub struct WriteOptions<'w> {
    /// Bytes before the file proper, which are not HDF5's business; extended with zeros to 512 or a doubling of that.
    pub user_block: Vec<u8>,
    /// Asked before each chunk whether to go on.
    pub watch: Option<&'w dyn Watch>,
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Length of the file, in bytes.
    pub len: u64,
    /// Bytes before the large data: with the user block, everything that opening the file reads.
    pub metadata_len: u64,
}

/// Writes the tree below `root` to `sink`, which must be empty.
///
/// Chunks are encoded by `registry`, on all threads with the feature `parallel`.
///
/// # Errors
/// [`Error::Request`], naming the object, when the tree cannot be stored: elements that are not as many as the extent has,
/// filters that the registry lacks, a name that is no name. What sources and the sink fail with. [`Error::Stopped`] when the
/// options' watch wants to stop.
/// The sink then holds no file.
pub fn write(
    root: NewGroup,
    registry: &FilterRegistry,
    sink: &mut dyn Sink,
    options: &WriteOptions<'_>,
) -> Result<Written, Error> {
    let mut tree = Tree::of(root)?;
    let mut layout = FileLayout::of(&mut tree);
    let base = user_block_len(options.user_block.len());
    if base > 0 {
        let mut block = options.user_block.clone();
        block.resize(byte_count(base), 0);
        sink.write_at(0, &block)?;
    }
    let metadata_len = base.saturating_add(layout.end);
    let mut tail = Tail::new(sink, base, layout.end);
    large_data(&mut tree, &mut layout, (registry, options.watch), &mut tail)?;
    let end = tail.finish()?;
    for cluster in &layout.clusters {
        let bytes = layout.encode(cluster, &tree, |object| elements(&tree, object))?;
        tail.put(Address(cluster.range.start), &bytes)?;
    }
    // The end counts from the start of the file, with the user block.
    let len = base.saturating_add(end);
    tail.put(Address(0), &layout.superblock(base, len))?;
    Ok(Written { len, metadata_len })
}

/// Writes everything behind the metadata, and notes where it is.
fn large_data(
    tree: &mut Tree,
    layout: &mut FileLayout,
    (registry, watch): (&FilterRegistry, Option<&dyn Watch>),
    tail: &mut Tail<'_>,
) -> Result<(), Error> {
    for (object, place) in tree.objects.iter_mut().zip(&mut layout.places) {
        let PlannedKind::Dataset(plan) = &mut object.kind else { continue };
        if !plan.is_allocated() || is_small(plan) {
            continue;
        }
        let source = Source::of(plan, &tree.heap);
        let data = match &plan.storage {
            StoragePlan::Compact => continue,
            StoragePlan::Contiguous => stream::contiguous(plan, source.get(), watch, tail),
            StoragePlan::Chunked(chunks) => {
                let writer = ChunkWriter::new((plan, chunks), source.get(), registry, watch);
                writer.write(place, tail)
            }
        };
        place.data = data.map_err(|error| error.in_object(&object.path))?;
        // A source may keep what it has read, of its index for one.
        plan.data = PlannedData::Written;
    }
    Ok(())
}

/// All elements of a dataset that is stored among the metadata.
fn elements(tree: &Tree, object: usize) -> Result<Vec<u8>, Error> {
    let Some(plan) = tree.dataset(object) else { return Ok(Vec::new()) };
    let dims = plan.dataspace.dims();
    let mut bytes = vec![0; byte_count(plan.total_bytes)];
    if plan.is_allocated() {
        let path = tree.objects.get(object).map_or("", |object| &object.path);
        let source = Source::of(plan, &tree.heap);
        let read = source.get().read(&vec![0; dims.len()], dims, &mut bytes);
        read.map_err(|error| error.in_object(path))?;
    }
    Ok(bytes)
}

/// Where the elements of a dataset come from.
enum Source<'p> {
    InMemory(InMemory),
    Given(&'p dyn ElementSource),
}

impl<'p> Source<'p> {
    fn of(plan: &'p DatasetPlan, heap: &GlobalHeap) -> Self {
        let in_memory =
            |bytes| Self::InMemory(InMemory::new(plan.dataspace.dims(), plan.datatype.size, bytes));
        match &plan.data {
            PlannedData::Elements(elements) => in_memory(elements.bytes(heap)),
            PlannedData::Source(source) => Self::Given(&**source),
            PlannedData::Nothing | PlannedData::Written => in_memory(Vec::new()),
        }
    }

    fn get(&self) -> &dyn ElementSource {
        match self {
            Self::InMemory(source) => source,
            Self::Given(source) => *source,
        }
    }
}

/// Bytes before a superblock that has this many before it at least: none, 512, or a doubling of that.
fn user_block_len(len: usize) -> u64 {
    const FIRST: usize = 512;
    if len == 0 { 0 } else { len.max(FIRST).next_power_of_two() as u64 }
}
