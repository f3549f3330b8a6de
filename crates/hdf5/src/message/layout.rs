//! Data layout message (0x0008): where the elements are. Spec: HDF5 File Format 3.0, IV.A.2.i.

/// How the elements of a dataset are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageKind {
    /// Inside the object header.
    Compact,
    /// In one piece.
    Contiguous,
    /// In chunks.
    Chunked,
    /// Views of other datasets; refused.
    Virtual,
    /// In other files (message 0x0007); refused.
    External,
}
