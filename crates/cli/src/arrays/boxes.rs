//! Boxes of an array that lies uncompressed in a file: read when asked for, so that no volume has to fit in memory.

use hdf5::{ByteSource, ElementSource, Error, FileSource};

/// An array in C order, from a byte of a file on.
pub(super) struct FileArray {
    pub(super) file: FileSource,
    /// Its first byte.
    pub(super) offset: u64,
    pub(super) shape: Vec<u64>,
    /// Bytes of one element.
    pub(super) size: u64,
    /// Whether elements are stored with their highest byte first.
    pub(super) is_big_endian: bool,
}

impl ElementSource for FileArray {
    fn read(&self, start: &[u64], shape: &[u64], out: &mut [u8]) -> Result<(), Error> {
        // The last two axes make a plane: whole rows of it are read at once, and the wanted part of each taken.
        let (outer, plane) = start.split_at(start.len().saturating_sub(2));
        let (outer_shape, plane_shape) = shape.split_at(outer.len());
        let row = self.shape.last().copied().unwrap_or(1);
        let (rows, first_row) = match (plane_shape, plane) {
            ([rows, _], [first, _]) => (*rows, *first),
            _ => (1, 0),
        };
        let (columns, first_column) =
            (shape.last().copied().unwrap_or(1), start.last().copied().unwrap_or(0));
        let mut place = outer.to_vec();
        let plane_bytes = to_usize(rows * columns * self.size);
        let mut buffer = vec![0; to_usize(((rows.max(1) - 1) * row + columns) * self.size)];
        for out in out.chunks_exact_mut(plane_bytes.max(1)) {
            let axes = place.iter().zip(&self.shape);
            let plane_at = axes.fold(0, |at, (place, extent)| at * extent + place);
            let height = self
                .shape
                .get(outer.len()..)
                .and_then(|rest| rest.split_last())
                .map_or(1, |(_, rest)| rest.iter().product::<u64>());
            let first = (plane_at * height + first_row) * row + first_column;
            self.file.read_at(self.offset + first * self.size, &mut buffer)?;
            let row_bytes = to_usize(row * self.size);
            let wanted = to_usize(columns * self.size);
            for (to, from) in
                out.chunks_exact_mut(wanted.max(1)).zip(buffer.chunks(row_bytes.max(1)))
            {
                if let Some(from) = from.get(..to.len()) {
                    to.copy_from_slice(from);
                }
            }
            for ((at, first), extent) in place.iter_mut().zip(outer).zip(outer_shape).rev() {
                *at += 1;
                if *at < first + extent {
                    break;
                }
                *at = *first;
            }
        }
        if self.is_big_endian {
            swap(out, to_usize(self.size));
        }
        Ok(())
    }
}

/// Turns the bytes of every element round.
pub(super) fn swap(bytes: &mut [u8], size: usize) {
    bytes.chunks_exact_mut(size.max(1)).for_each(<[u8]>::reverse);
}

fn to_usize(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_cut_out_of_any_rank() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("array");
        let values: Vec<u16> = (0..2 * 3 * 4 * 5).collect();
        let mut bytes = vec![9; 7];
        bytes.extend(values.iter().flat_map(|value| value.to_be_bytes()));
        std::fs::write(&path, bytes).unwrap();
        let read = |shape: &[u64], start: &[u64], extents: &[u64]| {
            let file = FileSource::open(&path).unwrap();
            let array =
                FileArray { file, offset: 7, shape: shape.to_vec(), size: 2, is_big_endian: true };
            let mut out = vec![0; usize::try_from(extents.iter().product::<u64>() * 2).unwrap()];
            array.read(start, extents, &mut out).unwrap();
            out.chunks(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect::<Vec<_>>()
        };
        assert_eq!(
            read(&[2, 3, 4, 5], &[1, 0, 2, 1], &[1, 2, 2, 2]),
            [71, 72, 76, 77, 91, 92, 96, 97]
        );
        assert_eq!(read(&[24, 5], &[3, 3], &[2, 2]), [18, 19, 23, 24]);
        assert_eq!(read(&[120], &[7], &[3]), [7, 8, 9]);
    }
}
