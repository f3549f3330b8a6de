//! `sarif`: SARIF 2.1.0 as code-scanning services read it.
//!
//! A finding's place inside the file is a logical location: there are no lines in a binary file. Repeats of one code at
//! one object become one result with `occurrenceCount`, because services keep only the first few thousand results.

use std::io::{self, Write};

use medh5::ABOUT;
use medh5::validate::codes::{self, Code};
use medh5::validate::{Finding, Severity};
use serde_json::{Value, json};

use super::Report;
use super::audit::counts;
use crate::verdict::{Summary, Verdict};

/// Results and files, kept until the end: the run is one object.
#[derive(Default)]
pub(super) struct Sarif {
    artifacts: Vec<Value>,
    results: Vec<Value>,
}

impl Report for Sarif {
    fn file(&mut self, verdict: &Verdict, _: &mut dyn Write) -> io::Result<()> {
        let mut artifact =
            json!({ "location": { "uri": uri(verdict.name()) }, "length": verdict.bytes });
        if let Some(fingerprint) = &verdict.fingerprint {
            artifact["hashes"] = json!({ "blake3": fingerprint.trim_start_matches("blake3:") });
        }
        let index = self.artifacts.len();
        self.artifacts.push(artifact);
        let findings: Vec<_> = verdict.findings().collect();
        for group in findings.chunk_by(|a, b| is_repeat(*a, *b)) {
            if let [first, ..] = group {
                self.results.push(result(verdict, *first, group.len(), index));
            }
        }
        Ok(())
    }

    fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
        let rules: Vec<_> = codes::ALL.iter().map(|code| rule(code)).collect();
        let log = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": ABOUT.name,
                    "semanticVersion": ABOUT.version,
                    "rules": rules,
                    "properties": { "reference": ABOUT.reference, "codesRevision": ABOUT.codes_revision, "formats": ABOUT.formats },
                } },
                "invocations": [{ "executionSuccessful": !summary.is_interrupted() }],
                "artifacts": std::mem::take(&mut self.artifacts),
                "results": std::mem::take(&mut self.results),
                "properties": { "summary": counts(summary) },
            }],
        });
        serde_json::to_writer_pretty(&mut *out, &log)?;
        writeln!(out)?;
        out.flush()
    }
}

fn is_repeat((a, a_muted): (&Finding, bool), (b, b_muted): (&Finding, bool)) -> bool {
    (a.code, &a.location, a_muted) == (b.code, &b.location, b_muted)
}

fn rule(code: &Code) -> Value {
    json!({
        "id": code.name,
        "shortDescription": { "text": code.summary },
        "help": { "text": code.page, "markdown": code.page },
        "defaultConfiguration": { "level": code.severity.name() },
        "properties": { "tags": [code.domain.name()], "since": code.since, "codesRevision": code.revision },
    })
}

fn result(
    verdict: &Verdict,
    (found, muted): (&Finding, bool),
    occurrences: usize,
    artifact: usize,
) -> Value {
    let level = if verdict.fails(found) { Severity::Error } else { Severity::Warning };
    let mut result = json!({
        "ruleId": found.code.name,
        "level": level.name(),
        "message": { "text": found.message },
        "locations": [{
            "physicalLocation": { "artifactLocation": { "uri": uri(verdict.name()), "index": artifact } },
            "logicalLocations": [{ "fullyQualifiedName": found.location, "kind": "object" }],
        }],
        "partialFingerprints": { "codeAndLocation/v1": format!("{} {} {}", found.code.name, verdict.name(), found.location) },
    });
    if occurrences > 1 {
        result["occurrenceCount"] = occurrences.into();
    }
    if muted {
        result["suppressions"] = json!([{ "kind": "external" }]);
    }
    if verdict.is_promoted(found) {
        result["properties"] = json!({ "promoted": true });
    }
    result
}

/// A path as a URI reference: relative paths stay relative, the rest becomes `file:`.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    let encode = |byte: u8| match byte {
        b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    std::iter::once(scheme.to_owned()).chain(path.bytes().map(encode)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Form;
    use super::super::tests::written;
    use super::uri;
    use medh5::validate::Level;
    use serde_json::Value;

    #[test]
    fn a_result_has_rule_place_and_weight() {
        let log: Value = serde_json::from_str(&written(Form::Sarif, Level::Strict)).unwrap();
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), 100);
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), 3, "a muted finding is not a repeat of one that counts");
        let place = &results[0]["locations"][0];
        assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "data/case%201.medh5");
        assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], "/images/CT");
        assert_eq!(results[1]["level"], "error", "promoted by strict");
        assert_eq!(results[2]["suppressions"][0]["kind"], "external");
    }

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("./a b/ü.medh5"), "a%20b/%C3%BC.medh5");
        assert_eq!(uri("/data/a.medh5c::k"), "file:///data/a.medh5c%3A%3Ak");
    }
}
