//! The digest of one dataset: its path, type, extent and decoded elements. Spec: MEDH5 1.0 §13.1.

use std::borrow::Cow;

use hdf5::{Dataset, Dataspace, Datatype, DatatypeClass, Elements, NumberType, Slabs, Window};

use super::{Algorithm, Digest, Hasher};
use crate::ReadError;
use crate::plausible::require_plausible_scan;
use crate::validate::{ElementTest, Memo, Observer, Question, What, checkpoint, pause};

/// The most bytes of a dataset that are decoded at once; twice that is in memory.
const SLAB_BYTES: u64 = 64 << 20;

/// The same where parts of a chunk can be had, by Blosc2 and without filters: nothing is won by holding whole rows of chunks.
const PARTIAL_SLAB_BYTES: u64 = 16 << 20;

/// The most elements then: a layer of blocks in a large volume. More would only keep other datasets from being hashed beside it.
const PARTIAL_SLAB_ELEMENTS: u64 = 8 << 20;

/// Smaller datasets are hashed in few pieces, wherever these begin.
const WANTED_SLAB_BYTES: u64 = 1 << 20;

/// Bytes that are hashed between two chances to pause.
const HASHED_AT_ONCE: usize = 4 << 20;

/// Identifier of the Blosc2 filter.
const BLOSC2: u16 = 32_026;

/// The digest of `dataset` as the object at `path` (from the sample's root, without a leading slash).
///
/// Reads the elements in pieces of bounded size, and tells `observer` of each. `None` for types that have no canonical
/// bytes: sequences of variable length and references.
///
/// # Errors
/// [`ReadError::File`] when the elements cannot be read, [`ReadError::Value`] for a null dataspace, which has no extent,
/// [`ReadError::Stopped`] when the observer wants to stop.
pub fn dataset_digest(
    algorithm: Algorithm,
    path: &str,
    dataset: &Dataset,
    observer: &dyn Observer,
) -> Result<Option<Digest>, ReadError> {
    Ok(digest_and_look(algorithm, path, dataset, None, observer)?.map(|digested| digested.digest))
}

/// What one pass over the elements of a dataset gave.
#[derive(Debug, Clone)]
pub(super) struct Digested {
    pub(super) digest: Digest,
    /// Whether some element passes the test that was asked for; `None` when the elements were not looked at for it.
    pub(super) found: Option<bool>,
}

/// As [`dataset_digest`], and looks for elements that pass `test` on their way to the hash, so that they are decoded once.
///
/// # Errors
/// As [`dataset_digest`].
pub(super) fn digest_and_look(
    algorithm: Algorithm,
    path: &str,
    dataset: &Dataset,
    test: Option<ElementTest>,
    observer: &dyn Observer,
) -> Result<Option<Digested>, ReadError> {
    let Some(mut hasher) = DatasetHasher::new(algorithm, path, dataset) else { return Ok(None) };
    hasher.look = test.zip(dataset.datatype().number()).map(|(test, number)| Look {
        test,
        number,
        found: false,
    });
    if *dataset.dataspace() == Dataspace::Null {
        let reason = format!("`{path}` has no elements and no extent, so it has no digest");
        return Err(ReadError::value(reason));
    }
    require_plausible_scan(dataset)?;
    if let Some(memo) = observer.memo() {
        let what = What::Digest(algorithm, path.to_owned());
        let question = Question { address: dataset.address(), what };
        return Resumable { dataset, observer, memo, question }.digest(hasher).map(Some);
    }
    match hasher.payload {
        Payload::Texts => hash_texts(&mut hasher, dataset, observer)?,
        Payload::Bytes => hash_bytes(&mut hasher, dataset, observer)?,
    }
    Ok(Some(hasher.digested()))
}

/// Hashing for a host that repeats calls.
struct Resumable<'a> {
    dataset: &'a Dataset,
    observer: &'a dyn Observer,
    memo: &'a Memo,
    question: Question,
}

/// How far the hashing of a dataset has come.
enum HashedUntil {
    /// This many pieces were read; what is left of the last one waits.
    Piece {
        hasher: Box<DatasetHasher>,
        next: usize,
        waiting: Vec<u8>,
        hashed: usize,
    },
    Done(Digested),
}

impl Resumable<'_> {
    /// Goes on where the last call was interrupted, and ends early when the host asks.
    fn digest(self, hasher: DatasetHasher) -> Result<Digested, ReadError> {
        let kept = self.memo.take(&self.question);
        let hasher = Box::new(hasher);
        let start = HashedUntil::Piece { hasher, next: 0, waiting: Vec::new(), hashed: 0 };
        let mut state = kept.unwrap_or(start);
        let result = self.go_on(&mut state);
        self.memo.keep(self.question, state);
        result
    }

    fn go_on(&self, state: &mut HashedUntil) -> Result<Digested, ReadError> {
        let (hasher, next, waiting, hashed) = match state {
            HashedUntil::Done(digested) => return Ok(digested.clone()),
            HashedUntil::Piece { hasher, next, waiting, hashed } => (hasher, next, waiting, hashed),
        };
        if hasher.payload == Payload::Texts {
            // Texts are short; they are hashed in one go.
            let mut hasher = DatasetHasher::clone(hasher);
            hash_texts(&mut hasher, self.dataset, self.observer)?;
            let digested = hasher.digested();
            *state = HashedUntil::Done(digested.clone());
            return Ok(digested);
        }
        let mut windows = slabs(self.dataset)?.skip(*next);
        loop {
            while let Some(rest) = waiting.get(*hashed..).filter(|rest| !rest.is_empty()) {
                let piece = rest.get(..HASHED_AT_ONCE).unwrap_or(rest);
                hasher.bytes(piece);
                *hashed += piece.len();
                pause(self.observer)?;
            }
            let Some(window) = windows.next() else { break };
            let plan = self.dataset.plan(&window)?;
            // A read that fails leaves nothing that counts as read.
            let mut piece = std::mem::take(waiting);
            *hashed = 0;
            piece.resize(plan.len_bytes(), 0);
            plan.read_bytes(&mut piece)?;
            *waiting = piece;
            *next += 1;
            checkpoint(self.observer, plan.len_bytes() as u64)?;
            pause(self.observer)?;
        }
        let digested = DatasetHasher::clone(hasher).digested();
        *state = HashedUntil::Done(digested.clone());
        Ok(digested)
    }
}

/// Hashes a dataset whose elements someone else reads, in C order.
#[derive(Debug, Clone)]
pub(crate) struct DatasetHasher {
    hasher: Hasher,
    payload: Payload,
    look: Option<Look>,
}

/// A question about the elements that are hashed.
#[derive(Debug, Clone)]
struct Look {
    test: ElementTest,
    number: NumberType,
    found: bool,
}

impl DatasetHasher {
    /// Takes in what comes before the elements. `None` as in [`dataset_digest`].
    pub(crate) fn new(algorithm: Algorithm, path: &str, dataset: &Dataset) -> Option<Self> {
        let (name, payload) = canonical_type(dataset.datatype())?;
        let extents: Vec<String> = dataset.shape().iter().map(u64::to_string).collect();
        let mut hasher = Hasher::new(algorithm);
        for part in [path, &name, &extents.join(",")] {
            hasher.update(part.as_bytes());
            hasher.update(&[0]);
        }
        Some(Self { hasher, payload, look: None })
    }

    /// Takes in the next elements, whole ones, as little-endian bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
        if let Some(look) = &mut self.look {
            look.found = look.found || look.test.any(look.number, bytes);
        }
    }

    /// Takes in the next elements of a text dataset.
    pub(crate) fn texts(&mut self, texts: &[Vec<u8>]) {
        for text in texts {
            self.hasher.update(text);
            self.hasher.update(&[0]);
        }
    }

    /// The digest of everything taken in.
    pub(crate) fn finish(self) -> Digest {
        self.hasher.finish()
    }

    fn digested(self) -> Digested {
        Digested { found: self.look.as_ref().map(|look| look.found), digest: self.finish() }
    }
}

/// What the elements contribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Payload {
    /// Their bytes, little-endian.
    Bytes,
    /// Each text and a NUL.
    Texts,
}

/// The type's name within a digest, and what its elements contribute.
fn canonical_type(datatype: &Datatype) -> Option<(Cow<'static, str>, Payload)> {
    if datatype.is_string() {
        return Some(("|O".into(), Payload::Texts));
    }
    if !has_fixed_bytes(datatype) {
        return None;
    }
    let name = match datatype.number() {
        _ if datatype.is_boolean() => "|b1".into(),
        Some(NumberType::I8) => "|i1".into(),
        Some(NumberType::U8) => "|u1".into(),
        Some(NumberType::I16) => "<i2".into(),
        Some(NumberType::U16) => "<u2".into(),
        Some(NumberType::I32) => "<i4".into(),
        Some(NumberType::U32) => "<u4".into(),
        Some(NumberType::I64) => "<i8".into(),
        Some(NumberType::U64) => "<u8".into(),
        Some(NumberType::F16) => "<f2".into(),
        Some(NumberType::F32) => "<f4".into(),
        Some(NumberType::F64) => "<f8".into(),
        None => format!("|V{}", datatype.size).into(),
    };
    Some((name, Payload::Bytes))
}

/// Whether the stored bytes are the value itself, not an address of it.
fn has_fixed_bytes(datatype: &Datatype) -> bool {
    match &datatype.class {
        DatatypeClass::VariableSequence { .. }
        | DatatypeClass::VariableString { .. }
        | DatatypeClass::Reference { .. } => false,
        DatatypeClass::Compound { members } => {
            members.iter().all(|member| has_fixed_bytes(&member.datatype))
        }
        DatatypeClass::Array { base, .. } => has_fixed_bytes(base),
        _ => true,
    }
}

fn hash_texts(
    hasher: &mut DatasetHasher,
    dataset: &Dataset,
    observer: &dyn Observer,
) -> Result<(), ReadError> {
    for window in slabs(dataset)? {
        if let Elements::Strings(texts) = dataset.read_window(&window)?.elements {
            hasher.texts(&texts);
            checkpoint(observer, texts.iter().map(Vec::len).sum::<usize>() as u64)?;
        }
    }
    Ok(())
}

fn hash_bytes(
    hasher: &mut DatasetHasher,
    dataset: &Dataset,
    observer: &dyn Observer,
) -> Result<(), ReadError> {
    let read = |window: &Window, out: &mut Vec<u8>| {
        // The plan knows the limits; room is made after it.
        let plan = dataset.plan(window)?;
        out.resize(plan.len_bytes(), 0);
        Ok(plan.read_bytes(out)?)
    };
    hash_in_slabs(hasher, dataset, read, observer)
}

/// Takes in all elements in pieces that follow the chunks of `dataset`, reading one while the piece before it is hashed.
///
/// `read` puts the elements of a window in place of what is in the buffer.
pub(crate) fn hash_in_slabs(
    hasher: &mut DatasetHasher,
    dataset: &Dataset,
    read: impl Fn(&Window, &mut Vec<u8>) -> Result<(), ReadError> + Sync,
    observer: &dyn Observer,
) -> Result<(), ReadError> {
    let (mut done, mut filling) = (Vec::new(), Vec::new());
    for window in slabs(dataset)? {
        let ((), read) = join(|| hasher.bytes(&done), || read(&window, &mut filling));
        read?;
        checkpoint(observer, filling.len() as u64)?;
        std::mem::swap(&mut done, &mut filling);
    }
    hasher.bytes(&done);
    Ok(())
}

/// The most bytes that hashing `dataset` holds in memory.
pub(super) fn held_bytes(dataset: &Dataset) -> u64 {
    let elements = dataset.dataspace().element_count().unwrap_or(u64::MAX);
    let decoded = elements.saturating_mul(dataset.datatype().size.into());
    decoded.min(slab_bytes(dataset).saturating_mul(2))
}

/// The pieces in which a dataset is hashed: rows of chunks, or of the blocks of its chunks where these are to be had alone.
fn slabs(dataset: &Dataset) -> Result<Slabs, ReadError> {
    let largest = slab_bytes(dataset);
    if held_bytes(dataset) <= WANTED_SLAB_BYTES || !decodes_in_parts(dataset) {
        return Ok(dataset.slabs(largest));
    }
    match dataset.block_dims().map_err(ReadError::from) {
        Ok(Some(block_dims)) => Ok(dataset.slabs_of_blocks(&block_dims, largest)),
        Err(error) if error.is_interruption() => Err(error),
        // A chunk that is broken is told of when its elements are read.
        Ok(None) | Err(_) => Ok(dataset.slabs(largest)),
    }
}

fn slab_bytes(dataset: &Dataset) -> u64 {
    if !decodes_in_parts(dataset) {
        return SLAB_BYTES;
    }
    let element_bytes = u64::from(dataset.datatype().size);
    PARTIAL_SLAB_ELEMENTS.saturating_mul(element_bytes).min(PARTIAL_SLAB_BYTES)
}

fn decodes_in_parts(dataset: &Dataset) -> bool {
    match dataset.filters() {
        [] => true,
        [only] => only.id == BLOSC2,
        _ => false,
    }
}

#[cfg(feature = "parallel")]
use rayon::join;

/// Does both, in turn.
#[cfg(not(feature = "parallel"))]
fn join<A, B>(first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
    (first(), second())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdf5::{CharacterSet, CompoundMember, StringPadding};

    fn datatype(size: u32, class: DatatypeClass) -> Datatype {
        Datatype { size, class }
    }

    #[test]
    fn addresses_have_no_canonical_bytes() {
        let byte = datatype(1, DatatypeClass::Opaque { tag: String::new() });
        let sequence = DatatypeClass::VariableSequence { base: Box::new(byte.clone()) };
        let sequence = datatype(16, sequence);
        assert_eq!(canonical_type(&sequence), None);
        assert_eq!(canonical_type(&datatype(8, DatatypeClass::Reference { kind: 0 })), None);
        let member = |datatype| CompoundMember { name: "m".into(), offset: 0, datatype };
        let compound = |datatype| DatatypeClass::Compound { members: vec![member(datatype)] };
        assert_eq!(canonical_type(&datatype(16, compound(sequence))), None);
        let found = canonical_type(&datatype(16, compound(byte)));
        assert_eq!(found, Some(("|V16".into(), Payload::Bytes)));
    }

    #[test]
    fn every_text_type_has_one_name() {
        let (padding, character_set) = (StringPadding::NullPadded, CharacterSet::Ascii);
        let texts = [
            datatype(7, DatatypeClass::FixedString { padding, character_set }),
            datatype(16, DatatypeClass::VariableString { padding, character_set }),
        ];
        for text in texts {
            assert_eq!(canonical_type(&text), Some(("|O".into(), Payload::Texts)));
        }
    }

    #[test]
    fn other_floats_are_bytes() {
        let long_double = datatype(16, Datatype::number_of(NumberType::F64).class);
        assert_eq!(canonical_type(&long_double), Some(("|V16".into(), Payload::Bytes)));
    }
}
