//! The verdict on a whole sample: every stored digest, `content_id`, and what neither covers. Spec: MEDH5 1.0 §13.3.

use super::content_id::content_id_of;
use super::lines::{DigestLine, DigestLines};
use super::{Algorithm, DigestVerdict, judge_digests, unbound_paths};
use crate::ReadError;
use crate::index::stale_entries;
use crate::sample::Sample;
use crate::validate::{Observer, Version, codes};

/// What verifying a sample found. Paths have no leading slash and are sorted by bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verification {
    /// Every dataset that was looked at, or asked for, with its status.
    pub objects: Vec<(String, ObjectStatus)>,
    /// Datasets without a digest outside the sampling index. Not wrong by itself: see [`Verification::unsigned`].
    pub undigested: Vec<String>,
    /// Paths inside the attested groups that no line of a declared `content_id` covers.
    pub unsigned: Vec<String>,
    /// Whether the declared `content_id` is the one recomputed; `None` when there is none, or only a part was verified.
    pub content_id_ok: Option<bool>,
    /// Entries of the sampling index that do not describe their annotation any more. Derived data: never a failure.
    pub stale_index: Vec<String>,
}

/// What became of one dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectStatus {
    /// The data give the stored digest.
    Ok,
    /// They give another.
    Mismatch,
    /// There is no canonical digest at this path.
    Malformed,
    /// There is no dataset at this path.
    Missing,
    /// It carries a digest, but data of its type cannot have one.
    Unchecked,
}

impl ObjectStatus {
    /// The word that reports use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Mismatch => "MISMATCH",
            Self::Malformed => "MALFORMED",
            Self::Missing => "MISSING",
            Self::Unchecked => "UNCHECKED",
        }
    }
}

impl Verification {
    /// Whether everything that was looked at holds.
    pub fn is_ok(&self) -> bool {
        let bad = |status| !matches!(status, ObjectStatus::Ok | ObjectStatus::Unchecked);
        self.unsigned.is_empty()
            && self.content_id_ok != Some(false)
            && !self.objects.iter().any(|(_, status)| bad(*status))
    }

    /// The paths of the objects with this status.
    pub fn with_status(&self, status: ObjectStatus) -> impl Iterator<Item = &str> {
        self.objects
            .iter()
            .filter(move |(_, found)| *found == status)
            .map(|(path, _)| path.as_str())
    }

    /// The number of digests that were compared with data.
    pub fn checked(&self) -> usize {
        self.with_status(ObjectStatus::Ok).chain(self.with_status(ObjectStatus::Mismatch)).count()
    }
}

/// Verifies a whole sample, or with `partial` only the datasets at these paths and not `content_id`.
///
/// # Errors
/// [`ReadError::Value`] when the sample states no version, or one of another major number, and with code `E703` when it
/// declares an unknown `digest_algo`; otherwise when something that must
/// be hashed cannot be read, or the observer wants to stop.
pub fn verify(
    sample: &Sample,
    partial: Option<&[String]>,
    observer: &dyn Observer,
) -> Result<Verification, ReadError> {
    Version::read(sample.attributes())?.supported()?;
    let algorithm = declared_algorithm(sample)?;
    let digests = DigestLines::of(sample)?;
    let all = &digests.lines;
    let mut found = Verification {
        undigested: digests.undigested.iter().copied().map(str::to_owned).collect(),
        stale_index: stale_entries(sample, observer)?,
        ..Verification::default()
    };
    let Some(paths) = partial else {
        judge(all, &mut found, observer)?;
        if let Some(declared) = sample.attributes().value("content_id")? {
            let computed = content_id_of(sample, &digests, algorithm)?.to_string();
            found.content_id_ok = Some(declared.scalar_string() == Some(computed));
            let unbound = unbound_paths(sample, &digests, declares_clinical(sample)?)?;
            found.unsigned = unbound.into_iter().map(|unbound| unbound.path).collect();
            found.unsigned.sort_unstable();
        }
        return Ok(found);
    };
    let line = |path: &String| all.iter().find(|line| line.path == *path).cloned();
    let asked: Vec<DigestLine<'_>> = paths.iter().filter_map(line).collect();
    judge(&asked, &mut found, observer)?;
    for path in paths.iter().filter(|path| all.iter().all(|line| line.path != **path)) {
        let exists = sample.walk()?.datasets().any(|(known, _)| known == path);
        let status = if exists { ObjectStatus::Malformed } else { ObjectStatus::Missing };
        found.objects.push((path.clone(), status));
    }
    found.objects.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

/// The algorithm of `digest_algo`, SHA-256 when absent.
fn declared_algorithm(sample: &Sample) -> Result<Algorithm, ReadError> {
    let Some(name) = sample.attributes().text("digest_algo")? else {
        return Ok(Algorithm::default());
    };
    Algorithm::from_name(&name).ok_or_else(|| {
        let known = Algorithm::ALL.map(Algorithm::name).join(", ");
        ReadError::coded(codes::E703, format!("`digest_algo` is `{name}` (known: {known})"))
    })
}

fn declares_clinical(sample: &Sample) -> Result<bool, ReadError> {
    let profiles = sample.attributes().strings("medh5_profiles")?.unwrap_or_default();
    Ok(profiles.iter().any(|profile| profile == "clinical"))
}

fn judge(
    lines: &[DigestLine<'_>],
    found: &mut Verification,
    observer: &dyn Observer,
) -> Result<(), ReadError> {
    for (line, judged) in lines.iter().zip(judge_digests(lines, observer)?) {
        let status = match judged.verdict {
            DigestVerdict::Matches => ObjectStatus::Ok,
            DigestVerdict::Differs => ObjectStatus::Mismatch,
            DigestVerdict::Malformed => ObjectStatus::Malformed,
            DigestVerdict::Unverifiable => ObjectStatus::Unchecked,
            DigestVerdict::Unreadable(error) => return Err(error),
        };
        found.objects.push((line.path.to_owned(), status));
    }
    Ok(())
}
