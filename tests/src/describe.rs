//! Describes a file through our reader, line for line as `tests/python/describe.py` does through libhdf5.

mod dataset;
mod types;
mod values;

use std::collections::HashMap;

pub use dataset::window;
use hdf5::{Address, Attribute, Error, File, Group, Link, LinkTarget, Object};
use serde_json::{Value, json};
pub use types::describe as datatype;
pub use values::{digest, digest_bytes, holds_addresses};

/// One line per object, in the order of a depth-first walk over hard links sorted by the bytes of their names.
///
/// # Errors
/// When the root group cannot be opened; what fails further down shows in its line as `error`.
pub fn describe(file: &File) -> Result<Vec<Value>, Error> {
    let mut walk = Walk { lines: Vec::new(), seen: HashMap::new() };
    walk.visit(&Object::Group(file.root()?), "/".to_owned());
    Ok(walk.lines)
}

struct Walk {
    lines: Vec<Value>,
    seen: HashMap<Address, String>,
}

impl Walk {
    /// Describes an object unless it was met before; gives the path by which it was met first.
    fn visit(&mut self, object: &Object, path: String) -> String {
        let address = match object {
            Object::Group(group) => group.address(),
            Object::Dataset(dataset) => dataset.address(),
            Object::Datatype(datatype) => datatype.address,
        };
        if let Some(first) = self.seen.get(&address) {
            return first.clone();
        }
        self.seen.insert(address, path.clone());
        let place = self.lines.len();
        self.lines.push(Value::Null);
        self.lines[place] = match object {
            Object::Group(group) => {
                let links = self.links(group, &path);
                json!({"object": path, "kind": "group", "links": links, "attributes": attributes(group.attributes())})
            }
            Object::Dataset(dataset) => {
                let mut line = dataset::describe(dataset);
                line["object"] = path.clone().into();
                line["kind"] = "dataset".into();
                line["attributes"] = attributes(dataset.attributes());
                line
            }
            Object::Datatype(committed) => {
                json!({"object": path, "kind": "datatype", "type": types::describe(&committed.datatype)})
            }
        };
        path
    }

    fn links(&mut self, group: &Group, path: &str) -> Value {
        match group.links() {
            Ok(links) => links.iter().map(|link| self.link(group, path, link)).collect(),
            Err(error) => failed(&error),
        }
    }

    fn link(&mut self, group: &Group, path: &str, link: &Link) -> Value {
        let name = link.name();
        match &link.target {
            LinkTarget::Hard(_) => match group.get(&name) {
                Ok(Some(object)) => {
                    let target =
                        self.visit(&object, format!("{}/{name}", path.trim_end_matches('/')));
                    json!([name, "hard", target])
                }
                Ok(None) => json!([name, "hard", "nothing there"]),
                Err(error) => json!([name, "hard", failed(&error)]),
            },
            LinkTarget::Soft(target) => json!([name, "soft", text(target)]),
            LinkTarget::External { file, path } => {
                json!([name, "external", [text(file), text(path)]])
            }
            _ => json!([name, "other", null]),
        }
    }
}

fn attributes(list: Result<std::sync::Arc<[Attribute]>, Error>) -> Value {
    match list {
        Ok(list) => list.iter().map(attribute).collect(),
        Err(error) => failed(&error),
    }
}

fn attribute(attribute: &Attribute) -> Value {
    let digest = if values::comparable(&attribute.datatype, &attribute.dataspace) {
        attribute.read().map_or_else(|error| failed(&error), |array| digest(&array.elements).into())
    } else {
        Value::Null
    };
    json!([
        attribute.name,
        types::describe(&attribute.datatype),
        types::shape(&attribute.dataspace),
        digest
    ])
}

fn failed(error: &Error) -> Value {
    json!({"error": error.to_string()})
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
