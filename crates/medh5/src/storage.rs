//! How the chunks of a file are stored: the filters that decode them.

mod blosc1;
mod blosc2;
mod filters;

pub use filters::{reading, validating};

use hdf5::Problem;

/// A refusal of our Blosc2 decoder, in the words of the HDF5 reader.
fn problem(error: &::blosc2::Error) -> Problem {
    let text = error.to_string().into();
    match error.class() {
        ::blosc2::Class::Unsupported => Problem::Unsupported(text),
        _ => Problem::Invalid(text),
    }
}
