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
    /// Answers from what the host supplied.
    Resident(Mutex<BTreeMap<u64, Arc<[u8]>>>),
}

impl HostSource {
    /// A source that reads through `read(start, end) => Uint8Array`.
    pub(crate) fn with_function(len: u64, read: Function) -> Self {
        Self { len, access: Access::Function(SendWrapper::new(read)) }
    }

    /// A source that holds nothing yet.
    pub(crate) fn resident(len: u64) -> Self {
        Self { len, access: Access::Resident(Mutex::default()) }
    }

    /// Takes in bytes that start at `offset`, a multiple of the block size; the last block may be cut by the file's end.
    pub(crate) fn supply(&self, offset: u64, bytes: &[u8]) {
        let Access::Resident(blocks) = &self.access else { return };
        let mut blocks = lock(blocks);
        let first = offset / BLOCK_BYTES;
        for (block, bytes) in (first..).zip(bytes.chunks(block_len())) {
            blocks.insert(block, bytes.into());
        }
    }

    /// Forgets everything that was supplied.
    pub(crate) fn forget(&self) {
        if let Access::Resident(blocks) = &self.access {
            lock(blocks).clear();
        }
    }

    /// Bytes that are held.
    pub(crate) fn resident_bytes(&self) -> u64 {
        match &self.access {
            Access::Resident(blocks) => lock(blocks).values().map(|block| block.len() as u64).sum(),
            Access::Function(_) => 0,
        }
    }

    /// The whole blocks around `ranges` that are not held, neighbours joined.
    fn missing(&self, held: &BTreeMap<u64, Arc<[u8]>>, ranges: &[Range<u64>]) -> Vec<Range<u64>> {
        let mut wanted: Vec<u64> = ranges
            .iter()
            .filter(|range| range.start < range.end)
            .flat_map(|range| {
                range.start / BLOCK_BYTES..=(range.end - 1).min(self.len) / BLOCK_BYTES
            })
            .filter(|block| !held.contains_key(block))
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
            Access::Resident(blocks) => {
                let blocks = lock(blocks);
                let ranges = self.missing(&blocks, std::slice::from_ref(&(offset..end)));
                if !ranges.is_empty() {
                    return Err(SourceError::NotResident { ranges });
                }
                copy_out(&blocks, offset, buf);
                Ok(())
            }
        }
    }

    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<(), SourceError> {
        let Access::Resident(blocks) = &self.access else { return Ok(()) };
        let ranges = self.missing(&lock(blocks), ranges);
        if ranges.is_empty() { Ok(()) } else { Err(SourceError::NotResident { ranges }) }
    }
}

/// Copies bytes that are all held.
fn copy_out(blocks: &BTreeMap<u64, Arc<[u8]>>, offset: u64, buf: &mut [u8]) {
    let mut at = offset;
    let mut rest = buf;
    while !rest.is_empty() {
        let within = usize::try_from(at % BLOCK_BYTES).unwrap_or(0);
        let Some(block) = blocks.get(&(at / BLOCK_BYTES)).and_then(|block| block.get(within..))
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
