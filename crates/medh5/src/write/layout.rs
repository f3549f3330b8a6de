//! How a new dataset is laid out: in one piece when small, else in chunks, encoded by the profile's filters.

use std::sync::Arc;

use hdf5::NewDataset;
use hdf5::{Dataspace, Datatype, NumberType};

use super::NewArray;
use crate::storage::{CONTIGUOUS_BELOW, Profile, Role, guessed_chunk};

/// How bulk data are stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) profile: Profile,
    pub(super) role: Role,
}

impl Layout {
    /// Columns and tables: in chunks as h5py guesses them.
    pub(super) fn of_tables(profile: Profile) -> Self {
        Self { profile, role: Role::Other }
    }

    /// Numbers in memory, as little-endian bytes in C order.
    pub(super) fn numbers(self, number: NumberType, dims: &[u64], bytes: Vec<u8>) -> NewDataset {
        self.lay_out(NewDataset::numbers(number, dims, bytes), None)
    }

    /// Truth values in memory, one byte each, in C order.
    pub(super) fn booleans(
        self,
        dims: &[u64],
        bytes: Vec<u8>,
        chunk: Option<&[u64]>,
    ) -> NewDataset {
        let dataset = NewDataset::fixed(Datatype::boolean(), Dataspace::fixed(dims), bytes);
        self.lay_out(dataset, chunk)
    }

    /// An array, in memory or asked for piece by piece.
    pub(super) fn array(self, array: &NewArray, chunk: Option<&[u64]>) -> NewDataset {
        let source = Arc::clone(array.source());
        let dataset = NewDataset::from_source(array.datatype().clone(), array.shape(), source);
        self.lay_out(dataset, chunk)
    }

    /// Stores `dataset` in chunks of `chunk`, or of what h5py would guess, unless it is small.
    fn lay_out(self, dataset: NewDataset, chunk: Option<&[u64]>) -> NewDataset {
        let dims = dataset.dataspace.dims().to_vec();
        let element_size = dataset.datatype.size;
        let bytes = dims.iter().fold(u64::from(element_size), |n, dim| n.saturating_mul(*dim));
        if bytes < CONTIGUOUS_BELOW || dims.is_empty() {
            return dataset;
        }
        let chunk =
            chunk.map_or_else(|| guessed_chunk(&dims, element_size.into()), <[u64]>::to_vec);
        let filters = self.profile.filters(self.role, element_size, &chunk);
        dataset.chunked(&chunk, filters)
    }
}
