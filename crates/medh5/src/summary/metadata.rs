//! Everything that a sample says about itself, as stored.

use serde::Serialize;

use super::type_text;
use crate::attributes::Attributes;
use crate::integrity::canonical_attribute;
use crate::json::{Map, Value, parse};
use crate::sample::Chapter;
use crate::{ReadError, Sample};

/// The sample document and the attributes of the sample and of its parts.
#[derive(Debug, Clone, Serialize)]
pub struct Metadata {
    /// Attributes of the sample's root.
    pub attributes: Map,
    /// `/meta`; null when there is none.
    pub document: Value,
    /// Members of `grids` by name.
    pub grids: Parts,
    /// Members of `images` by name.
    pub images: Parts,
    /// Members of `annotations` by name.
    pub annotations: Parts,
    /// Members of `transforms` by name.
    pub transforms: Parts,
}

/// The parts of a chapter, sorted by the bytes of their names; a JSON object.
#[derive(Debug, Clone)]
pub struct Parts(pub Vec<(String, PartMetadata)>);

/// One grid, image, annotation or transform.
#[derive(Debug, Clone, Serialize)]
pub struct PartMetadata {
    /// Its attributes by name.
    pub attributes: Map,
    /// Extent in elements, for a dataset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<Vec<u64>>,
    /// Type of its elements, for a dataset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtype: Option<String>,
}

impl Serialize for Parts {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, part)| (name, part)))
    }
}

impl Metadata {
    /// Reads all metadata of `sample`.
    ///
    /// # Errors
    /// [`ReadError::File`] when a structure is broken, [`ReadError::Value`] when `/meta` is not JSON.
    pub fn of(sample: &Sample) -> Result<Self, ReadError> {
        let parts = |chapter| -> Result<Parts, ReadError> {
            let children = sample.children(chapter)?.iter();
            let read = children.map(|child| {
                let dataset = child.dataset();
                let part = PartMetadata {
                    attributes: attribute_values(child.attributes())?,
                    shape: dataset.map(|dataset| dataset.shape().to_vec()),
                    dtype: dataset.map(|dataset| type_text(dataset.datatype())),
                };
                Ok((child.name().to_owned(), part))
            });
            read.collect::<Result<_, ReadError>>().map(Parts)
        };
        Ok(Self {
            attributes: attribute_values(sample.attributes())?,
            document: document_of(sample)?,
            grids: parts(Chapter::Grids)?,
            images: parts(Chapter::Images)?,
            annotations: parts(Chapter::Annotations)?,
            transforms: parts(Chapter::Transforms)?,
        })
    }
}

fn document_of(sample: &Sample) -> Result<Value, ReadError> {
    let Some(text) = sample.document_text()? else { return Ok(Value::Null) };
    parse(&text).map_err(|error| ReadError::value(format!("/meta is not JSON: {error}")))
}

/// All attributes of an object as JSON values, by name. One that cannot be read becomes an object with its `error`.
///
/// # Errors
/// [`ReadError::File`] when the storage of the attributes is broken.
pub fn attribute_values(attributes: &Attributes) -> Result<Map, ReadError> {
    let read = attributes.list()?.iter().map(|attribute| {
        let value = match attribute.read() {
            Ok(array) => {
                let text = canonical_attribute(&attribute.datatype, &array);
                parse(&text).unwrap_or(Value::String(text))
            }
            Err(error) => {
                let error = Value::String(error.to_string());
                Value::Object([("error".to_owned(), error)].into_iter().collect())
            }
        };
        (attribute.name.clone(), value)
    });
    Ok(read.collect())
}
