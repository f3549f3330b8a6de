//! `tree`: what is in a file.

use std::io::{self, Write};

use clap::Args;
use medh5::Opened;
use medh5::summary::{Node, NodeKind};
use serde_json::json;

use crate::exit::{Failure, Outcome};
use crate::target::Target;
use crate::terminal::{Paint, Terminal, stdout};

/// Lists the groups, datasets and links of a file
///
/// Takes any HDF5 file.
#[derive(Debug, Args)]
pub(super) struct Tree {
    #[command(flatten)]
    target: Target,
    /// Also list attributes
    #[arg(short, long)]
    attributes: bool,
    /// As JSON, with attributes
    #[arg(long)]
    json: bool,
}

impl Tree {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let (input, opened) = self.target.open_any()?;
        let root = match &opened {
            Opened::Sample(sample) => sample.root(),
            Opened::Collection(collection) => collection.root(),
        };
        let node = Node::tree(root).map_err(|error| Failure::about(&input, error.sentence()))?;
        let mut out = stdout();
        if self.json {
            let report = json!({ "path": input.to_string(), "objects": node.children });
            serde_json::to_writer_pretty(&mut out, &report).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{}", terminal.paint.strong(&input.to_string()))?;
            write(&node, "", self.attributes, terminal.paint, &mut out)?;
        }
        out.flush()?;
        Ok(Outcome::Good)
    }
}

fn write(
    node: &Node,
    indent: &str,
    attributes: bool,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    if attributes {
        for (name, value) in node.attributes.in_file_order() {
            writeln!(out, "{indent}    {}", paint.faint(&format!("@{name} = {value}")))?;
        }
    }
    let children = node.children.as_deref().unwrap_or_default();
    for (index, child) in children.iter().enumerate() {
        let (branch, below) = if index + 1 == children.len() {
            ("└── ", "    ")
        } else {
            ("├── ", "│   ")
        };
        let slash = if child.kind == NodeKind::Group { "/" } else { "" };
        let name = paint.strong(&format!("{}{slash}", child.name));
        writeln!(out, "{}", format!("{indent}{branch}{name}  {}", child.description).trim_end())?;
        write(child, &format!("{indent}{below}"), attributes, paint, out)?;
    }
    Ok(())
}
