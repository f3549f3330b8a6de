//! Tables for spreadsheets, as RFC 4180 has them.

use medh5::cohort::{Audit, Outcome};

use crate::markup::csv_row;

/// One row per check and sample that it names; a check that names none has a row without a file.
pub fn findings_csv(audit: &Audit) -> String {
    let mut out =
        csv_row(["check", "code", "weight", "outcome", "what", "file", "site", "subject"]);
    for check in &audit.checks {
        let head =
            |outcome| [check.name, check.code.unwrap_or_default(), check.weight.word(), outcome];
        let named = check.groups.iter().flat_map(|group| {
            group
                .samples
                .iter()
                .filter_map(|place| Some((&group.label, audit.samples.get(*place)?)))
        });
        let mut is_empty = true;
        for (label, sample) in named {
            is_empty = false;
            let [name, code, weight, outcome] = head(outcome_word(check.outcome));
            let site = sample.site_id.as_deref().unwrap_or_default();
            let subject = sample.subject_id.as_deref().unwrap_or_default();
            out += &csv_row([name, code, weight, outcome, label, &sample.path, site, subject]);
        }
        if is_empty {
            let [name, code, weight, outcome] = head(outcome_word(check.outcome));
            out += &csv_row([name, code, weight, outcome, &check.sentence, "", "", ""]);
        }
    }
    out
}

/// One row per sample, readable or not.
pub fn samples_csv(audit: &Audit) -> String {
    let mut out =
        csv_row(["file", "opened", "sample", "subject", "site", "splits", "problems", "checks"]);
    for (place, sample) in audit.samples.iter().enumerate() {
        let named = audit
            .checks
            .iter()
            .filter(|check| check.groups.iter().any(|group| group.samples.contains(&place)));
        let names: Vec<&str> = named.map(|check| check.name).collect();
        out += &csv_row([
            sample.path.as_str(),
            if sample.is_open { "yes" } else { "no" },
            sample.sample_id.as_deref().unwrap_or_default(),
            sample.subject_id.as_deref().unwrap_or_default(),
            sample.site_id.as_deref().unwrap_or_default(),
            &sample.splits.join(" "),
            &sample.problems.join("; "),
            &names.join(" "),
        ]);
    }
    out
}

/// The word for an outcome, as in JSON.
pub(super) fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Found => "found",
        Outcome::Clean => "clean",
        Outcome::NotApplicable => "not-applicable",
    }
}
