//! The codec profiles: how bulk data of a file is compressed.

use hdf5::FilterDescription;

/// Named pairs of codecs, one for images and one for everything else. Files do not record which was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// LZ4: fastest to read.
    Training,
    /// Zstandard at a fast level.
    #[default]
    Balanced,
    /// Zstandard at its highest level: smallest, slow to write.
    Archive,
    /// Deflate, which every HDF5 library reads.
    Portable,
}

/// What a dataset holds, as far as compression cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Voxels of an image.
    Image,
    /// Labels, fields, coordinates, columns.
    Other,
}

const SHUFFLE: u32 = 1;
const BIT_SHUFFLE: u32 = 2;
const LZ4: u32 = 1;
const ZSTD: u32 = 5;

/// Filters with an identifier up to this are HDF5's own.
const LAST_OF_HDF5: u16 = 6;

impl Profile {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Training, Self::Balanced, Self::Archive, Self::Portable];

    /// The profile of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Training => "training",
            Self::Balanced => "balanced",
            Self::Archive => "archive",
            Self::Portable => "portable",
        }
    }

    /// The profile to amend a file with, given the filters that its datasets use: portable if all are HDF5's own.
    pub fn suiting<'a>(filters: impl IntoIterator<Item = &'a FilterDescription>) -> Self {
        if filters.into_iter().all(|filter| filter.id <= LAST_OF_HDF5) {
            Self::Portable
        } else {
            Self::Balanced
        }
    }

    /// The filters for chunks of `chunk_dims` elements of `element_size` bytes.
    pub fn filters(
        self,
        role: Role,
        element_size: u32,
        chunk_dims: &[u64],
    ) -> Vec<FilterDescription> {
        let (level, transform, codec) = match (self, role) {
            (Self::Portable, _) => return deflate(element_size),
            (Self::Training, _) => (1, SHUFFLE, LZ4),
            (Self::Balanced, Role::Image) => (3, SHUFFLE, ZSTD),
            (Self::Balanced, Role::Other) => (3, BIT_SHUFFLE, ZSTD),
            (Self::Archive, _) => (9, BIT_SHUFFLE, ZSTD),
        };
        vec![blosc2([level, transform, codec], element_size, chunk_dims)]
    }
}

/// The codec of a chunk in a word, such as `blosc2:zstd:3+shuffle` or `gzip:4`; `chunked` without one.
pub fn codec_text(filters: &[FilterDescription]) -> String {
    let has = |id| filters.iter().any(|filter| filter.id == id);
    let codec = filters.iter().find_map(|filter| match (filter.id, &filter.client_data[..]) {
        (1, [level, ..]) => Some(format!("gzip:{level}")),
        (BLOSC2, [_, _, _, _, level, transform, codec, ..]) => {
            let codec = ["blosclz", "lz4", "lz4hc", "", "zlib", "zstd"].get(*codec as usize);
            let transform = match *transform {
                SHUFFLE => "+shuffle",
                BIT_SHUFFLE => "+bitshuffle",
                _ => "",
            };
            Some(format!("blosc2:{}:{level}{transform}", codec.unwrap_or(&"")))
        }
        (2 | 3, _) => None,
        (id, _) => Some(filter.name.clone().unwrap_or_else(|| format!("filter {id}"))),
    });
    match codec {
        Some(codec) if has(2) => codec + "+shuffle",
        Some(codec) => codec,
        None if has(2) => "shuffle".into(),
        None => "chunked".into(),
    }
}

/// Whether chunks stored under one of these need not be encoded again for the other.
#[cfg(feature = "encode")]
pub(crate) fn same_filters(stored: &[FilterDescription], wanted: &[FilterDescription]) -> bool {
    let same = |stored: &FilterDescription, wanted: &FilterDescription| {
        // The first value of Blosc2 is the revision of whoever wrote it.
        let skipped = usize::from(stored.id == BLOSC2);
        stored.id == wanted.id
            && stored.client_data.get(skipped..) == wanted.client_data.get(skipped..)
    };
    stored.len() == wanted.len() && stored.iter().zip(wanted).all(|(a, b)| same(a, b))
}

const BLOSC2: u16 = 32_026;

fn deflate(element_size: u32) -> Vec<FilterDescription> {
    let filter = |id, optional, value| FilterDescription {
        id,
        name: None,
        optional,
        client_data: vec![value],
    };
    vec![filter(2, true, element_size), filter(1, true, 4)]
}

/// Filter 32026 with the client data that the C filter keeps.
fn blosc2(how: [u32; 3], element_size: u32, chunk_dims: &[u64]) -> FilterDescription {
    // HDF5 keeps extents of chunks, and their bytes, below 2^32.
    let narrow = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let bytes = chunk_dims.iter().fold(u64::from(element_size), |n, dim| n.saturating_mul(*dim));
    let mut client_data = vec![1, 0, element_size, narrow(bytes)];
    client_data.extend(how);
    if (2..=16).contains(&chunk_dims.len()) {
        client_data.push(narrow(chunk_dims.len() as u64));
        client_data.extend(chunk_dims.iter().copied().map(narrow));
    }
    FilterDescription { id: BLOSC2, name: Some("blosc2".into()), optional: true, client_data }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_data_are_those_of_the_c_filter() {
        let filters = |profile: Profile, role, dims: &[u64]| {
            let filters = profile.filters(role, 2, dims);
            filters.into_iter().map(|filter| (filter.id, filter.client_data)).collect::<Vec<_>>()
        };
        let dims = [64, 128, 64];
        assert_eq!(
            filters(Profile::Balanced, Role::Image, &dims),
            [(32_026, vec![1, 0, 2, 1 << 20, 3, 1, 5, 3, 64, 128, 64])]
        );
        assert_eq!(
            filters(Profile::Archive, Role::Other, &[100]),
            [(32_026, vec![1, 0, 2, 200, 9, 2, 5])]
        );
        assert_eq!(filters(Profile::Portable, Role::Image, &dims), [(2, vec![2]), (1, vec![4])]);
        assert_eq!(
            Profile::suiting(&Profile::Portable.filters(Role::Image, 2, &dims)),
            Profile::Portable
        );
        assert_eq!(
            Profile::suiting(&Profile::Training.filters(Role::Image, 2, &dims)),
            Profile::Balanced
        );
    }
}
