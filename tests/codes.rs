//! Every example of every code page gives exactly the findings that the page states.
//!
//! `tests/python/apply_edits.py` made the files, and had the reference agree, during `cargo xtask setup`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use medh5::validate::{Level, Options, codes, validate};
use oracles::scratch;

/// One `edit` block of a page.
struct Example {
    name: String,
    level: Level,
    profiles: Vec<String>,
    expected: Vec<String>,
}

impl Example {
    fn all() -> Vec<Self> {
        let of_page = |code: &&codes::Code| {
            let blocks = code.page.split("```edit\n").skip(1);
            blocks
                .enumerate()
                .map(|(index, rest)| Self::parse(code.name, index + 1, rest))
                .collect::<Vec<_>>()
        };
        codes::ALL.iter().flat_map(of_page).collect()
    }

    fn parse(code: &str, number: usize, rest: &str) -> Self {
        let block = rest.split("```").next().expect("a page that ends its blocks");
        let (edits, expected) = block.split_once("---\n").expect("edits, `---`, findings");
        let values = |verb: &str| -> Vec<String> {
            let prefix = format!("{verb} ");
            edits.lines().filter_map(|line| line.strip_prefix(&prefix)).map(str::to_owned).collect()
        };
        let level = values("level").first().map_or(Ok(Level::default()), |level| level.parse());
        let mut expected: Vec<_> = expected.lines().map(str::to_owned).collect();
        expected.sort();
        Self {
            name: format!("{code}-{number}"),
            level: level.expect("a level"),
            profiles: values("profile"),
            expected,
        }
    }

    fn path(&self, folder: &Path) -> PathBuf {
        let path = folder.join(format!("{}.medh5", self.name));
        if path.exists() { path } else { path.with_extension("medh5c") }
    }

    /// The findings as a page writes them.
    fn found(&self, folder: &Path) -> Vec<String> {
        let path = self.path(folder);
        let bytes = std::fs::read(&path).expect("a file that `cargo xtask setup` makes");
        let options = self.profiles.iter().fold(Options::new(self.level), |options, profile| {
            options.require(profile).expect("a profile of the format")
        });
        let report = validate(&self.name, Arc::new(bytes), &options).expect("nobody interrupts");
        let mut found: Vec<_> =
            report.findings.iter().map(|f| format!("{} @ {}", f.code.name, f.location)).collect();
        found.sort();
        found
    }
}

#[test]
fn every_example_gives_the_findings_it_states() {
    let folder = scratch::folder("codes");
    let mut differing = Vec::new();
    for example in Example::all() {
        let found = example.found(&folder);
        if found != example.expected {
            differing
                .push(format!("{}: {found:?}, the page says {:?}", example.name, example.expected));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
fn every_page_shows_its_own_code() {
    let examples = Example::all();
    for code in codes::ALL {
        let mut own = examples.iter().filter(|example| example.name.starts_with(code.name));
        let shows =
            |example: &Example| example.expected.iter().any(|line| line.starts_with(code.name));
        assert!(own.any(shows), "{}", code.name);
    }
}

#[test]
fn the_samples_that_examples_start_from_are_in_order() {
    let folder = scratch::folder("codes").join("bases");
    for path in scratch::files(&folder, ".medh5") {
        let bytes = std::fs::read(&path).expect("a file that was listed");
        let name = scratch::name_of(&path);
        let report = validate(&name, Arc::new(bytes), &Options::new(Level::Strict))
            .expect("nobody interrupts");
        assert!(report.findings.is_empty(), "{name}: {:?}", report.findings);
    }
}
