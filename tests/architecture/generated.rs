//! Documents that are made from the code. `cargo xtask bless` runs these tests with `MEDH5_LITE_BLESS`, which writes them.

use std::fmt::Write as _;
use std::fs;

use medh5::validate::codes::ALL;
use oracles::scratch;

#[test]
fn generated_documents_are_current() {
    current("spec/codes.md", &codes());
}

fn current(path: &str, wanted: &str) {
    let place = scratch::workspace().join(path);
    if std::env::var_os("MEDH5_LITE_BLESS").is_some() {
        fs::write(&place, wanted).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    let found = fs::read_to_string(&place).unwrap_or_default();
    assert!(found == wanted, "{path} is not what the code gives: run `cargo xtask bless`");
}

/// The table with a link to every page.
fn codes() -> String {
    let mut text = String::from(
        "# Diagnostic codes\n\n\
         Made by `cargo xtask bless` from the table in `crates/medh5/src/validate/codes.rs`. Each code links to its page,\n\
         which `medh5-lite explain CODE` shows too.\n",
    );
    let mut domain = None;
    for code in ALL {
        let warnings = code.name.starts_with('W');
        if domain != Some((warnings, code.domain))
            && !(warnings && matches!(domain, Some((true, _))))
        {
            domain = Some((warnings, code.domain));
            let title = if warnings { "warnings" } else { code.domain.name() };
            let _ = write!(
                text,
                "\n## {title}\n\n| code | about | since | revision | meaning |\n| --- | --- | --- | --- | --- |\n"
            );
        }
        let _ = writeln!(
            text,
            "| [{name}](../crates/medh5/src/validate/codes/{name}.md) | {} | {} | {} | {} |",
            code.domain.name(),
            code.since,
            code.revision,
            code.summary.replace('|', "\\|"),
            name = code.name,
        );
    }
    text
}
