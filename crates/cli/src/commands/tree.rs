//! `tree`: what is in a file.

use std::io::{self, Write};

use clap::Args;
use hdf5::{Group, LinkTarget, Object};
use medh5::{Opened, ReadError};
use serde_json::{Value, json};

use crate::describe::{attributes_of, extent, storage, type_name};
use crate::exit::{Failure, Outcome};
use crate::target::{Target, sentence};
use crate::terminal::{Paint, Terminal};

/// Lists the groups, datasets and links of a file
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

/// Deepest nesting that is shown: legal files end far above.
const MAX_DEPTH: usize = 64;

impl Tree {
    pub(super) fn run(self, terminal: Terminal) -> Result<Outcome, Failure> {
        let (input, opened) = self.target.open()?;
        let root = match &opened {
            Opened::Sample(sample) => sample.root(),
            Opened::Collection(collection) => collection.root(),
        };
        let about = |error: ReadError| Failure::about(&input, sentence(&error));
        let mut node = Node::of("", Object::Group(root.clone())).map_err(about)?;
        node.fill(root, MAX_DEPTH).map_err(about)?;
        let mut out = terminal.stdout();
        if self.json {
            let report =
                json!({ "path": input.to_string(), "objects": node.as_json()["children"] });
            serde_json::to_writer_pretty(&mut out, &report).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{}", terminal.paint.strong(&input.to_string()))?;
            node.write("", self.attributes, terminal.paint, &mut out)?;
        }
        out.flush()?;
        Ok(Outcome::Good)
    }
}

/// An object or a link that leads to none.
struct Node {
    name: String,
    path: String,
    kind: &'static str,
    summary: String,
    shape: Option<Vec<u64>>,
    dtype: Option<String>,
    attributes: serde_json::Map<String, Value>,
    children: Vec<Node>,
}

impl Node {
    fn of(path: &str, object: Object) -> Result<Self, ReadError> {
        let attributes = match &object {
            Object::Datatype(_) => serde_json::Map::new(),
            object => attributes_of(object)?,
        };
        let (kind, summary, shape, dtype) = match object {
            Object::Group(_) => ("group", kind_of_part(&attributes), None, None),
            Object::Dataset(dataset) => {
                let dtype = type_name(dataset.datatype());
                let summary = format!("{} {dtype} {}", extent(dataset.shape()), storage(&dataset));
                ("dataset", summary, Some(dataset.shape().to_vec()), Some(dtype))
            }
            Object::Datatype(committed) => ("datatype", type_name(&committed.datatype), None, None),
        };
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        Ok(Self {
            name,
            path: path.into(),
            kind,
            summary,
            shape,
            dtype,
            attributes,
            children: Vec::new(),
        })
    }

    fn link(path: &str, summary: String) -> Self {
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        let attributes = serde_json::Map::new();
        Self {
            name,
            path: path.into(),
            kind: "link",
            summary,
            shape: None,
            dtype: None,
            attributes,
            children: Vec::new(),
        }
    }

    /// Adds what is in `group`. Soft links are shown, not followed: a tree that follows them need not end.
    fn fill(&mut self, group: &Group, depth_left: usize) -> Result<(), ReadError> {
        for link in group.links()?.iter() {
            let name = link.name();
            let path = format!("{}/{name}", self.path);
            let child = match &link.target {
                LinkTarget::Soft(target) => {
                    Self::link(&path, format!("-> {}", String::from_utf8_lossy(target)))
                }
                LinkTarget::External { file, path: target } => {
                    let (file, target) =
                        (String::from_utf8_lossy(file), String::from_utf8_lossy(target));
                    Self::link(&path, format!("-> {target} in the file {file}"))
                }
                LinkTarget::Hard(_) => match group.get(&name)? {
                    Some(Object::Group(inner)) if depth_left > 0 => {
                        let mut child = Self::of(&path, Object::Group(inner.clone()))?;
                        child.fill(&inner, depth_left - 1)?;
                        child
                    }
                    Some(object) => Self::of(&path, object)?,
                    None => Self::link(&path, "-> nothing".into()),
                },
                _ => Self::link(&path, "-> a link of a kind that is not supported".into()),
            };
            self.children.push(child);
        }
        Ok(())
    }

    fn write(
        &self,
        indent: &str,
        attributes: bool,
        paint: Paint,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if attributes {
            for (name, value) in &self.attributes {
                writeln!(out, "{indent}    {}", paint.faint(&format!("@{name} = {value}")))?;
            }
        }
        for (index, child) in self.children.iter().enumerate() {
            let (branch, below) = match index + 1 == self.children.len() {
                true => ("└── ", "    "),
                false => ("├── ", "│   "),
            };
            let slash = if child.kind == "group" { "/" } else { "" };
            let name = paint.strong(&format!("{}{slash}", child.name));
            writeln!(out, "{}", format!("{indent}{branch}{name}  {}", child.summary).trim_end())?;
            child.write(&format!("{indent}{below}"), attributes, paint, out)?;
        }
        Ok(())
    }

    fn as_json(&self) -> Value {
        let mut object = json!({ "path": self.path.trim_start_matches('/'), "name": self.name, "kind": self.kind });
        if !self.summary.is_empty() {
            object["describe"] = self.summary.clone().into();
        }
        if let Some(shape) = &self.shape {
            object["shape"] = shape.clone().into();
        }
        if let Some(dtype) = &self.dtype {
            object["dtype"] = dtype.clone().into();
        }
        object["attributes"] = self.attributes.clone().into();
        if self.kind == "group" {
            object["children"] = self.children.iter().map(Self::as_json).collect();
        }
        object
    }
}

/// What an annotation or a transform says that it is.
fn kind_of_part(attributes: &serde_json::Map<String, Value>) -> String {
    attributes
        .get("kind")
        .and_then(Value::as_str)
        .map_or_else(String::new, |kind| format!("kind={kind}"))
}
