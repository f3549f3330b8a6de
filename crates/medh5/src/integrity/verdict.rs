//! Whether stored digests hold.

use super::Digest;
use super::dataset_digest::{Digested, digest_and_look, held_bytes};
use super::lines::DigestLine;
use crate::ReadError;
use crate::parallel::in_order;
use crate::validate::Observer;

/// Datasets are hashed side by side as long as they hold at most this many bytes in memory together; one that holds more runs
/// alone and uses the threads for its own chunks. This bounds memory whatever the number of datasets.
const BATCH_BYTES: u64 = 64 << 20;

/// What comes of comparing a stored digest with the data.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DigestVerdict {
    /// The data give the stored digest.
    Matches,
    /// They give another.
    Differs,
    /// The stored text is no digest.
    Malformed,
    /// The type has no canonical bytes, so the claim can be neither checked nor refuted.
    Unverifiable,
    /// The data cannot be read.
    Unreadable(ReadError),
}

/// What became of a line.
#[derive(Debug, Clone)]
pub(crate) struct JudgedLine {
    pub(crate) verdict: DigestVerdict,
    /// Whether some element passes the test of [`DigestLine::look`]; `None` when not all of them were looked at.
    pub(crate) found: Option<bool>,
}

/// Judges each line, in the order of `lines`.
///
/// # Errors
/// Only interruptions; what cannot be read is a verdict.
pub(crate) fn judge_digests(
    lines: &[DigestLine<'_>],
    observer: &dyn Observer,
) -> Result<Vec<JudgedLine>, ReadError> {
    let mut verdicts = Vec::with_capacity(lines.len());
    let mut rest = lines;
    while !rest.is_empty() {
        let (batch, after) = rest.split_at(batch_len(rest));
        verdicts.extend(in_order(batch, |line| judge(line, observer))?);
        rest = after;
    }
    Ok(verdicts)
}

/// How many of the first lines fit one batch; at least one.
fn batch_len(lines: &[DigestLine<'_>]) -> usize {
    let mut bytes = 0_u64;
    let fits = |line: &&DigestLine<'_>| {
        bytes = bytes.saturating_add(held_bytes(line.dataset));
        bytes <= BATCH_BYTES
    };
    lines.iter().take_while(fits).count().max(1)
}

fn judge(line: &DigestLine<'_>, observer: &dyn Observer) -> Result<JudgedLine, ReadError> {
    let Some(stored) = Digest::parse(&line.text) else {
        return Ok(DigestVerdict::Malformed.into());
    };
    let (path, dataset) = (line.path, line.dataset);
    match digest_and_look(stored.algorithm(), path, dataset, line.look, observer) {
        Ok(Some(Digested { digest, found })) => {
            let matches = digest == stored;
            let verdict = if matches { DigestVerdict::Matches } else { DigestVerdict::Differs };
            Ok(JudgedLine { verdict, found })
        }
        Ok(None) => Ok(DigestVerdict::Unverifiable.into()),
        Err(error) if error.is_interruption() => Err(error),
        Err(error) => Ok(DigestVerdict::Unreadable(error).into()),
    }
}

impl From<DigestVerdict> for JudgedLine {
    /// A verdict that did not take all elements.
    fn from(verdict: DigestVerdict) -> Self {
        Self { verdict, found: None }
    }
}
