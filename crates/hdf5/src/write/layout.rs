//! Where everything that does not wait for encoded chunks will be.
//!
//! Metadata come first, a cluster after the other. A cluster has the headers of its objects, the global heap collections
//! of their texts, small data, and the indexes of chunks. Large data follow behind the last cluster.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::SIZES;
use super::blob::{Blob, aligned};
use super::header::{self, Surroundings};
use super::plan::{ChunkPlan, DatasetPlan, PlannedIndex, StoragePlan};
use super::tree::{PlannedKind, Tree};
use crate::chunk_index::fixed_array::FixedArray;
use crate::encode::{Encoder, encoded};
use crate::parse::{Address, byte_count};
use crate::superblock::{NodeSizes, Superblock};

/// Data of up to this many bytes are among the metadata: whoever opens the file mostly wants them too.
const MAX_SMALL_DATA: u64 = 4096;
/// Indexes of up to this many bytes are among the metadata.
const MAX_EARLY_INDEX: u64 = 1 << 20;

#[derive(Debug)]
pub(super) struct FileLayout {
    /// By object.
    pub(super) places: Vec<Place>,
    pub(super) clusters: Vec<Cluster>,
    /// Where large data start.
    pub(super) end: u64,
}

/// Where the parts of an object are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) header: Address,
    pub(super) data: StoredData,
    /// Where its chunk index is to be, if among the metadata.
    pub(super) early_index: Option<Address>,
}

/// What a layout message says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct StoredData {
    /// The data, the only chunk, or the index of the chunks; `None` when nothing is allocated.
    pub(super) address: Option<Address>,
    /// Of the only chunk.
    pub(super) stored_bytes: u64,
    pub(super) filter_mask: u32,
}

/// A part of the file whose metadata are in one piece.
#[derive(Debug, Clone, Default)]
pub(super) struct Cluster {
    objects: Vec<usize>,
    collections: Vec<(usize, u64)>,
    /// Headers, collections and small data; behind them are indexes, which are written with their chunks.
    pub(super) range: Range<u64>,
}

impl FileLayout {
    /// Gives everything its place.
    pub(super) fn of(tree: &mut Tree) -> Self {
        let nowhere = Place { header: Address(0), data: StoredData::default(), early_index: None };
        let mut layout = Self {
            places: vec![nowhere; tree.objects.len()],
            clusters: vec![Cluster::default(); tree.clusters],
            end: encoded(SIZES, |out| superblock(Address(0), 0, 0).encode(out)).len() as u64,
        };
        for (number, object) in tree.objects.iter().enumerate() {
            if let Some(cluster) = layout.clusters.get_mut(object.cluster) {
                cluster.objects.push(number);
            }
        }
        for (number, cluster, len) in tree.heap.collections() {
            if let Some(cluster) = layout.clusters.get_mut(cluster) {
                cluster.collections.push((number, len));
            }
        }
        for number in 0..layout.clusters.len() {
            layout.lay_out(number, tree);
        }
        layout
    }

    fn lay_out(&mut self, number: usize, tree: &mut Tree) {
        let cluster = self.clusters.get(number).cloned().unwrap_or_default();
        let start = aligned(self.end);
        self.end = start;
        for object in &cluster.objects {
            let len = self.header_len(*object, tree);
            let header = self.allocate(len);
            if let Some(place) = self.places.get_mut(*object) {
                place.header = header;
            }
        }
        for (collection, len) in &cluster.collections {
            tree.heap.set_address(*collection, self.allocate(*len));
        }
        for object in &cluster.objects {
            let Some(plan) = tree.dataset(*object) else { continue };
            if is_small(plan) {
                let address = Some(self.allocate(plan.total_bytes));
                if let Some(place) = self.places.get_mut(*object) {
                    place.data.address = address;
                }
            }
        }
        let end = self.end;
        for object in &cluster.objects {
            if let Some(len) = tree.dataset(*object).and_then(early_index_len) {
                let address = Some(self.allocate(len));
                if let Some(place) = self.places.get_mut(*object) {
                    place.early_index = address;
                }
            }
        }
        if let Some(cluster) = self.clusters.get_mut(number) {
            cluster.range = start..end;
        }
    }

    fn allocate(&mut self, len: u64) -> Address {
        let start = aligned(self.end);
        self.end = start.saturating_add(len);
        Address(start)
    }

    /// Bytes of a header and of the dense storage that belongs to it.
    fn header_len(&self, number: usize, tree: &Tree) -> u64 {
        let (Some(object), Some(place)) = (tree.objects.get(number), self.places.get(number))
        else {
            return 0;
        };
        let around = Surroundings { places: &self.places, heap: &tree.heap };
        let compact = vec![0; byte_count(tree.compact_len(number))];
        let mut blob = Blob::new(Address(0));
        header::add(object, place, around, &compact, &mut blob);
        blob.finish().len() as u64
    }

    /// The headers, collections and small data of a cluster; `data` gives the elements of an object.
    pub(super) fn encode<E>(
        &self,
        cluster: &Cluster,
        tree: &Tree,
        mut data: impl FnMut(usize) -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u8>, E> {
        let around = Surroundings { places: &self.places, heap: &tree.heap };
        let mut blob = Blob::new(Address(cluster.range.start));
        for number in &cluster.objects {
            let (Some(object), Some(place)) = (tree.objects.get(*number), self.places.get(*number))
            else {
                continue;
            };
            let is_compact = tree.compact_len(*number) > 0;
            let compact = if is_compact { data(*number)? } else { Vec::new() };
            header::add(object, place, around, &compact, &mut blob);
        }
        for (collection, _) in &cluster.collections {
            blob.add(|out| tree.heap.encode(*collection, out));
        }
        for number in &cluster.objects {
            if tree.dataset(*number).is_some_and(is_small) {
                let bytes = data(*number)?;
                blob.add(|out: &mut Encoder| out.bytes(&bytes));
            }
        }
        Ok(blob.finish())
    }

    /// The superblock of a file of this length whose addresses count from `base`.
    pub(super) fn superblock(&self, base: u64, end_of_file: u64) -> Vec<u8> {
        let root = self.places.first().map_or(Address(0), |root| root.header);
        encoded(SIZES, |out| superblock(root, base, end_of_file).encode(out))
    }
}

impl Tree {
    /// The plan of an object that is a dataset.
    pub(super) fn dataset(&self, number: usize) -> Option<&DatasetPlan> {
        match &self.objects.get(number)?.kind {
            PlannedKind::Dataset(plan) => Some(plan),
            _ => None,
        }
    }

    /// Bytes of a dataset in its header.
    fn compact_len(&self, number: usize) -> u64 {
        match self.dataset(number) {
            Some(plan) if matches!(plan.storage, StoragePlan::Compact) => plan.total_bytes,
            _ => 0,
        }
    }
}

/// Whether the elements are among the metadata.
pub(super) fn is_small(plan: &DatasetPlan) -> bool {
    let is_contiguous = matches!(plan.storage, StoragePlan::Contiguous);
    is_contiguous && plan.is_allocated() && plan.total_bytes <= MAX_SMALL_DATA
}

fn early_index_len(plan: &DatasetPlan) -> Option<u64> {
    match &plan.storage {
        StoragePlan::Chunked(ChunkPlan {
            index: PlannedIndex::FixedArray(chunks), format, ..
        }) if plan.is_allocated() => {
            let len = FixedArray::new(*format, Address(0), *chunks).len();
            (len <= MAX_EARLY_INDEX).then_some(len)
        }
        _ => None,
    }
}

fn superblock(root: Address, base: u64, end_of_file: u64) -> Superblock {
    Superblock {
        version: 3,
        sizes: SIZES,
        node_sizes: NodeSizes::default(),
        open_for_write: false,
        base,
        extension: None,
        end_of_file: Some(Address(end_of_file)),
        driver_information: None,
        root: Some(root),
    }
}
