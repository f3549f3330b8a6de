//! Files whose structures say what they should not, behind good checksums.

use super::edited;
use super::{open_and_walk, read_everything, validate};

/// Edits the structures of a file as `data` says ([`edited`]) and holds the result against the other oracles.
pub fn structures(data: &[u8]) {
    let Some(file) = edited(data) else { return };
    open_and_walk(&file);
    read_everything(&file);
    validate(&file);
}
