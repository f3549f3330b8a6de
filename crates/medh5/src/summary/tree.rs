//! The groups, datasets and links of a file.

use std::collections::BTreeMap;

use hdf5::{Address, Group, LinkTarget, Object};
use serde::Serialize;

use super::{attribute_values, extent_text, storage_text, type_text};
use crate::ReadError;
use crate::attributes::Attributes;
use crate::json::{Map, Value};

/// An object, or a link that leads to none.
#[derive(Debug, Clone, Serialize)]
pub struct Node {
    /// Path from where the tree starts, without a leading slash.
    pub path: String,
    /// Last component of the path.
    pub name: String,
    /// What it is.
    pub kind: NodeKind,
    /// In words: an annotation's kind, a dataset's extent, type and storage, or where a link leads.
    #[serde(rename = "describe", skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Extent in elements, for a dataset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<Vec<u64>>,
    /// Type of the elements, for a dataset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtype: Option<String>,
    /// Attributes by name.
    pub attributes: Map,
    /// Members, for a group, sorted by the bytes of their names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children: Option<Vec<Node>>,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "named after the objects of HDF5")]
pub enum NodeKind {
    Group,
    Dataset,
    Datatype,
    /// A link that is shown, not followed.
    Link,
}

/// Deepest nesting that is shown: legal files end far above.
const MAX_DEPTH: usize = 64;

impl Node {
    /// The tree below `root`. Soft links are shown, not followed, and a group that stands in several places is shown in the
    /// first: a tree that follows all links need not end.
    ///
    /// # Errors
    /// [`ReadError::File`] when an object is broken.
    pub fn tree(root: &Group) -> Result<Self, ReadError> {
        Self::group(String::new(), root, MAX_DEPTH, &mut BTreeMap::new())
    }

    /// `shown` holds the path of every group so far.
    fn group(
        path: String,
        group: &Group,
        depth_left: usize,
        shown: &mut BTreeMap<Address, String>,
    ) -> Result<Self, ReadError> {
        shown.insert(group.address(), path.clone());
        let mut node = Self::object(path, Object::Group(group.clone()))?;
        let mut children = Vec::new();
        for link in group.links()?.iter() {
            let name = link.name();
            let path = format!("{}/{name}", node.path).trim_start_matches('/').to_owned();
            children.push(match &link.target {
                LinkTarget::Hard(_) => match group.get(&link.name())? {
                    Some(Object::Group(inner)) if depth_left > 0 => {
                        match shown.get(&inner.address()) {
                            Some(first) => Self::link(path, format!("-> the same as /{first}")),
                            None => Self::group(path, &inner, depth_left - 1, shown)?,
                        }
                    }
                    Some(object) => Self::object(path, object)?,
                    None => Self::link(path, "-> nothing".into()),
                },
                target => Self::link(path, target_text(target)),
            });
        }
        node.children = Some(children);
        Ok(node)
    }

    fn object(path: String, object: Object) -> Result<Self, ReadError> {
        let attributes = match &object {
            Object::Datatype(_) => Map::default(),
            object => attribute_values(&Attributes::of(object.clone()))?,
        };
        let (kind, description, shape, dtype) = match object {
            Object::Group(_) => {
                let kind = attributes.get("kind").and_then(Value::as_str);
                let description = kind.map_or_else(String::new, |kind| format!("kind={kind}"));
                (NodeKind::Group, description, None, None)
            }
            Object::Dataset(dataset) => {
                let (shape, dtype) = (dataset.shape().to_vec(), type_text(dataset.datatype()));
                let description =
                    format!("{} {dtype} {}", extent_text(&shape), storage_text(&dataset));
                (NodeKind::Dataset, description, Some(shape), Some(dtype))
            }
            Object::Datatype(committed) => {
                (NodeKind::Datatype, type_text(&committed.datatype), None, None)
            }
        };
        Ok(Self { description, shape, dtype, attributes, ..Self::new(path, kind) })
    }

    fn link(path: String, description: String) -> Self {
        Self { description, ..Self::new(path, NodeKind::Link) }
    }

    fn new(path: String, kind: NodeKind) -> Self {
        Self {
            name: path.rsplit('/').next().unwrap_or_default().to_owned(),
            path,
            kind,
            description: String::new(),
            shape: None,
            dtype: None,
            attributes: Map::default(),
            children: None,
        }
    }
}

fn target_text(target: &LinkTarget) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match target {
        LinkTarget::Soft(path) => format!("-> {}", text(path)),
        LinkTarget::External { file, path } => {
            format!("-> {} in the file {}", text(path), text(file))
        }
        _ => "-> a link of a kind that is not supported".into(),
    }
}
