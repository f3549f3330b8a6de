//! `explain`: the page of a code.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use medh5::validate::codes::{self, Code};
use serde_json::{Value, json};

use super::codes::{describe, write_table};
use crate::exit::{Failure, Outcome};
use crate::page;
use crate::selection::with_prefix;
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
    /// The codes, such as E202; what begins several codes, such as E2, lists those
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
        let mut wanted = Vec::new();
        for name in &self.codes {
            wanted.push(with_prefix(name)?.1);
        }
        if self.all {
            wanted.extend(codes::ALL.iter().map(|code| vec![*code]));
        }
        let mut out = stdout();
        match if self.json { Form::Json } else { self.format } {
            Form::Text => write_text(&wanted, terminal, &mut out)?,
            Form::Json => write_json(&wanted.concat(), &mut out)?,
            Form::Markdown => write_markdown(&wanted.concat(), &mut out)?,
        }
        out.flush()?;
        Ok(Outcome::Good)
    }
}

/// A page for each code that was named, a table where several codes begin with the name.
fn write_text(
    wanted: &[Vec<&'static Code>],
    terminal: Terminal,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (index, codes) in wanted.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n\n" };
        write!(out, "{gap}")?;
        match codes.as_slice() {
            [code] => write!(out, "{}", text(code, terminal))?,
            several => write_table(several, terminal.paint, out)?,
        }
    }
    Ok(())
}

fn write_json(codes: &[&'static Code], out: &mut dyn Write) -> io::Result<()> {
    let list: Vec<_> = codes.iter().copied().map(as_json).collect();
    serde_json::to_writer_pretty(&mut *out, &list)?;
    writeln!(out)
}

fn write_markdown(codes: &[&'static Code], out: &mut dyn Write) -> io::Result<()> {
    for (index, code) in codes.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        let rest = code.page.split_once('\n').map_or("", |(_, rest)| rest);
        write!(out, "{gap}# {}: {}\n{rest}", code.name, code.summary)?;
    }
    Ok(())
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
    let sections: Vec<_> = report::page::sections(code.page)
        .map(|(heading, body)| json!({ "heading": heading, "markdown": body }))
        .collect();
    entry["sections"] = sections.into();
    entry
}
