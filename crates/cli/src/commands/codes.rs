//! `codes`: the table of diagnostic codes.

use std::io::Write;

use clap::Args;
use medh5::validate::codes::{ALL, Code};
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::terminal::{Paint, Terminal, stdout};

/// Lists the diagnostic codes
///
/// `explain CODE` tells more about one of them.
#[derive(Debug, Args)]
pub(super) struct Codes {
    /// Only codes that begin like this, such as `E4` or `W`; repeatable
    #[arg(value_name = "PREFIX")]
    prefixes: Vec<String>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Codes {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let wanted = |code: &&Code| {
            self.prefixes.is_empty()
                || self.prefixes.iter().any(|p| code.name.starts_with(p.as_str()))
        };
        let list: Vec<_> = ALL.iter().copied().filter(wanted).collect();
        if list.is_empty() {
            let prefixes = self.prefixes.join("`, `");
            return Err(Failure::Usage(format!("no code begins with `{prefixes}`")));
        }
        let mut out = stdout();
        if self.json {
            let list: Vec<_> = list.into_iter().map(describe).collect();
            serde_json::to_writer_pretty(&mut out, &list).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            for code in list {
                writeln!(out, "{}", line(code, terminal.paint))?;
            }
        }
        out.flush()?;
        Ok(Outcome::Good)
    }
}

/// A code without its page.
pub(super) fn describe(code: &Code) -> Value {
    json!({
        "code": code.name,
        "severity": code.severity.name(),
        "domain": code.domain.name(),
        "since": code.since,
        "revision": code.revision,
        "summary": code.summary,
    })
}

fn line(code: &Code, paint: Paint) -> String {
    let name =
        if code.name.starts_with('E') { paint.error(code.name) } else { paint.warning(code.name) };
    format!("{name}  {:<11}  {}  {}", code.domain.name(), code.since, code.summary)
}
