//! What must hold for any bytes whatever: the fuzz targets and `replay.rs` call these. Each panics when it does not.

mod blosc2_decode;
mod open_and_walk;
mod read_everything;
mod validate;

pub use blosc2_decode::blosc2_decode;
pub use open_and_walk::open_and_walk;
pub use read_everything::read_everything;
pub use validate::validate;
