//! A compressed file, decompressed into memory once: it has no places to begin at.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// The bytes of `path` from `offset` on, which must be `len`.
pub(super) fn read(path: &Path, offset: u64, len: u64) -> Result<Vec<u8>, String> {
    let said = |error: std::io::Error| format!("it cannot be decompressed: {error}");
    let mut stream = MultiGzDecoder::new(BufReader::new(File::open(path).map_err(said)?));
    let skipped = std::io::copy(&mut (&mut stream).take(offset), &mut std::io::sink());
    if skipped.map_err(said)? < offset {
        return Err("it ends before its voxels begin".into());
    }
    let expected = usize::try_from(len).map_err(|_| "its voxels do not fit memory".to_owned())?;
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(expected.min(1 << 20))
        .map_err(|_| "its voxels do not fit memory".to_owned())?;
    (&mut stream).take(len).read_to_end(&mut bytes).map_err(said)?;
    if bytes.len() < expected {
        return Err(format!("it holds {} bytes of voxels where {expected} are due", bytes.len()));
    }
    Ok(bytes)
}
