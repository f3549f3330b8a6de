//! Blosc1 (filter 32001): each chunk is one chunk of Blosc as well.

use std::cell::RefCell;

use blosc2::{Chunk, Scratch};
use hdf5::{Filter, FilterContext, Problem};

use super::problem;

/// Decodes Blosc1 chunks.
#[derive(Debug)]
pub(super) struct Blosc1Filter;

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl Filter for Blosc1Filter {
    fn id(&self) -> u16 {
        32_001
    }

    fn name(&self) -> &'static str {
        "blosc"
    }

    fn decode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let chunk =
            Chunk::parse(input, context.max_decoded_bytes).map_err(|error| problem(&error))?;
        output.resize(chunk.decoded_len(), 0);
        SCRATCH
            .with_borrow_mut(|scratch| chunk.decode(scratch, output))
            .map_err(|error| problem(&error))
    }
}
