//! Foreground without an index: one look at the labels for the counts, then one at the parts that draws fall into.

use std::ops::Range;

use super::choice::Candidate;
use crate::ReadError;
use crate::annotations::{AnnotationView, RunScratch, VoxelRuns};
use crate::parallel;
use crate::validate::{Observer, checkpoint};

/// Bytes of one plane of a slab that are read at once, where the data's chunks allow it.
const SLAB_BYTES: u64 = 16 << 20;

/// The most, to decode each chunk once.
const LARGEST_SLAB_BYTES: u64 = 64 << 20;

/// The classes of an annotation, counted slab by slab along the slowest axis.
#[derive(Debug)]
pub(super) struct Scanned {
    runs: VoxelRuns,
    slabs: Vec<Range<u64>>,
    /// Voxels of each class in each slab.
    counts: Vec<Vec<u64>>,
}

/// A voxel that is wanted: its place among those of its class, in C order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) class_id: i64,
    pub(super) rank: u64,
}

impl Scanned {
    pub(super) fn count(
        annotation: &AnnotationView,
        classes: &[i64],
        observer: &dyn Observer,
    ) -> Result<Self, ReadError> {
        let runs = annotation.voxel_runs(Some(classes))?;
        let slabs = slabs(&runs);
        let zero = vec![0_u64; runs.class_ids().len()];
        let new = || (RunScratch::default(), Vec::new());
        let counts = parallel::gather(slabs.len(), new, |(scratch, found), at| {
            let mut counts = zero.clone();
            let mut add = |run: crate::annotations::Run<'_>| {
                if let Some(count) = counts.get_mut(run.class) {
                    *count += run.length;
                }
            };
            let region = slab_region(&runs, slabs.get(at));
            runs.visit(&region, scratch, &mut add)?;
            found.push((at, counts));
            let voxels = region.iter().map(|range| range.end - range.start).product::<u64>();
            checkpoint(observer, voxels.saturating_mul(runs.chunking().1))
        })?;
        let mut counts: Vec<_> = counts.into_iter().flat_map(|(_, found)| found).collect();
        counts.sort_unstable_by_key(|(at, _)| *at);
        Ok(Self { runs, slabs, counts: counts.into_iter().map(|(_, counts)| counts).collect() })
    }

    /// Every class with its number of voxels.
    pub(super) fn voxels(&self) -> impl Iterator<Item = (i64, u64)> {
        let count = |at: usize| self.counts.iter().filter_map(|slab| slab.get(at)).sum();
        self.runs.class_ids().iter().enumerate().map(move |(at, class)| (*class, count(at)))
    }

    /// The voxel that a draw is of.
    pub(super) fn wanted(candidate: Candidate, rank: u64) -> Wanted {
        Wanted { class_id: candidate.class_id, rank }
    }

    /// Finds voxels; the result has the order of `wanted`. Only slabs that hold one are read, each once.
    pub(super) fn find(&self, wanted: &[Wanted]) -> Result<Vec<Vec<u64>>, ReadError> {
        let mut per_slab: Vec<Vec<Request>> = vec![Vec::new(); self.slabs.len()];
        for (draw, wanted) in wanted.iter().enumerate() {
            if let Some((slab, request)) = self.place(draw, *wanted)
                && let Some(requests) = per_slab.get_mut(slab)
            {
                requests.push(request);
            }
        }
        let busy: Vec<(usize, Vec<Request>)> =
            per_slab.into_iter().enumerate().filter(|(_, requests)| !requests.is_empty()).collect();
        let found = parallel::in_order(&busy, |(slab, requests)| self.search(*slab, requests))?;
        let mut voxels = vec![Vec::new(); wanted.len()];
        for (draw, voxel) in found.into_iter().flatten() {
            if let Some(place) = voxels.get_mut(draw) {
                *place = voxel;
            }
        }
        Ok(voxels)
    }

    fn place(&self, draw: usize, wanted: Wanted) -> Option<(usize, Request)> {
        let class = self.runs.class_ids().iter().position(|class| *class == wanted.class_id)?;
        let mut rank = wanted.rank;
        for (slab, counts) in self.counts.iter().enumerate() {
            let count = *counts.get(class)?;
            if rank < count {
                return Some((slab, Request { class, rank, draw }));
            }
            rank -= count;
        }
        None
    }

    fn search(
        &self,
        slab: usize,
        requests: &[Request],
    ) -> Result<Vec<(usize, Vec<u64>)>, ReadError> {
        let mut requests = requests.to_vec();
        requests.sort_unstable_by_key(|request| (request.class, request.rank));
        let classes = self.runs.class_ids().len();
        let mut seen = vec![0_u64; classes];
        let first = |class| requests.partition_point(|request| request.class < class);
        let mut next: Vec<usize> = (0..classes).map(first).collect();
        let mut found = Vec::new();
        let mut look = |run: crate::annotations::Run<'_>| {
            let (Some(seen), Some(next)) = (seen.get_mut(run.class), next.get_mut(run.class))
            else {
                return;
            };
            while let Some(request) = requests.get(*next)
                && request.class == run.class
                && request.rank < *seen + run.length
            {
                let mut voxel = run.start.to_vec();
                if let Some(last) = voxel.last_mut() {
                    *last += request.rank - *seen;
                }
                found.push((request.draw, voxel));
                *next += 1;
            }
            *seen += run.length;
        };
        let region = slab_region(&self.runs, self.slabs.get(slab));
        self.runs.visit(&region, &mut RunScratch::default(), &mut look)?;
        Ok(found)
    }
}

/// A wanted voxel, counted within a slab.
#[derive(Debug, Clone, Copy)]
struct Request {
    class: usize,
    rank: u64,
    draw: usize,
}

/// Cuts the slowest axis, along the chunks where these are small enough.
fn slabs(runs: &VoxelRuns) -> Vec<Range<u64>> {
    let (chunk, element_bytes) = runs.chunking();
    let Some((&extent, rest)) = runs.shape().split_first() else { return Vec::new() };
    let plane =
        rest.iter().fold(element_bytes.max(1), |n, extent| n.saturating_mul(*extent)).max(1);
    let chunk = chunk.and_then(|dims| dims.first()).copied().unwrap_or(1).max(1);
    let wanted = SLAB_BYTES / plane;
    let depth = if wanted >= chunk {
        wanted - wanted % chunk
    } else {
        chunk.min((LARGEST_SLAB_BYTES / plane).max(1))
    };
    let starts = (0..extent).step_by(usize::try_from(depth).unwrap_or(usize::MAX));
    starts.map(|start| start..start.saturating_add(depth).min(extent)).collect()
}

fn slab_region(runs: &VoxelRuns, slab: Option<&Range<u64>>) -> Vec<Range<u64>> {
    let slab = slab.cloned().unwrap_or_default();
    let whole = runs.shape().iter().skip(1).map(|extent| 0..*extent);
    std::iter::once(slab).chain(whole).collect()
}
