//! Reports read back from their JSON.

use serde::Deserialize;

use super::{Checked, Report};
use crate::validate::rules::RULES;
use crate::validate::{Finding, codes};

/// Why a text is no list of reports.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is no report: {reason}")]
pub struct NoReport {
    reason: String,
}

#[derive(Deserialize)]
struct File {
    path: String,
    level: String,
    #[serde(default)]
    profiles: Vec<String>,
    diagnostics: Vec<Diagnostic>,
    #[serde(default)]
    checked: Looked,
}

#[derive(Deserialize)]
struct Diagnostic {
    code: String,
    location: String,
    message: String,
}

#[derive(Deserialize, Default)]
struct Looked {
    rules: Option<Vec<String>>,
    #[serde(default)]
    schema_checked: bool,
    samples: Option<Vec<String>>,
}

/// Reads what [`super::to_json`] wrote. Counts are not read: they follow from the findings.
///
/// # Errors
/// [`NoReport`] for other JSON, an unknown level, code or rule, and a file on which the program itself failed.
pub fn from_json(text: &str) -> Result<Vec<Report>, NoReport> {
    let wrong = |error: serde_json::Error| NoReport { reason: error.to_string() };
    let files: Vec<File> = serde_json::from_str(text).map_err(wrong)?;
    files.into_iter().map(report).collect()
}

fn report(file: File) -> Result<Report, NoReport> {
    let unknown =
        |what: &str, name: &str| NoReport { reason: format!("{what} `{name}` is unknown") };
    let finding = |found: Diagnostic| {
        let code = codes::find(&found.code).ok_or_else(|| unknown("code", &found.code))?;
        Ok(Finding { code, location: found.location, message: found.message })
    };
    let rule = |name: &String| {
        let rule = RULES.iter().find(|rule| rule.name == name);
        rule.map(|rule| rule.name).ok_or_else(|| unknown("rule", name))
    };
    let checked = match (file.checked.samples, file.checked.rules) {
        (Some(samples), _) => Checked::Collection { samples },
        (None, Some(rules)) => Checked::Sample {
            rules: rules.iter().map(rule).collect::<Result<_, _>>()?,
            schema_checked: file.checked.schema_checked,
        },
        (None, None) => Checked::Nothing,
    };
    Ok(Report {
        level: file.level.parse().map_err(|_| unknown("level", &file.level))?,
        path: file.path,
        profiles: file.profiles,
        findings: file.diagnostics.into_iter().map(finding).collect::<Result<_, _>>()?,
        checked,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::{Level, Options, to_json};

    #[test]
    fn what_was_written_reads_back() {
        let mut report = Report::refused("a \"b\" ü", &Options::new(Level::Strict), "no such file");
        assert_eq!(from_json(&to_json([&report])), Ok(vec![report.clone()]));
        let rules = RULES.iter().map(|rule| rule.name).collect();
        report.checked = Checked::Sample { rules, schema_checked: true };
        report.profiles = vec!["core".into()];
        assert_eq!(
            from_json(&to_json([&report, &report])),
            Ok(vec![report.clone(), report.clone()])
        );
        report.checked = Checked::Collection { samples: vec!["/samples/a".into()] };
        assert_eq!(from_json(&to_json([&report])), Ok(vec![report]));
    }

    #[test]
    fn other_texts_are_refused() {
        let unknown = r#"[{"path": "a", "level": "deep", "diagnostics": []}]"#;
        assert_eq!(
            from_json(unknown).unwrap_err().to_string(),
            "this is no report: level `deep` is unknown"
        );
        assert!(from_json("{}").is_err() && from_json("").is_err());
    }
}
