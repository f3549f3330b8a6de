//! Shuffle (filter 2): the bytes of all elements regrouped by their place in the element.

use alloc::vec::Vec;

use super::{ChunkPart, Filter, FilterContext, PartOutput};
use crate::error::Problem;
use codec::strided::{dense_strides, offset_of};

/// Puts the bytes of each element together again. The client data is the size of an element.
#[derive(Debug)]
pub(super) struct Shuffle;

impl Shuffle {
    fn element_size(context: &FilterContext<'_>) -> Result<usize, Problem> {
        match context.client_data {
            [size, ..] if *size > 0 => Ok(*size as usize),
            _ => Err(Problem::invalid("no element size in the filter parameters")),
        }
    }
}

impl Filter for Shuffle {
    fn id(&self) -> u16 {
        2
    }

    fn name(&self) -> &'static str {
        "shuffle"
    }

    fn decode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let element_size = Self::element_size(context)?;
        super::check_len(input.len(), context)?;
        output.resize(input.len(), 0);
        codec::shuffle::unshuffle(element_size, input, output);
        Ok(())
    }

    /// Joins the rows of the part where they belong: no buffer, and no work for the rest of the chunk.
    fn decode_part(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        part: &ChunkPart<'_>,
        output: &mut PartOutput<'_, '_>,
    ) -> Result<bool, Problem> {
        let element_size = Self::element_size(context)?;
        if element_size != context.element_size || input.len() != context.max_decoded_bytes {
            return Ok(false);
        }
        let mut chunk_shape = Vec::with_capacity(context.chunk_dims.len());
        for n in context.chunk_dims {
            chunk_shape.push(usize::try_from(*n).unwrap_or(usize::MAX));
        }
        let strides = dense_strides(&chunk_shape, element_size);
        let corner = offset_of(part.start, &strides).ok_or(Problem::EndsEarly)?;
        output
            .for_each_run((corner, &strides), &mut |from, run| {
                if from.checked_add(run.len())? > input.len() {
                    return None;
                }
                let first = from.checked_div(element_size)?;
                codec::shuffle::unshuffle_elements(element_size, input, first, run);
                Some(())
            })
            .ok_or(Problem::EndsEarly)?;
        Ok(true)
    }

    fn encode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let element_size = Self::element_size(context)?;
        output.resize(input.len(), 0);
        codec::shuffle::shuffle(element_size, input, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{context, decode, encode};
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    #[test]
    fn joins_bytes_and_keeps_what_fills_no_element() {
        let planes = [1, 3, 5, 2, 4, 6, 7];
        assert_eq!(decode(&Shuffle, &context(&[2], 7), &planes).unwrap(), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(encode(&Shuffle, &context(&[2], 7), &[1, 2, 3, 4, 5, 6, 7]).unwrap(), planes);
        assert!(encode(&Shuffle, &context(&[0], 7), &planes).is_err());
        assert!(decode(&Shuffle, &context(&[2], 6), &planes).is_err());
        assert!(decode(&Shuffle, &context(&[0], 7), &planes).is_err());
        assert!(decode(&Shuffle, &context(&[], 7), &planes).is_err());
    }

    proptest! {
        #[test]
        fn a_part_is_a_part_of_the_whole(
            size in 1_usize..9,
            (start, shape) in (0_usize..3, 0_usize..4).prop_flat_map(|(y, x)| (Just([y, x]), [1..4 - y, 1..5 - x])),
        ) {
            let input: Vec<u8> = (0..255).cycle().take(12 * size).collect();
            let (client_data, dims) = ([u32::try_from(size).unwrap()], [3, 4]);
            let context = FilterContext {
                client_data: &client_data,
                chunk_dims: &dims,
                element_size: size,
                max_decoded_bytes: input.len(),
            };
            let whole = decode(&Shuffle, &context, &input).unwrap();
            let mut memory = vec![0; 12 * size];
            let strides = [4 * size, size];
            let part = ChunkPart { start: &start, shape: &shape };
            let mut output = PartOutput::new(&mut memory, &shape, &strides, size);
            prop_assert_eq!(Shuffle.decode_part(&context, &input, &part, &mut output), Ok(true));
            for y in 0..shape[0] {
                for x in 0..shape[1] {
                    let from = ((start[0] + y) * 4 + start[1] + x) * size;
                    let to = (y * 4 + x) * size;
                    prop_assert_eq!(&memory[to..to + size], &whole[from..from + size]);
                }
            }
        }
    }
}
