//! Digests, `content_id`, probability maps and the sampling index.

mod probability_maps;

use std::collections::BTreeSet;

use crate::ReadError;
use crate::clinical::CLINICAL;
use crate::index::stale_entries;
use crate::integrity::{
    Algorithm, Digest, DigestLines, DigestVerdict, UnboundKind, content_id_of, judge_digests,
    unbound_paths,
};
use crate::validate::{Context, Findings, Level, Rule, codes};

pub(in crate::validate) const RULE: Rule = Rule::new("check_integrity", Level::Integrity, check);

fn check(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let algorithm = algorithm(context, out)?;
    let mut digests = DigestLines::of(context.sample)?;
    probability_maps::look_while_hashing(context, &mut digests)?;
    dataset_digests(context, &digests, out)?;
    probability_maps::check(context, &unreadable(out), out)?;
    let has_no_digest = no_digests(&digests, out);
    let computed = match algorithm {
        Some(algorithm) => recomputed(context, &digests, algorithm, out)?,
        None => Recomputed::Not,
    };
    stated_content_id(context, &computed, out)?;
    out.object("/", |out| path_binding(context, &digests, &computed, has_no_digest, out))?;
    index_currency(context, out)
}

/// E703: the root names a known hash algorithm.
fn algorithm(context: &Context<'_>, out: &mut Findings) -> Result<Option<Algorithm>, ReadError> {
    let Some(name) = context.sample.attributes().text("digest_algo")? else {
        return Ok(Some(Algorithm::default()));
    };
    let algorithm = Algorithm::from_name(&name);
    if algorithm.is_none() {
        let known = Algorithm::ALL.map(Algorithm::name).join(", ");
        out.report(codes::E703, "/", format!("`digest_algo` is `{name}` (known: {known})"));
    }
    Ok(algorithm)
}

/// E701, E703, E001: every stored digest is one, and is that of the data.
fn dataset_digests(
    context: &Context<'_>,
    digests: &DigestLines<'_>,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let judged = judge_digests(&digests.lines, context.observer)?;
    for (line, judged) in digests.lines.iter().zip(judged) {
        if let Some((test, found)) = line.look.zip(judged.found) {
            context.scans.know(line.dataset, test, found);
        }
        let location = format!("/{}", line.path);
        match judged.verdict {
            DigestVerdict::Matches | DigestVerdict::Unverifiable => {}
            DigestVerdict::Differs => {
                let message = format!("the data do not give the stored digest {}", line.text);
                out.report(codes::E701, location, message);
            }
            DigestVerdict::Malformed => {
                let message = format!("`digest` is {:?}, not ALGORITHM:HEX", line.text);
                out.report(codes::E703, location, message);
            }
            DigestVerdict::Unreadable(error) => {
                out.report(codes::E001, location, error.to_string());
            }
        }
    }
    Ok(())
}

/// Where something was found to be unreadable.
fn unreadable(out: &Findings) -> BTreeSet<String> {
    let unreadable = out.iter().filter(|finding| finding.code == codes::E001);
    unreadable.map(|finding| finding.location.clone()).collect()
}

/// W901: some dataset that should have a digest has one.
fn no_digests(digests: &DigestLines<'_>, out: &mut Findings) -> bool {
    let undigested = digests.undigested.len();
    let none = undigested > 0 && digests.lines.is_empty();
    if none {
        out.report(codes::W901, "/", format!("none of {undigested} datasets has a digest"));
    }
    none
}

/// What came of computing `content_id` anew.
#[derive(Debug, PartialEq, Eq)]
enum Recomputed {
    As(Digest),
    /// Something that it covers cannot be read; reported.
    Failed,
    /// Not tried: the algorithm is unknown.
    Not,
}

/// E001: what `content_id` covers can be read, whether or not one is stored.
fn recomputed(
    context: &Context<'_>,
    digests: &DigestLines<'_>,
    algorithm: Algorithm,
    out: &mut Findings,
) -> Result<Recomputed, ReadError> {
    match content_id_of(context.sample, digests, algorithm) {
        Ok(digest) => Ok(Recomputed::As(digest)),
        Err(error) if error.is_interruption() => Err(error),
        Err(error) => {
            out.report(error.code().unwrap_or(codes::E001), "/", error.to_string());
            Ok(Recomputed::Failed)
        }
    }
}

/// E702, E703, W913: the stated `content_id` is a digest, and the one recomputed.
fn stated_content_id(
    context: &Context<'_>,
    computed: &Recomputed,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let Some(value) = context.sample.attributes().value("content_id")? else { return Ok(()) };
    let stated = value.scalar_string().and_then(|text| Digest::parse(&text));
    match (stated, computed) {
        (Some(stated), Recomputed::As(digest)) if stated == *digest => {}
        (_, Recomputed::As(digest)) if context.is_projection => {
            let message = format!(
                "`content_id` is not the recomputed {digest}, as far as this version knows"
            );
            out.report(codes::W913, "/", message);
        }
        (None, _) => {
            let message = format!("`content_id` is {:?}, not ALGORITHM:HEX", value.text());
            out.report(codes::E703, "/", message);
        }
        (Some(stated), Recomputed::As(digest)) => {
            let message = format!("`content_id` is {stated}, the content gives {digest}");
            out.report(codes::E702, "/", message);
        }
        (Some(_), _) => {}
    }
    Ok(())
}

/// E702, E704, W915: what `content_id` covers is what the attested paths lead to.
fn path_binding(
    context: &Context<'_>,
    digests: &DigestLines<'_>,
    computed: &Recomputed,
    has_no_digest: bool,
    out: &mut Findings,
) -> Result<(), ReadError> {
    let root = context.sample.attributes();
    if !root.has("content_id")? {
        return Ok(());
    }
    // Quirk: the reference reads the profiles for this before it sees that there is nothing to bind.
    let declared = root.strings("medh5_profiles")?.unwrap_or_default();
    if *computed == Recomputed::Failed {
        return Ok(());
    }
    let clinical_declared = declared.iter().any(|profile| profile == CLINICAL);
    for unbound in unbound_paths(context.sample, digests, clinical_declared)? {
        // Clinical datasets without a digest are the matter of check_clinical_digests.
        let is_clinical = unbound.path.split('/').next() == Some(CLINICAL);
        let location = format!("/{}", unbound.path);
        match unbound.why {
            UnboundKind::Undigested if has_no_digest || is_clinical => {}
            UnboundKind::Undigested => {
                out.report(codes::W915, location, "no digest, so `content_id` does not cover it");
            }
            UnboundKind::Alias => {
                let message =
                    "another path is this object's own, so `content_id` does not bind this one";
                out.report(codes::E704, location, message);
            }
            UnboundKind::CoveredNowhere => {
                let message =
                    "its own path is in the sampling index, where `content_id` covers nothing";
                out.report(codes::E702, location, message);
            }
        }
    }
    Ok(())
}

/// W905, E001: every entry of the sampling index describes its annotation as it is.
fn index_currency(context: &Context<'_>, out: &mut Findings) -> Result<(), ReadError> {
    out.object("/index", |out| {
        for name in stale_entries(context.sample, context.observer)? {
            let message = "`source_digest` is not that of the annotation; rebuild the entry";
            out.report(codes::W905, format!("/index/{name}"), message);
        }
        Ok(())
    })
}
