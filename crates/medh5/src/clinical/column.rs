//! The cells of one column.

use std::collections::BTreeSet;

use hdf5::{Dataset, Window};

use crate::ReadError;

/// Long texts are checked this many bytes at a time, or one by one when longer.
const BATCH_BYTES: u64 = 4 << 20;

/// Bytes that are read around a place in a long text.
const PIECE_BYTES: u64 = 64 << 10;

/// A column as read.
#[derive(Debug, Clone)]
pub struct Column {
    pub(crate) cells: Cells,
    /// Which rows have a value; all when `None`.
    pub(crate) valid: Option<Vec<bool>>,
}

/// The cells, by type.
#[derive(Debug, Clone)]
pub(crate) enum Cells {
    Text(Texts),
    LongText(LongTexts),
    Int64(Vec<i64>),
    Uint64(Vec<u64>),
    Float64(Vec<f64>),
}

/// Texts one after the other, and where each ends.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts {
    offsets: Vec<u64>,
    text: String,
}

/// Texts that stay in the file until asked for.
#[derive(Debug, Clone)]
pub(crate) struct LongTexts {
    offsets: Vec<u64>,
    data: Dataset,
}

impl Column {
    pub(crate) fn new(cells: Cells) -> Self {
        Self { cells, valid: None }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match &self.cells {
            Cells::Text(texts) => rows(&texts.offsets),
            Cells::LongText(texts) => rows(&texts.offsets),
            Cells::Int64(values) => values.len(),
            Cells::Uint64(values) => values.len(),
            Cells::Float64(values) => values.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the row has a value.
    pub fn is_valid(&self, row: usize) -> bool {
        self.valid.as_ref().is_none_or(|valid| valid.get(row).copied().unwrap_or(false))
    }

    /// The text of a row that has one.
    pub fn text(&self, row: usize) -> Option<&str> {
        match &self.cells {
            Cells::Text(texts) if self.is_valid(row) => texts.get(row),
            _ => None,
        }
    }

    /// The signed integer of a row that has one.
    pub fn int64(&self, row: usize) -> Option<i64> {
        match &self.cells {
            Cells::Int64(values) if self.is_valid(row) => values.get(row).copied(),
            _ => None,
        }
    }

    /// The unsigned integer of a row that has one.
    pub fn uint64(&self, row: usize) -> Option<u64> {
        match &self.cells {
            Cells::Uint64(values) if self.is_valid(row) => values.get(row).copied(),
            _ => None,
        }
    }

    /// The number of a row that has one.
    pub fn float64(&self, row: usize) -> Option<f64> {
        match &self.cells {
            Cells::Float64(values) if self.is_valid(row) => values.get(row).copied(),
            _ => None,
        }
    }

    /// The long texts, if the column holds such.
    pub(crate) fn long_texts(&self) -> Option<&LongTexts> {
        match &self.cells {
            Cells::LongText(texts) => Some(texts),
            _ => None,
        }
    }

    /// The first row that has no value and yet something stored.
    pub(crate) fn first_leak(&self) -> Option<usize> {
        let is_empty = |row: usize| match &self.cells {
            Cells::Text(texts) => span(&texts.offsets, row).is_none_or(|(start, end)| start == end),
            Cells::LongText(texts) => texts.len(row) == Some(0),
            Cells::Int64(values) => values.get(row) == Some(&0),
            Cells::Uint64(values) => values.get(row) == Some(&0),
            Cells::Float64(values) => values.get(row).map(|value| value.to_bits()) == Some(0),
        };
        (0..self.len()).find(|row| !self.is_valid(*row) && !is_empty(*row))
    }

    /// The first row whose number is not finite.
    pub(crate) fn first_non_finite(&self) -> Option<usize> {
        (0..self.len()).find(|row| self.float64(*row).is_some_and(|value| !value.is_finite()))
    }
}

impl Texts {
    /// Cuts `bytes` at `offsets`, which must be sound; the first row that is not UTF-8 if there is one.
    pub(crate) fn new(offsets: Vec<u64>, bytes: Vec<u8>) -> Result<Self, usize> {
        let row = |row: usize| {
            let (start, end) = span(&offsets, row)?;
            bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
        };
        let is_text = |cell: usize| row(cell).is_some_and(|cell| str::from_utf8(cell).is_ok());
        if let Some(bad) = (0..rows(&offsets)).find(|cell| !is_text(*cell)) {
            return Err(bad);
        }
        let text = String::from_utf8(bytes).map_err(|_| 0_usize)?;
        Ok(Self { offsets, text })
    }

    fn get(&self, row: usize) -> Option<&str> {
        let (start, end) = span(&self.offsets, row)?;
        self.text.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }
}

impl LongTexts {
    pub(crate) fn new(offsets: Vec<u64>, data: Dataset) -> Self {
        Self { offsets, data }
    }

    /// Bytes of the text of a row.
    pub(crate) fn len(&self, row: usize) -> Option<u64> {
        span(&self.offsets, row).map(|(start, end)| end - start)
    }

    /// Which of `places`, in bytes from the start of the row's text, are inside a character. Reads the text at most once.
    ///
    /// # Errors
    /// [`ReadError::File`] when it cannot be read.
    pub(crate) fn inside_characters(
        &self,
        row: usize,
        places: &BTreeSet<u64>,
    ) -> Result<BTreeSet<u64>, ReadError> {
        let mut inside = BTreeSet::new();
        let Some((start, end)) = span(&self.offsets, row) else { return Ok(inside) };
        let (mut first, mut piece) = (0, Vec::new());
        for place in places.range(..end - start) {
            if place - first >= piece.len() as u64 {
                first = *place;
                piece = self.bytes(start + first, PIECE_BYTES.min(end - start - first))?;
            }
            let byte = usize::try_from(place - first).ok().and_then(|at| piece.get(at));
            if byte.is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000) {
                inside.insert(*place);
            }
        }
        Ok(inside)
    }

    /// The first row that is not UTF-8. Reads many rows at a time.
    ///
    /// # Errors
    /// [`ReadError::File`] when a row cannot be read.
    pub(crate) fn first_non_text(&self) -> Result<Option<usize>, ReadError> {
        let mut row = 0;
        while let Some((first, _)) = span(&self.offsets, row) {
            let fits = |end: &u64| end - first <= BATCH_BYTES;
            let more = self.offsets.iter().skip(row + 2).take_while(|end| fits(end)).count();
            let ends = self.offsets.get(row..=row + 1 + more).unwrap_or_default();
            let last = ends.last().copied().unwrap_or(first);
            let offsets = ends.iter().map(|end| end - first).collect();
            if let Err(bad) = Texts::new(offsets, self.bytes(first, last - first)?) {
                return Ok(Some(row + bad));
            }
            row += 1 + more;
        }
        Ok(None)
    }

    /// The text of a row; bytes that are not UTF-8 show as U+FFFD.
    ///
    /// # Errors
    /// [`ReadError::File`] when it cannot be read.
    pub(crate) fn text(&self, row: usize) -> Result<String, ReadError> {
        let (start, end) = span(&self.offsets, row).unwrap_or((0, 0));
        let bytes = self.bytes(start, end - start)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn bytes(&self, start: u64, len: u64) -> Result<Vec<u8>, ReadError> {
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
        if len > 0 {
            self.data.read_bytes(&Window::new(&[start], &[len]), &mut bytes)?;
        }
        Ok(bytes)
    }
}

fn rows(offsets: &[u64]) -> usize {
    offsets.len().saturating_sub(1)
}

fn span(offsets: &[u64], row: usize) -> Option<(u64, u64)> {
    Some((*offsets.get(row)?, *offsets.get(row + 1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_must_be_text_by_itself() {
        let texts = Texts::new(vec![0, 1, 1, 3], "aé".into()).unwrap();
        assert_eq!([texts.get(0), texts.get(1), texts.get(2)], [Some("a"), Some(""), Some("é")]);
        assert_eq!(Texts::new(vec![0, 2, 3], "aé".into()).err(), Some(0));
    }

    #[test]
    fn a_null_cell_holds_nothing_at_all() {
        let column = |cells, valid: &[bool]| Column { cells, valid: Some(valid.to_vec()) };
        let floats = column(Cells::Float64(vec![0.0, -0.0]), &[false, false]);
        assert_eq!(floats.first_leak(), Some(1));
        let ints = column(Cells::Int64(vec![5, 0]), &[true, false]);
        assert_eq!((ints.first_leak(), ints.int64(0), ints.int64(1)), (None, Some(5), None));
        let texts = Cells::Text(Texts::new(vec![0, 1, 2], "ab".into()).unwrap());
        assert_eq!(column(texts, &[true, false]).first_leak(), Some(1));
    }

    #[test]
    fn only_values_must_be_finite() {
        let cells = Cells::Float64(vec![f64::NAN, 1.0, f64::INFINITY]);
        let column = Column { cells, valid: Some(vec![false, true, true]) };
        assert_eq!(column.first_non_finite(), Some(2));
    }
}
