//! The attributes of one object, read on demand. Spec: `spec/medh5.md`, reading attributes.

use std::sync::{Arc, OnceLock};

use hdf5::{Attribute, Dataspace, Object};

use crate::ReadError;
use crate::values::{Matrix, Value};

/// The attributes of one object. Cheap to clone; clones share what was read.
///
/// Accessors answer `None` when the attribute is absent or holds a form that does not convert; [`Value`] lists what converts.
/// They fail when a stored value cannot be read; that of a null dataspace never can if it were a number, is empty if text.
#[derive(Debug, Clone)]
pub struct Attributes {
    object: Object,
    // Shared by clones. Set on success only, so that a read that lacked bytes is repeatable.
    loaded: Arc<OnceLock<Arc<[Attribute]>>>,
}

impl Attributes {
    /// The attributes of `object`; nothing is read yet. A named datatype counts as having none.
    pub fn of(object: Object) -> Self {
        Self { object, loaded: Arc::default() }
    }

    /// All of them, sorted by the bytes of their names.
    ///
    /// # Errors
    /// [`ReadError::File`] when their storage is broken or its bytes cannot be had.
    pub fn list(&self) -> Result<&[Attribute], ReadError> {
        if let Some(list) = self.loaded.get() {
            return Ok(list);
        }
        let list = match &self.object {
            Object::Group(group) => group.attributes()?,
            Object::Dataset(dataset) => dataset.attributes()?,
            Object::Datatype(_) => Arc::from([]),
        };
        Ok(self.loaded.get_or_init(|| list))
    }

    /// Whether there is an attribute of this name, whatever it holds.
    ///
    /// # Errors
    /// As [`Attributes::list`].
    pub fn has(&self, name: &str) -> Result<bool, ReadError> {
        Ok(self.find(name)?.is_some())
    }

    /// The stored value.
    ///
    /// # Errors
    /// As [`Attributes::list`]; also for a null dataspace of numbers.
    pub fn value(&self, name: &str) -> Result<Option<Value>, ReadError> {
        let Some(attribute) = self.find(name)? else { return Ok(None) };
        let array = match (&attribute.dataspace, Value::without_elements(&attribute.datatype)) {
            (Dataspace::Null, Some(nothing)) => nothing,
            _ => attribute.read()?,
        };
        Ok(Some(Value { datatype: attribute.datatype.clone(), array }))
    }

    /// The value as text, rendered if it is none; `None` only when absent.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn text(&self, name: &str) -> Result<Option<String>, ReadError> {
        Ok(self.value(name)?.map(Value::into_text))
    }

    /// The value as a list of strings; empty for what is not text.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn strings(&self, name: &str) -> Result<Option<Vec<String>>, ReadError> {
        Ok(self.value(name)?.map(Value::into_strings))
    }

    /// The value as integers.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn integers(&self, name: &str) -> Result<Option<Vec<i64>>, ReadError> {
        Ok(self.value(name)?.and_then(|value| value.integers()))
    }

    /// The value as doubles.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn floats(&self, name: &str) -> Result<Option<Vec<f64>>, ReadError> {
        Ok(self.value(name)?.and_then(|value| value.floats()))
    }

    /// The value as one integer.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn integer(&self, name: &str) -> Result<Option<i64>, ReadError> {
        Ok(self.value(name)?.and_then(|value| value.integer()))
    }

    /// The value as one double.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn float(&self, name: &str) -> Result<Option<f64>, ReadError> {
        Ok(self.value(name)?.and_then(|value| value.float()))
    }

    /// The value as one truth value.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn boolean(&self, name: &str) -> Result<Option<bool>, ReadError> {
        Ok(self.value(name)?.and_then(|value| value.boolean()))
    }

    /// The value as a matrix.
    ///
    /// # Errors
    /// As [`Attributes::value`].
    pub fn matrix(&self, name: &str) -> Result<Option<Matrix>, ReadError> {
        Ok(self.value(name)?.and_then(|value| value.matrix()))
    }

    fn find(&self, name: &str) -> Result<Option<&Attribute>, ReadError> {
        let list = self.list()?;
        Ok(list.iter().find(|attribute| attribute.name == name))
    }
}
