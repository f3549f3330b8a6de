//! The end of the file, where data are appended.

use alloc::vec::Vec;

use super::Sink;
use super::blob::aligned;
use crate::error::Error;
use crate::parse::Address;

/// Small pieces are written together.
const BUFFER_BYTES: usize = 1 << 20;

/// Appends to a sink, and writes what has its place already.
pub(super) struct Tail<'s> {
    sink: &'s mut dyn Sink,
    /// Where addresses count from.
    base: u64,
    /// Bytes that were appended, and not written yet.
    buffer: Vec<u8>,
    buffer_start: u64,
    /// The last byte that was written, and one.
    written: u64,
}

impl<'s> Tail<'s> {
    /// Appends from the address `end` on.
    pub(super) fn new(sink: &'s mut dyn Sink, base: u64, end: u64) -> Self {
        Self { sink, base, buffer: Vec::new(), buffer_start: aligned(end), written: 0 }
    }

    /// Where the next bytes will be.
    pub(super) fn next(&self) -> Address {
        Address(aligned(self.end()))
    }

    /// The address behind everything that was appended.
    pub(super) fn end(&self) -> u64 {
        self.buffer_start.saturating_add(self.buffer.len() as u64)
    }

    /// Appends bytes; where they are.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<Address, Error> {
        let start = self.next();
        let padding = start.0.saturating_sub(self.end());
        self.buffer.extend((0..padding).map(|_| 0));
        self.add(bytes)?;
        Ok(start)
    }

    /// Appends bytes right behind the last ones.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER_BYTES { self.flush() } else { Ok(()) }
    }

    /// Leaves room that is written later, or reads as zero.
    pub(super) fn skip(&mut self, len: u64) -> Result<Address, Error> {
        let start = self.next();
        self.flush()?;
        self.buffer_start = start.0.saturating_add(len);
        Ok(start)
    }

    /// Writes bytes where there is room for them.
    pub(super) fn put(&mut self, address: Address, bytes: &[u8]) -> Result<(), Error> {
        self.sink.write_at(self.base.saturating_add(address.0), bytes)?;
        self.written = self.written.max(address.0.saturating_add(bytes.len() as u64));
        Ok(())
    }

    /// Writes what was appended.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        let (start, buffer) = (self.buffer_start, core::mem::take(&mut self.buffer));
        self.buffer_start = self.buffer_start.saturating_add(buffer.len() as u64);
        if buffer.is_empty() { Ok(()) } else { self.put(Address(start), &buffer) }
    }

    /// Makes the file as long as it says: its last bytes may be room that was left.
    pub(super) fn finish(&mut self) -> Result<u64, Error> {
        self.flush()?;
        let end = self.end();
        if self.written < end {
            self.put(Address(end.saturating_sub(1)), &[0])?;
        }
        Ok(end)
    }
}
