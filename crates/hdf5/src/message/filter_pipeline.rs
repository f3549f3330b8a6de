//! Filter pipeline message (0x000b): how chunks are encoded. Spec: HDF5 File Format 3.0, IV.A.2.l.

use alloc::string::String;
use alloc::vec::Vec;

/// One filter of a pipeline, in the order in which it was applied when writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterDescription {
    /// Registered identifier.
    pub id: u16,
    /// Name as stored; filters below 256 often have none.
    pub name: Option<String>,
    /// Whether a writer may leave it out of a chunk.
    pub optional: bool,
    /// The filter's parameters.
    pub client_data: Vec<u32>,
}
