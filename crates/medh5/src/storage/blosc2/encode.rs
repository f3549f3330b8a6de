//! Encoding of Blosc2 frames, for hosts that write.

use std::cell::RefCell;

use blosc2::{Compressor, Encoder, Settings, Transform};
use hdf5::{FilterContext, Problem};

use super::problem;

thread_local! {
    /// The encoder that this thread used last.
    static ENCODER: RefCell<Option<Encoder>> = const { RefCell::new(None) };
}

/// Encodes a chunk as the client data ask for.
pub(super) fn encode(
    context: &FilterContext<'_>,
    input: &[u8],
    output: &mut Vec<u8>,
) -> Result<(), Problem> {
    let settings = settings(context.client_data)?;
    let shape = layout_of(context, settings.element_size, input.len())?;
    ENCODER
        .with_borrow_mut(|slot| {
            let encoder = match slot.take() {
                Some(encoder) if *encoder.settings() == settings => encoder,
                _ => Encoder::new(settings)?,
            };
            let encoder = slot.insert(encoder);
            match shape {
                Some(shape) => encoder.encode_array(&shape, input, output),
                None => encoder.encode(input, output),
            }
        })
        .map_err(|error| problem(&error))
}

/// What the client data ask for.
fn settings(client_data: &[u32]) -> Result<Settings, Problem> {
    let [_, block_size, element_size, _, level, transform, compressor, ..] = *client_data else {
        return Err(Problem::Invalid("fewer than 7 filter parameters".into()));
    };
    let transform = match transform {
        0 => Transform::None,
        1 => Transform::Shuffle,
        2 => Transform::BitShuffle,
        other => return Err(Problem::Unsupported(format!("encoding with filter {other}").into())),
    };
    let compressor = match compressor {
        1 => Compressor::Lz4,
        2 => Compressor::Lz4Hc,
        4 => Compressor::Zlib,
        5 => Compressor::Zstd,
        other => return Err(Problem::Unsupported(format!("encoding with codec {other}").into())),
    };
    Ok(Settings {
        compressor,
        level: u8::try_from(level).unwrap_or(u8::MAX),
        transform,
        element_size: element_size as usize,
        block_size: (block_size != 0).then_some(block_size as usize),
    })
}

/// The chunk as an array, if the client data say that it is stored as one.
///
/// Bytes that are not just its elements, because another filter came first or an element is itself an array, are not.
fn layout_of(
    context: &FilterContext<'_>,
    element_size: usize,
    len: usize,
) -> Result<Option<Vec<usize>>, Problem> {
    let Some([rank, extents @ ..]) = context.client_data.get(7..).filter(|rest| !rest.is_empty())
    else {
        return Ok(None);
    };
    let same = extents.iter().map(|n| u64::from(*n)).eq(context.chunk_dims.iter().copied());
    if *rank as usize != extents.len() || !same {
        let reason = format!("the filter parameters describe another chunk: {extents:?}");
        return Err(Problem::Invalid(reason.into()));
    }
    let shape: Vec<usize> = extents.iter().map(|n| *n as usize).collect();
    let bytes = shape.iter().try_fold(element_size, |bytes, n| bytes.checked_mul(*n));
    Ok((bytes == Some(len)).then_some(shape))
}
