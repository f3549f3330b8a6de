//! Runs the steps of a plan on several threads, without a lock: each gets its own part of the result.
//!
//! The result is cut along the axis on which its first chunks differ, which gives slabs that are adjacent in memory.
//! When that makes too few of them, each is cut along the next axis too, into tiles: one slice of memory per index
//! along the first.

use alloc::vec::Vec;

use rayon::prelude::*;

use super::plan::Step;
use super::run::{Runner, StepScratch};
use super::selection::Selection;
use crate::error::Error;
use crate::filter::PartOutput;
use codec::strided::offset_of;

/// Tasks per thread: enough that none waits long for the last one.
const TASKS_PER_THREAD: usize = 4;

/// Steps whose elements share a part of the result.
struct Task<'o, 's> {
    steps: &'s [Step],
    memory: Memory<'o>,
}

enum Memory<'o> {
    /// The elements from the index `first` on, along the axis of slabs.
    Slab { first: usize, bytes: &'o mut [u8] },
    /// One slice per index along the axis of slabs; each starts at the first element along the next axis.
    Tile { planes: Vec<&'o mut [u8]> },
}

/// Runs all steps.
pub(super) fn run(runner: &Runner<'_>, out: &mut [u8]) -> Result<(), Error> {
    let axis = runner.slab_axis();
    let tasks = slabs(runner, axis, out);
    let enough = rayon::current_num_threads().saturating_mul(TASKS_PER_THREAD);
    let tasks = if tasks.len() < enough { tiles(runner, axis, tasks) } else { tasks };
    // The first task that fails decides, whichever thread was faster: reports are the same from run to run.
    let failed = tasks
        .into_par_iter()
        .map_init(StepScratch::default, |scratch, task| run_task(runner, axis, task, scratch).err())
        .find_map_first(|error| error);
    failed.map_or(Ok(()), Err)
}

/// Cuts the result along `axis`, where its chunks differ.
fn slabs<'o, 'p>(runner: &Runner<'p>, axis: usize, out: &'o mut [u8]) -> Vec<Task<'o, 'p>> {
    let groups: Vec<_> = groups(runner, axis, runner.steps()).collect();
    let places = groups.iter().map(|(_, place)| *place);
    let slabs = cut(out, places, runner.stride(axis));
    let slabs = groups.iter().zip(slabs);
    slabs
        .map(|((steps, (first, _)), bytes)| Task {
            steps,
            memory: Memory::Slab { first: *first, bytes },
        })
        .collect()
}

/// Cuts each slab along the axis after `axis`, if its chunks differ there.
fn tiles<'o, 'p>(runner: &Runner<'p>, axis: usize, slabs: Vec<Task<'o, 'p>>) -> Vec<Task<'o, 'p>> {
    let inner = axis.saturating_add(1);
    let mut tasks = Vec::new();
    for slab in slabs {
        // Steps are in C order and share their place along `axis`, so those of one tile follow one another.
        let groups: Vec<_> = groups(runner, inner, slab.steps).collect();
        match slab.memory {
            Memory::Slab { bytes, .. } if groups.len() > 1 => {
                let mut tiles: Vec<Vec<&mut [u8]>> = groups.iter().map(|_| Vec::new()).collect();
                for plane in bytes.chunks_mut(runner.stride(axis)) {
                    let places = groups.iter().map(|(_, place)| *place);
                    let pieces = cut(plane, places, runner.stride(inner));
                    tiles.iter_mut().zip(pieces).for_each(|(tile, piece)| tile.push(piece));
                }
                tasks.extend(
                    groups.iter().zip(tiles).map(|((steps, _), planes)| Task {
                        steps,
                        memory: Memory::Tile { planes },
                    }),
                );
            }
            memory => tasks.push(Task { steps: slab.steps, memory }),
        }
    }
    tasks
}

/// Steps that share their place along `axis`, with the first element there and the number of elements.
fn groups<'p>(
    runner: &Runner<'p>,
    axis: usize,
    steps: &'p [Step],
) -> impl Iterator<Item = (&'p [Step], (usize, usize))> {
    steps.chunk_by(move |a, b| a.coord.get(axis) == b.coord.get(axis)).filter_map(move |steps| {
        let Selection { place, shape, .. } = runner.selection(steps.first()?)?;
        Some((steps, (*place.get(axis)?, *shape.get(axis)?)))
    })
}

/// The pieces of `bytes` from element `first` on, `n` elements each, of `stride` bytes; they must be in ascending order.
fn cut(
    bytes: &mut [u8],
    places: impl Iterator<Item = (usize, usize)>,
    stride: usize,
) -> impl Iterator<Item = &mut [u8]> {
    let (mut rest, mut done) = (bytes, 0_usize);
    places.map(move |(first, n)| {
        let start = first.saturating_mul(stride);
        let len = n.saturating_mul(stride);
        let bytes = core::mem::take(&mut rest);
        let (_, tail) = bytes.split_at_mut(start.saturating_sub(done).min(bytes.len()));
        let (piece, tail) = tail.split_at_mut(len.min(tail.len()));
        (rest, done) = (tail, start.saturating_add(len));
        piece
    })
}

fn run_task(
    runner: &Runner<'_>,
    axis: usize,
    task: Task<'_, '_>,
    scratch: &mut StepScratch,
) -> Result<(), Error> {
    let mut memory = task.memory;
    for step in task.steps {
        let Some(selection) = runner.selection(step) else { continue };
        let (shape, strides, size) = (&selection.shape, runner.strides(), runner.element_size());
        let corner = |from: usize| {
            let place = selection.place.get(from..).unwrap_or_default();
            offset_of(place, strides.get(from..).unwrap_or_default()).unwrap_or(usize::MAX)
        };
        let mut output = match &mut memory {
            Memory::Slab { first, bytes } => {
                let corner = corner(0).saturating_sub(first.saturating_mul(runner.stride(axis)));
                PartOutput::new(bytes.get_mut(corner..).unwrap_or_default(), shape, strides, size)
            }
            Memory::Tile { planes } => {
                let corner = corner(axis.saturating_add(2));
                PartOutput::in_planes(planes, axis, corner, shape, strides, size)
            }
        };
        runner.run_step(step, &selection, &mut output, scratch)?;
    }
    Ok(())
}
