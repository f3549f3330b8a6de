//! Verdicts of the reference beside ours: which files differ, and in what.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use medh5::validate::{Checked, Level, Options, Report, validate};
use serde_json::{Value, json};

use crate::{reference, scratch};

/// The levels, as files and reports name them.
pub const LEVELS: [(&str, Level); 4] = [
    ("structural", Level::Structural),
    ("semantic", Level::Semantic),
    ("integrity", Level::Integrity),
    ("strict", Level::Strict),
];

/// How a verdict of ours differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Other codes or severities: the verdict itself.
    Codes(String),
    /// The same codes at other places, or in another order or number.
    Locations(String),
    /// Something else of the report: profiles, counts, rules that ran.
    Rest(String),
}

impl Difference {
    /// What differs, as text.
    pub fn text(&self) -> &str {
        match self {
            Self::Codes(text) | Self::Locations(text) | Self::Rest(text) => text,
        }
    }
}

/// The reports that `tests/python/verdicts.py` had the reference write, by file name.
pub fn of_the_reference(folder: &Path, level: &str) -> BTreeMap<String, Value> {
    let path = folder.join(format!("{level}.json"));
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let reports: Vec<Value> = serde_json::from_str(&text).expect("verdicts.py writes JSON");
    reports
        .into_iter()
        .map(|report| (report["path"].as_str().unwrap_or_default().to_owned(), report))
        .collect()
}

/// Our report on a file, with the members of the reference's.
pub fn ours(path: &Path, level: Level) -> Value {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let report = validate(&scratch::name_of(path), Arc::new(bytes), &Options::new(level));
    to_json(&report.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

fn to_json(report: &Report) -> Value {
    let level =
        LEVELS.iter().find(|(_, level)| *level == report.level).expect("one of four levels").0;
    let found = report.findings.iter().map(|found| {
        json!({
            "code": found.code.name,
            "severity": found.code.severity.name(),
            "location": found.location,
            "message": found.message,
        })
    });
    let checked = match &report.checked {
        Checked::Nothing => json!({}),
        Checked::Sample { rules, schema_checked } => {
            json!({"rules": rules, "schema_checked": schema_checked})
        }
        Checked::Collection { samples } => json!({"samples": samples}),
    };
    let counts = report.counts();
    json!({
        "path": report.path,
        "level": level,
        "profiles": report.profiles,
        "ok": report.is_ok(),
        "errors": counts.errors,
        "warnings": counts.warnings,
        "promoted": counts.promoted,
        "diagnostics": found.collect::<Vec<Value>>(),
        "checked": checked,
    })
}

/// What both judges find at the strictest level, by file: whose finding, its code and its place.
pub fn strict(files: &[PathBuf]) -> Vec<BTreeSet<String>> {
    let mut arguments = ["validate", "--level", "strict", "--json"].map(str::to_owned).to_vec();
    arguments.extend(files.iter().map(|path| path.display().to_string()));
    let theirs: Vec<Value> =
        serde_json::from_slice(&reference::medh5(&arguments)).expect("the reference writes JSON");
    assert_eq!(theirs.len(), files.len(), "a report per file");
    let named = |side: &str, report: &Value| {
        places(report).into_iter().map(|place| format!("{side}: {place}")).collect::<Vec<_>>()
    };
    let of_both = |(path, theirs): (&PathBuf, &Value)| {
        let ours = ours(path, Level::Strict);
        [named("reference", theirs), named("ours", &ours)].concat().into_iter().collect()
    };
    files.iter().zip(&theirs).map(of_both).collect()
}

/// Compares everything but the wording of messages.
pub fn difference(theirs: &Value, ours: &Value) -> Option<Difference> {
    let (their_codes, our_codes) = (codes(theirs), codes(ours));
    if their_codes != our_codes {
        let missing: Vec<&String> = their_codes.difference(&our_codes).collect();
        let extra: Vec<&String> = our_codes.difference(&their_codes).collect();
        let messages: Vec<String> =
            messages(ours, &extra).chain(messages(theirs, &missing)).collect();
        return Some(Difference::Codes(format!(
            "missing {missing:?}, extra {extra:?}: {}",
            messages.join("; ")
        )));
    }
    let (their_places, our_places) = (places(theirs), places(ours));
    if their_places != our_places {
        let missing: Vec<&String> =
            their_places.iter().filter(|place| !our_places.contains(place)).collect();
        let extra: Vec<&String> =
            our_places.iter().filter(|place| !their_places.contains(place)).collect();
        return Some(Difference::Locations(format!("missing {missing:?}, extra {extra:?}")));
    }
    let members = ["level", "profiles", "ok", "errors", "warnings", "promoted", "checked"];
    let other = members.into_iter().find(|member| theirs[member] != ours[member])?;
    Some(Difference::Rest(format!("{other}: theirs {}, ours {}", theirs[other], ours[other])))
}

fn diagnostics(report: &Value) -> impl Iterator<Item = &Value> {
    report["diagnostics"].as_array().into_iter().flatten()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn codes(report: &Value) -> BTreeSet<String> {
    diagnostics(report)
        .map(|found| format!("{} {}", text(found, "code"), text(found, "severity")))
        .collect()
}

fn places(report: &Value) -> Vec<String> {
    diagnostics(report)
        .map(|found| format!("{} @ {}", text(found, "code"), text(found, "location")))
        .collect()
}

fn messages(report: &Value, codes: &[&String]) -> impl Iterator<Item = String> {
    let wanted: BTreeSet<&str> = codes.iter().filter_map(|code| code.split(' ').next()).collect();
    let found = diagnostics(report).filter(move |found| wanted.contains(text(found, "code")));
    found.take(3).map(|found| {
        format!("{} @ {}: {}", text(found, "code"), text(found, "location"), text(found, "message"))
    })
}
