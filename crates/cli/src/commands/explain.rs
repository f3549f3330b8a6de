//! `explain`: the page of a code.

use std::io::Write;

use clap::{Args, ValueEnum};
use medh5::validate::codes::{self, Code};
use serde_json::{Value, json};

use super::codes::describe;
use crate::exit::{Failure, Outcome};
use crate::page;
use crate::terminal::{Terminal, stdout, width};

/// Tells what a code means, why it matters, how it comes about and how to repair the file
///
/// Needs no network: the pages are part of the program. An example is a list of edits to a small legal sample and, after `---`, the
/// findings they give.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  medh5-lite explain E202
  medh5-lite explain --all --format markdown > codes.md")]
pub(super) struct Explain {
    /// The codes, such as E202
    #[arg(value_name = "CODE", required_unless_present = "all")]
    codes: Vec<String>,
    /// Every code
    #[arg(long, conflicts_with = "codes")]
    all: bool,
    /// How to write it
    #[arg(long, value_name = "FORM", default_value = "text")]
    format: Form,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For reading in a terminal
    Text,
    /// A list of objects with one member per heading
    Json,
    /// The pages as they are
    Markdown,
}

impl Explain {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let wanted = if self.all {
            codes::ALL.to_vec()
        } else {
            self.codes.iter().map(|name| find(name)).collect::<Result<_, _>>()?
        };
        let mut out = stdout();
        match if self.json { Form::Json } else { self.format } {
            Form::Text => {
                for (index, code) in wanted.into_iter().enumerate() {
                    let gap = if index == 0 { "" } else { "\n\n" };
                    write!(out, "{gap}{}", text(code, terminal))?;
                }
            }
            Form::Json => {
                let list: Vec<_> = wanted.into_iter().map(as_json).collect();
                serde_json::to_writer_pretty(&mut out, &list).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
            Form::Markdown => {
                for (index, code) in wanted.into_iter().enumerate() {
                    let gap = if index == 0 { "" } else { "\n" };
                    let rest = code.page.split_once('\n').map_or("", |(_, rest)| rest);
                    write!(out, "{gap}# {}: {}\n{rest}", code.name, code.summary)?;
                }
            }
        }
        out.flush()?;
        Ok(Outcome::Good)
    }
}

fn find(name: &str) -> Result<&'static Code, Failure> {
    codes::find(&name.to_ascii_uppercase()).ok_or_else(|| {
        Failure::Usage(format!("there is no code `{name}`; `medh5-lite codes` lists them"))
    })
}

fn text(code: &Code, terminal: Terminal) -> String {
    let paint = terminal.paint;
    let title = format!("{} ({}): {}", code.name, code.severity.name(), code.summary);
    let title =
        if code.name.starts_with('E') { paint.error(&title) } else { paint.warning(&title) };
    let origin = format!("{}, since format {}", code.domain.name(), code.since);
    format!("{title}\n{}\n{}", paint.faint(&origin), page::to_text(code.page, width(), paint))
}

fn as_json(code: &'static Code) -> Value {
    let mut entry = describe(code);
    let sections: Vec<_> = page::sections(code.page)
        .map(|(heading, body)| json!({ "heading": heading, "markdown": body }))
        .collect();
    entry["sections"] = sections.into();
    entry
}
