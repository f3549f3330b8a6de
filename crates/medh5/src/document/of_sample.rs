//! The document of an open sample, for readers. The validator judges it separately.

use hdf5::Elements;

use super::{Document, judge_text};
use crate::{ReadError, Sample};

impl Sample {
    /// The text of `/meta`; `None` when there is no dataset of that name that holds text.
    ///
    /// # Errors
    /// [`ReadError::File`] when it cannot be read.
    pub fn document_text(&self) -> Result<Option<String>, ReadError> {
        let Some(dataset) = self.dataset("meta")? else { return Ok(None) };
        if !dataset.datatype().is_string() {
            return Ok(None);
        }
        match dataset.read()?.elements {
            Elements::Strings(texts) => {
                Ok(texts.first().map(|text| String::from_utf8_lossy(text).into_owned()))
            }
            _ => Ok(None),
        }
    }

    /// The sample document; `None` when there is none, or none that can be used.
    ///
    /// What a later minor version may have added is set aside, whatever version the sample names.
    ///
    /// # Errors
    /// [`ReadError::File`] when it cannot be read.
    pub fn document(&self) -> Result<Option<Document>, ReadError> {
        Ok(self.document_text()?.and_then(|text| judge_text(&text, true).document))
    }
}
