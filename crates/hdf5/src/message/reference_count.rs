//! Object reference count message (0x0016): how many hard links lead to an object. Spec: HDF5 File Format 3.0, IV.A.2.w.

use crate::encode::Encoder;

/// Left out when it is 1. Only later writers need it: readers follow links as they find them.
///
/// | bytes | field |
/// | --- | --- |
/// | 1 | version |
/// | 4 | reference count |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReferenceCount(pub(crate) u32);

impl ReferenceCount {
    /// Writes version 0.
    pub(crate) fn encode(self, out: &mut Encoder) {
        out.u8(0);
        out.u32(self.0);
    }
}
