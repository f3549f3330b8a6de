//! The fingerprint of a file as it lies on disk, for audit reports.

use std::fmt;

use hdf5::{ByteSource, SourceError};

/// Bytes read at a time.
const PIECE_BYTES: usize = 1 << 20;

/// BLAKE3 of the bytes of a file; its text is `blake3:` and lowercase hex.
///
/// It names exactly these bytes: unlike a digest of the format, it changes when a file is recompressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(blake3::Hash);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "blake3:{}", self.0)
    }
}

/// Reads every byte of `source` once, in order.
///
/// # Errors
/// Whatever the source answers.
pub fn fingerprint(source: &dyn ByteSource) -> Result<Fingerprint, SourceError> {
    let mut hasher = blake3::Hasher::new();
    let mut piece = Vec::new();
    let mut offset = 0;
    while offset < source.len() {
        let left = usize::try_from(source.len() - offset).unwrap_or(usize::MAX);
        piece.resize(left.min(PIECE_BYTES), 0);
        source.read_at(offset, &mut piece)?;
        hasher.update(&piece);
        offset += piece.len() as u64;
    }
    Ok(Fingerprint(hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_not_depend_on_the_pieces() {
        let bytes: Vec<u8> = (0..=255).cycle().take(PIECE_BYTES + 7).collect();
        let whole = blake3::hash(&bytes);
        assert_eq!(fingerprint(&bytes).unwrap(), Fingerprint(whole));
        assert_eq!(
            fingerprint(&Vec::new()).unwrap().to_string(),
            "blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
        );
    }
}
