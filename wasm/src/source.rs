//! The host's bytes as the core's byte source.
//!
//! A host that can read without waiting (memory, a file inside a worker, Node) gives a function. Any other host
//! supplies ranges after the core has named them; see [`hdf5::SourceError::NotResident`].

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hdf5::{ByteSource, SourceError, check_bounds};
use js_sys::{Function, Uint8Array};
use send_wrapper::SendWrapper;
use wasm_bindgen::JsValue;

/// Ranges are asked for in whole blocks of this size: smaller ones cost more requests, larger ones bytes.
const BLOCK_BYTES: u64 = 16 * 1024;

/// One file of the host.
pub(crate) struct HostSource {
    len: u64,
    access: Access,
}

enum Access {
    /// Calls the host for every read.
    Function(SendWrapper<Function>),
    /// Calls the host, and keeps what it gave: for hosts where a call costs more than its bytes.
    Kept(SendWrapper<Function>, Mutex<Cache>),
    /// Answers from what the host supplied.
    Resident(Mutex<Cache>),
}

/// Where calls cost more than bytes, they ask for whole pieces of this size.
const LEAST_READ_BYTES: u64 = 4 * BLOCK_BYTES;

/// The most that is read ahead of the reads themselves.
const MOST_AHEAD_BYTES: u64 = 32 * 1024 * 1024;

/// Bytes that are kept; what a call in progress needs is kept beyond that.
const KEPT_BYTES: u64 = 64 * 1024 * 1024;

/// Blocks of the file, by their number.
#[derive(Default)]
struct Cache {
    blocks: BTreeMap<u64, Block>,
    bytes: u64,
    /// Counts the answers "not resident": a repeated call uses again what the call before it used.
    round: u64,
}

struct Block {
    bytes: Arc<[u8]>,
    /// The last round that used it.
    used: u64,
}

impl Cache {
    fn insert(&mut self, number: u64, bytes: &[u8]) {
        let block = Block { bytes: bytes.into(), used: self.round };
        self.bytes += bytes.len() as u64;
        if let Some(old) = self.blocks.insert(number, block) {
            self.bytes -= old.bytes.len() as u64;
        }
    }

    /// Begins a round. Over the cap, the blocks that were not used in the last one leave, the longest unused first: whatever a
    /// repeated call needs up to where it was interrupted was used or supplied in that round.
    fn turn(&mut self) {
        if self.bytes > KEPT_BYTES {
            let mut idle: Vec<(u64, u64)> = self
                .blocks
                .iter()
                .filter(|(_, block)| block.used < self.round)
                .map(|(number, block)| (block.used, *number))
                .collect();
            idle.sort_unstable();
            for (_, number) in idle {
                if self.bytes <= KEPT_BYTES {
                    break;
                }
                if let Some(block) = self.blocks.remove(&number) {
                    self.bytes -= block.bytes.len() as u64;
                }
            }
        }
        self.round += 1;
    }
}

impl HostSource {
    /// A source that reads through `read(start, end) => Uint8Array`; `is_slow` when calls cost more than their bytes.
    pub(crate) fn with_function(len: u64, read: Function, is_slow: bool) -> Self {
        let read = SendWrapper::new(read);
        let access =
            if is_slow { Access::Kept(read, Mutex::default()) } else { Access::Function(read) };
        Self { len, access }
    }

    /// A source that holds nothing yet.
    pub(crate) fn resident(len: u64) -> Self {
        Self { len, access: Access::Resident(Mutex::default()) }
    }

    /// Takes in bytes that start at `offset`, a multiple of the block size; the last block may be cut by the file's end.
    pub(crate) fn supply(&self, offset: u64, bytes: &[u8]) {
        let Access::Resident(blocks) = &self.access else { return };
        let mut cache = lock(blocks);
        let first = offset / BLOCK_BYTES;
        for (block, bytes) in (first..).zip(bytes.chunks(block_len())) {
            cache.insert(block, bytes);
        }
    }

    /// Forgets everything that was supplied.
    pub(crate) fn forget(&self) {
        if let Access::Resident(blocks) | Access::Kept(_, blocks) = &self.access {
            *lock(blocks) = Cache::default();
        }
    }

    /// Bytes that are held.
    pub(crate) fn resident_bytes(&self) -> u64 {
        match &self.access {
            Access::Resident(blocks) | Access::Kept(_, blocks) => lock(blocks).bytes,
            Access::Function(_) => 0,
        }
    }

    /// Reads what is missing of `ranges`, in pieces that are worth a call.
    fn read_through(
        &self,
        read: &Function,
        cache: &mut Cache,
        ranges: &[Range<u64>],
    ) -> Result<(), SourceError> {
        for missing in self.missing(cache, ranges) {
            let start = missing.start - missing.start % LEAST_READ_BYTES;
            let end = missing.end.next_multiple_of(LEAST_READ_BYTES).min(self.len);
            let mut bytes = vec![0; usize::try_from(end - start).unwrap_or(usize::MAX)];
            call(read, start, end, &mut bytes)?;
            for (number, block) in (start / BLOCK_BYTES..).zip(bytes.chunks(block_len())) {
                cache.insert(number, block);
            }
        }
        Ok(())
    }

    /// The whole blocks around `ranges` that are not held, neighbours joined. Those that are held count as used.
    fn missing(&self, cache: &mut Cache, ranges: &[Range<u64>]) -> Vec<Range<u64>> {
        let round = cache.round;
        let mut wanted: Vec<u64> = ranges
            .iter()
            .filter(|range| range.start < range.end)
            .flat_map(|range| {
                range.start / BLOCK_BYTES..=(range.end - 1).min(self.len) / BLOCK_BYTES
            })
            .filter(|block| match cache.blocks.get_mut(block) {
                Some(block) => {
                    block.used = round;
                    false
                }
                None => true,
            })
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut joined: Vec<Range<u64>> = Vec::new();
        for block in wanted {
            let (start, end) = (block * BLOCK_BYTES, ((block + 1) * BLOCK_BYTES).min(self.len));
            match joined.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ => joined.push(start..end),
            }
        }
        if !joined.is_empty() {
            cache.turn();
        }
        joined
    }
}

impl ByteSource for HostSource {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), SourceError> {
        check_bounds(offset, buf.len(), self.len)?;
        let end = offset + buf.len() as u64;
        match &self.access {
            Access::Function(read) => call(read, offset, end, buf),
            Access::Kept(read, blocks) => {
                let mut cache = lock(blocks);
                self.read_through(read, &mut cache, std::slice::from_ref(&(offset..end)))?;
                copy_out(&cache.blocks, offset, buf);
                Ok(())
            }
            Access::Resident(blocks) => {
                let mut cache = lock(blocks);
                let ranges = self.missing(&mut cache, std::slice::from_ref(&(offset..end)));
                if !ranges.is_empty() {
                    return Err(SourceError::NotResident { ranges });
                }
                copy_out(&cache.blocks, offset, buf);
                Ok(())
            }
        }
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<(), SourceError> {
        match &self.access {
            Access::Function(_) => Ok(()),
            Access::Kept(read, blocks) => {
                let bytes = ranges.iter().fold(0, |sum, range| {
                    range.end.saturating_sub(range.start).saturating_add(sum)
                });
                if bytes > MOST_AHEAD_BYTES {
                    return Ok(());
                }
                self.read_through(read, &mut lock(blocks), ranges)
            }
            Access::Resident(blocks) => {
                let ranges = self.missing(&mut lock(blocks), ranges);
                if ranges.is_empty() { Ok(()) } else { Err(SourceError::NotResident { ranges }) }
            }
        }
    }
}

/// Copies bytes that are all held.
fn copy_out(blocks: &BTreeMap<u64, Block>, offset: u64, buf: &mut [u8]) {
    let mut at = offset;
    let mut rest = buf;
    while !rest.is_empty() {
        let within = usize::try_from(at % BLOCK_BYTES).unwrap_or(0);
        let Some(block) =
            blocks.get(&(at / BLOCK_BYTES)).and_then(|block| block.bytes.get(within..))
        else {
            return;
        };
        let n = block.len().min(rest.len());
        let (head, tail) = rest.split_at_mut(n);
        head.copy_from_slice(&block[..n]);
        at += n as u64;
        rest = tail;
        if n == 0 {
            return;
        }
    }
}

fn call(read: &Function, offset: u64, end: u64, buf: &mut [u8]) -> Result<(), SourceError> {
    let failed = |reason: String| SourceError::Io { offset, reason };
    let (start, stop) = (as_number(offset), as_number(end));
    let found =
        read.call2(&JsValue::NULL, &start, &stop).map_err(|error| failed(reason_of(&error)))?;
    let found = Uint8Array::new(&found);
    if found.length() as usize != buf.len() {
        return Err(failed(format!("{} bytes came of {}", found.length(), buf.len())));
    }
    found.copy_to(buf);
    Ok(())
}

/// Offsets stay below 2^53, so that a JavaScript number holds them exactly.
#[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
pub(crate) fn as_number(offset: u64) -> JsValue {
    JsValue::from_f64(offset as f64)
}

fn reason_of(error: &JsValue) -> String {
    js_sys::Reflect::get(error, &JsValue::from_str("message"))
        .ok()
        .and_then(|message| message.as_string())
        .unwrap_or_else(|| "the host could not read the file".to_owned())
}

fn block_len() -> usize {
    usize::try_from(BLOCK_BYTES).unwrap_or(usize::MAX)
}

/// A panic while the lock was held ends the instance anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a block as a host does: fetch what is missing, then repeat.
    fn read(source: &HostSource, block: u64) {
        let mut buffer = [0; 4];
        if let Err(SourceError::NotResident { ranges }) =
            source.read_at(block * BLOCK_BYTES, &mut buffer)
        {
            for range in ranges {
                let bytes = vec![7; usize::try_from(range.end - range.start).unwrap()];
                source.supply(range.start, &bytes);
            }
            source.read_at(block * BLOCK_BYTES, &mut buffer).unwrap();
        }
        assert_eq!(buffer, [7; 4]);
    }

    #[test]
    fn memory_does_not_grow_with_the_file() {
        let blocks = 3 * KEPT_BYTES / BLOCK_BYTES;
        let source = HostSource::resident(blocks * BLOCK_BYTES);
        for block in 0..blocks {
            read(&source, block);
            assert!(source.resident_bytes() <= KEPT_BYTES + 2 * BLOCK_BYTES);
        }
    }

    #[test]
    fn what_a_repeated_call_needs_stays() {
        let needed = 2 * KEPT_BYTES / BLOCK_BYTES;
        let source = HostSource::resident(needed * BLOCK_BYTES);
        // One call that reads everything, one range after the other, and is repeated after each.
        let mut repeats = 0;
        'call: loop {
            repeats += 1;
            assert!(repeats < 1000, "the call never ends");
            for start in (0..needed).step_by(512) {
                let range = start * BLOCK_BYTES..(start + 512) * BLOCK_BYTES;
                if let Err(SourceError::NotResident { ranges }) = source.prefetch(&[range]) {
                    for range in ranges {
                        let bytes = vec![0; usize::try_from(range.end - range.start).unwrap()];
                        source.supply(range.start, &bytes);
                    }
                    continue 'call;
                }
            }
            break;
        }
        assert_eq!(repeats, needed / 512 + 1);
    }
}
