//! `codes`: the table of diagnostic codes.

use std::io::{self, Write};

use clap::Args;
use medh5::validate::codes::{ALL, Code};
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::selection::with_prefix;
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
        let mut list = Vec::new();
        for prefix in &self.prefixes {
            list.extend(with_prefix(prefix)?.1);
        }
        if self.prefixes.is_empty() {
            list.extend(ALL);
        }
        let mut out = stdout();
        if self.json {
            let list: Vec<_> = list.into_iter().map(describe).collect();
            serde_json::to_writer_pretty(&mut out, &list).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            write_table(&list, terminal.paint, &mut out)?;
        }
        out.flush()?;
        Ok(Outcome::Good)
    }
}

/// One line per code.
pub(super) fn write_table(codes: &[&Code], paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    codes.iter().try_for_each(|code| writeln!(out, "{}", line(code, paint)))
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
