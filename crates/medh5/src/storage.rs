//! How the chunks of a file are stored: the filters that decode and encode them, their extent, and the codec profiles.

mod blosc1;
mod blosc2;
mod cache;
mod chunks;
mod filters;
mod profile;

pub use chunks::{
    CONTIGUOUS_BELOW, ChunkBudget, fitted_chunk, grid_chunk, guessed_chunk, spatial_chunk,
};
pub use filters::{reading, validating};
#[cfg(feature = "encode")]
pub(crate) use profile::same_filters;
pub use profile::{Profile, Role, codec_text};

use hdf5::Problem;

/// A refusal of our Blosc2 decoder, in the words of the HDF5 reader.
fn problem(error: &::blosc2::Error) -> Problem {
    let text = error.to_string().into();
    match error.class() {
        ::blosc2::Class::Unsupported => Problem::Unsupported(text),
        _ => Problem::Invalid(text),
    }
}
