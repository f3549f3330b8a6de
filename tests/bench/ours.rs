//! Does what `tests/python/bench.py` asks and says how long it took; one request per line, one answer per line.
//!
//! | request | measured |
//! | --- | --- |
//! | `open PATH` | open, the document, all grids, images and annotations; no element |
//! | `image PATH THREADS` | every element of the image `CT` |
//! | `window PATH image\|labels SIZE THREADS SEED` | one cube at a random place, from an open file |
//! | `first PATH SIZE SEED` | open, one foreground draw, the cubes of image and labels around it |
//! | `draw PATH SEED` | one foreground patch of 64 voxels per axis in an open file: by its sampling index, or by a look at its labels |
//!
//! An answer is seconds, or `error` and a sentence.

#![expect(clippy::print_stdout, reason = "it answers on standard output")]

use std::collections::HashMap;
use std::hint::black_box;
use std::io::{BufRead as _, stdin};
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use hdf5::{Elements, FileSource, Window};
use medh5::document::judge_text;
use medh5::sampling::{Patch, PatchSampler, SamplingOptions, Strategy};
use medh5::validate::Silent;
use medh5::{Opened, ReadError, Sample};
use oracles::chance::Chance;

type Failure = Box<dyn std::error::Error + Send + Sync>;
type Answer = Result<f64, Failure>;

fn main() {
    let mut bench = Bench { open: HashMap::new() };
    for line in stdin().lock().lines() {
        let line = line.unwrap_or_default();
        match bench.answer(&line.split(' ').collect::<Vec<_>>()) {
            Ok(seconds) => println!("{seconds}"),
            Err(error) => println!("error {error}"),
        }
    }
}

/// Files that stay open between requests, as in a training loop.
struct Bench {
    open: HashMap<String, Arc<Sample>>,
}

impl Bench {
    fn answer(&mut self, words: &[&str]) -> Answer {
        match words {
            ["open", path] => timed(|| look(&open(path)?)),
            ["image", path, threads] => {
                let sample = self.sample(path)?;
                with_threads(threads, || timed(|| read_image(&sample, None)))
            }
            ["window", path, what, size, threads, seed] => {
                let sample = self.sample(path)?;
                let region = cube(&sample, size.parse()?, &mut Chance::new(seed.parse()?))?;
                with_threads(threads, || {
                    timed(|| {
                        if *what == "image" {
                            read_image(&sample, Some(&region))
                        } else {
                            read_labels(&sample, &region)
                        }
                    })
                })
            }
            ["first", path, size, seed] => {
                let (size, seed) = (size.parse()?, seed.parse()?);
                with_threads("1", || timed(|| first_patch(path, size, seed)))
            }
            ["draw", path, seed] => {
                let sample = self.sample(path)?;
                let seed = seed.parse()?;
                timed(|| draw(&sample, 64, seed).map(|patch| drop(black_box(patch))))
            }
            _ => Err(format!("no such request: {words:?}").into()),
        }
    }

    fn sample(&mut self, path: &str) -> Result<Arc<Sample>, Failure> {
        if let Some(sample) = self.open.get(path) {
            return Ok(Arc::clone(sample));
        }
        let sample = Arc::new(open(path)?);
        self.open.insert(path.to_owned(), Arc::clone(&sample));
        Ok(sample)
    }
}

fn timed(work: impl FnOnce() -> Result<(), Failure>) -> Answer {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

/// Runs with a pool of this many threads around the clock, not in it.
fn with_threads(threads: &str, work: impl FnOnce() -> Answer + Send) -> Answer {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.parse()?).build()?;
    pool.install(work)
}

fn open(path: &str) -> Result<Sample, Failure> {
    match medh5::open(FileSource::open(path)?)? {
        Opened::Sample(sample) => Ok(sample),
        Opened::Collection(_) => Err(format!("{path} is a collection").into()),
    }
}

/// What a program shows of a file before any voxel is read.
fn look(sample: &Sample) -> Result<(), Failure> {
    if let Some(meta) = sample.dataset("meta")?
        && let Elements::Strings(text) = meta.read()?.elements
    {
        black_box(judge_text(&String::from_utf8_lossy(&text[0]), false));
    }
    for grid in sample.grids()? {
        black_box(grid.shape()?);
    }
    for image in sample.images()? {
        black_box((image.modality()?, image.grid_reference()?, image.data()?));
    }
    for annotation in sample.annotations()? {
        black_box((annotation.kind()?, annotation.class_ids()?));
    }
    Ok(())
}

fn read_image(sample: &Sample, region: Option<&[Range<u64>]>) -> Result<(), Failure> {
    let image = sample.image("CT")?.ok_or("no image CT")?.data()?.ok_or("no data")?;
    let window = region.map_or_else(|| Window::all(image.shape()), window_of);
    black_box(image.read_window(&window)?);
    Ok(())
}

fn read_labels(sample: &Sample, region: &[Range<u64>]) -> Result<(), Failure> {
    let labels = sample.annotation("organs")?.ok_or("no annotation organs")?;
    black_box(labels.class_masks(region, None)?);
    Ok(())
}

fn draw(sample: &Sample, size: u64, seed: u64) -> Result<Patch, Failure> {
    let options = SamplingOptions {
        patch: vec![size],
        strategy: Strategy::Foreground,
        ..SamplingOptions::default()
    };
    let sampler = PatchSampler::open(sample, Some("organs"), None, &options, &Silent)?;
    Ok(sampler.draws(seed, 0..1)?.pop().ok_or("no draw")?)
}

fn first_patch(path: &str, size: u64, seed: u64) -> Result<(), Failure> {
    let sample = open(path)?;
    let patch = draw(&sample, size, seed)?;
    let region: Vec<Range<u64>> = patch.axes.iter().map(|axis| axis.start..axis.stop).collect();
    read_image(&sample, Some(&region))?;
    read_labels(&sample, &region)
}

fn shape(sample: &Sample) -> Result<Vec<u64>, ReadError> {
    let data = sample.image("CT")?.map(|image| image.data()).transpose()?.flatten();
    Ok(data.map(|data| data.shape().to_vec()).unwrap_or_default())
}

fn cube(sample: &Sample, size: u64, chance: &mut Chance) -> Result<Vec<Range<u64>>, ReadError> {
    let place = |extent: &u64| {
        let size = size.min(*extent);
        let start = chance.bits() % (extent - size + 1);
        start..start + size
    };
    Ok(shape(sample)?.iter().map(place).collect())
}

fn window_of(region: &[Range<u64>]) -> Window {
    let start: Vec<u64> = region.iter().map(|range| range.start).collect();
    let shape: Vec<u64> = region.iter().map(|range| range.end - range.start).collect();
    Window::new(&start, &shape)
}
