//! Times the decoder on the cases of a folder, group by group.
//!
//! usage: decode FOLDER [ROUNDS]
//!
//! The folder is one that `tests/python/blosc2_cases.py` writes; names end in `-NUMBER`, and what comes before it is the
//! group. Prints the median speed in MB of decoded bytes per second of this thread's processor time (Linux only): of whole chunks in block order, as the C library's
//! `decompress_chunk` decodes them, and of whole arrays in C order.
#![expect(clippy::print_stdout, reason = "an example talks to the person who ran it")]

use std::collections::BTreeMap;
use std::{env, fs};

use blosc2::{Cframe, Error, Scratch};

/// Decodings per measurement: the clock has steps of some milliseconds.
const REPETITIONS: usize = 20;

fn main() -> Result<(), Error> {
    let folder = env::args().nth(1).expect("the folder");
    let rounds = env::args().nth(2).map_or(5, |rounds| rounds.parse().expect("a number"));
    let stored = fs::read(format!("{folder}/stored.bin")).expect("stored.bin");
    let list = fs::read_to_string(format!("{folder}/cases.txt")).expect("cases.txt");
    let mut groups: BTreeMap<&str, Vec<Cframe<'_>>> = BTreeMap::new();
    for line in list.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<usize>().expect("a number");
        let frame = Cframe::parse(&stored[number(2)..][..number(3)], 64 << 20)?;
        let group = words[0].rsplit_once('-').map_or(words[0], |(group, _)| group);
        groups.entry(group).or_default().push(frame);
    }
    let mut scratch = Scratch::new();
    for (group, frames) in groups {
        let mut target = vec![0; frames[0].decoded_len()];
        let (mut chunks, mut arrays) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            chunks.push(speed(&frames, |frame| frame.decode(&mut scratch, &mut target))?);
            arrays.push(speed(&frames, |frame| {
                let shape = frame.layout().map_or(&[][..], |layout| layout.shape());
                let corner = vec![0; shape.len()];
                frame.decode_dense(&corner, shape, &mut scratch, &mut target)
            })?);
        }
        println!("{group:<20} chunk {:>6.0}  array {:>6.0}", median(chunks), median(arrays));
    }
    Ok(())
}

fn speed(
    frames: &[Cframe<'_>],
    mut decode: impl FnMut(&Cframe<'_>) -> Result<(), Error>,
) -> Result<f64, Error> {
    let start = processor_nanoseconds();
    for _ in 0..REPETITIONS {
        for frame in frames {
            decode(frame)?;
        }
    }
    let bytes = REPETITIONS * frames.iter().map(Cframe::decoded_len).sum::<usize>();
    #[expect(clippy::cast_precision_loss, reason = "a speed")]
    Ok(bytes as f64 * 1e3 / (processor_nanoseconds() - start) as f64)
}

/// What this thread has run so far: other programs on the machine do not count.
fn processor_nanoseconds() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    text.split(' ').next().and_then(|number| number.parse().ok()).expect("a number")
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
