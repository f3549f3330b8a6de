//! Slabs: a dataset in pieces of bounded size, in C order.

use alloc::vec::Vec;

use super::{Dataset, Window};

/// The windows of [`Dataset::slabs`].
#[derive(Debug, Clone)]
pub struct Slabs {
    shape: Vec<u64>,
    /// Indices along the slowest axis that one slab takes.
    rows: u64,
    /// Slabs do not cross a multiple of this many indices.
    chunk_rows: u64,
    next: u64,
}

impl Dataset {
    /// Windows that cover the dataset one after the other along its slowest axis, each of at most `max_bytes`.
    ///
    /// They end where chunks end, so that each chunk is decoded once, as long as one row of chunks is within
    /// `max_bytes`; where it is not, a slab is a part of a row of chunks, and those are decoded more than once. A single
    /// index along the slowest axis is never cut, whatever it takes. A scalar is one slab.
    pub fn slabs(&self, max_bytes: u64) -> Slabs {
        let shape = self.shape().to_vec();
        let chunk_rows =
            self.chunk_dims().and_then(|dims| dims.first().copied()).unwrap_or(1).max(1);
        let size = u64::from(self.datatype().size);
        let row_bytes = shape.iter().skip(1).fold(size, |bytes, n| bytes.saturating_mul(*n));
        let rows = max_bytes.checked_div(row_bytes).unwrap_or(u64::MAX).max(1);
        let whole = rows.checked_div(chunk_rows).unwrap_or(0).saturating_mul(chunk_rows);
        Slabs { shape, rows: if whole > 0 { whole } else { rows }, chunk_rows, next: 0 }
    }
}

impl Iterator for Slabs {
    type Item = Window;

    fn next(&mut self) -> Option<Window> {
        let end = self.shape.first().copied().unwrap_or(1);
        if self.next >= end || self.shape.contains(&0) {
            return None;
        }
        let mut window = Window::all(&self.shape);
        let first = self.next;
        let mut last = first.saturating_add(self.rows).min(end);
        if self.rows < self.chunk_rows {
            // Parts of one row of chunks.
            let row = first.checked_div(self.chunk_rows).unwrap_or(0).saturating_add(1);
            last = last.min(row.saturating_mul(self.chunk_rows));
        }
        if let (Some(start), Some(n)) = (window.start.first_mut(), window.shape.first_mut()) {
            (*start, *n) = (first, last.saturating_sub(first));
        }
        self.next = last;
        Some(window)
    }
}
