//! Arrays for new samples: in memory, or asked for piece by piece.

use std::sync::Arc;

use hdf5::{Array, Datatype, ElementSource, Elements, NewData, NewDataset, NumberType};

use super::WriteError;

/// An array of numbers or truth values, slowest axis first.
///
/// What comes from a source is read when the sample is written, box by box, on several threads, and once more for its digest:
/// it never has to fit in memory.
#[derive(Clone)]
pub struct NewArray {
    datatype: Datatype,
    shape: Vec<u64>,
    source: Arc<dyn ElementSource>,
}

impl NewArray {
    /// Numbers in memory, as little-endian bytes in C order.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when there are not as many as the shape has.
    pub fn numbers(number: NumberType, shape: &[u64], bytes: Vec<u8>) -> Result<Self, WriteError> {
        Self::in_memory(Datatype::number_of(number), shape, bytes)
    }

    /// Truth values in memory, one byte each, 0 or 1, in C order.
    ///
    /// # Errors
    /// As [`NewArray::numbers`].
    pub fn booleans(shape: &[u64], marks: Vec<u8>) -> Result<Self, WriteError> {
        Self::in_memory(Datatype::boolean(), shape, marks)
    }

    fn in_memory(datatype: Datatype, shape: &[u64], bytes: Vec<u8>) -> Result<Self, WriteError> {
        let size = u64::from(datatype.size);
        let expected = shape.iter().try_fold(size, |n, extent| n.checked_mul(*extent));
        if expected != Some(bytes.len() as u64) {
            let found = bytes.len() as u64 / size.max(1);
            return Err(WriteError::refused(format!("{found} values for the shape {shape:?}")));
        }
        let NewData::Source(source) =
            NewDataset::fixed(datatype.clone(), hdf5::Dataspace::fixed(shape), bytes).data
        else {
            return Err(WriteError::refused("elements of variable length in an array"));
        };
        Ok(Self { datatype, shape: shape.to_vec(), source })
    }

    /// Numbers that are asked for piece by piece, little-endian.
    pub fn from_source(number: NumberType, shape: &[u64], source: Arc<dyn ElementSource>) -> Self {
        Self { datatype: Datatype::number_of(number), shape: shape.to_vec(), source }
    }

    /// Truth values that are asked for piece by piece, one byte each.
    pub(super) fn truth_values(shape: &[u64], source: Arc<dyn ElementSource>) -> Self {
        Self { datatype: Datatype::boolean(), shape: shape.to_vec(), source }
    }

    /// Extents, slowest axis first.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Type of its elements.
    pub fn datatype(&self) -> &Datatype {
        &self.datatype
    }

    pub(super) fn source(&self) -> &Arc<dyn ElementSource> {
        &self.source
    }

    /// Reads a box of elements.
    pub(super) fn read(&self, start: &[u64], shape: &[u64]) -> Result<Vec<u8>, hdf5::Error> {
        let size = u64::from(self.datatype.size);
        let bytes = shape.iter().fold(size, |n, extent| n.saturating_mul(*extent));
        let mut out = vec![0; usize::try_from(bytes).unwrap_or(usize::MAX)];
        self.source.read(start, shape, &mut out)?;
        Ok(out)
    }
}

impl std::fmt::Debug for NewArray {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewArray").field("shape", &self.shape).finish_non_exhaustive()
    }
}

/// What was read from another file, as it is.
impl TryFrom<Array> for NewArray {
    type Error = WriteError;

    fn try_from(array: Array) -> Result<Self, WriteError> {
        macro_rules! take {
            ($values:expr, $number:ident) => {{
                let bytes = $values.iter().flat_map(|value| value.to_le_bytes()).collect();
                Self::numbers(NumberType::$number, &array.shape, bytes)
            }};
        }
        match &array.elements {
            Elements::I8(values) => take!(values, I8),
            Elements::U8(values) => take!(values, U8),
            Elements::I16(values) => take!(values, I16),
            Elements::U16(values) => take!(values, U16),
            Elements::I32(values) => take!(values, I32),
            Elements::U32(values) => take!(values, U32),
            Elements::I64(values) => take!(values, I64),
            Elements::U64(values) => take!(values, U64),
            Elements::F16(values) => {
                let bits: Vec<u16> = values.iter().map(|half| half.0).collect();
                let bytes = bits.iter().flat_map(|bits| bits.to_le_bytes()).collect();
                Self::numbers(NumberType::F16, &array.shape, bytes)
            }
            Elements::F32(values) => take!(values, F32),
            Elements::F64(values) => take!(values, F64),
            _ => Err(WriteError::refused("an array holds no numbers")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_and_values_must_agree() {
        let array =
            NewArray::numbers(NumberType::I16, &[2, 2], vec![1, 0, 2, 0, 3, 0, 4, 0]).unwrap();
        assert_eq!(array.read(&[1, 0], &[1, 2]).unwrap(), [3, 0, 4, 0]);
        let refused = NewArray::numbers(NumberType::I16, &[2, 2], vec![0; 6]).unwrap_err();
        assert_eq!(refused.to_string(), "3 values for the shape [2, 2]");
        assert!(NewArray::booleans(&[u64::MAX, 2], vec![]).is_err());
    }
}
