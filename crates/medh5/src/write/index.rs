//! Gives a sample its sampling index. Spec: MEDH5 1.0 §14.3.

use hdf5::Object;
use hdf5::{NewGroup, NewLink, NewObject};

use super::index_entry::index_entry;
use super::{Edit, WriteError};
use crate::index::{IndexOptions, IndexTables};
use crate::integrity::source_digest;
use crate::sample::Chapter;
use crate::validate::Observer;

/// Name of the index's group.
const INDEX: &str = "index";

/// The profile of samples with an index.
const TRAINING: &str = "training";

impl Edit {
    /// Computes the sampling index of `annotations`, or of all that are of classes of voxels, and gives the names of those.
    ///
    /// Entries whose annotation is gone are dropped, the others kept. Digests and `content_id` do not speak of the index, so they
    /// stay what they are.
    ///
    /// # Errors
    /// [`WriteError::Read`] when an annotation cannot be read or is of another kind, [`ReadError::Stopped`](crate::ReadError::Stopped)
    /// within it when the observer wants to stop.
    pub fn build_index(
        &mut self,
        annotations: Option<&[String]>,
        options: IndexOptions,
        observer: &dyn Observer,
    ) -> Result<Vec<String>, WriteError> {
        let mut built = Vec::new();
        for annotation in self.sample().annotations()? {
            let name = annotation.name();
            let is_wanted = match annotations {
                Some(names) => names.iter().any(|wanted| wanted == name),
                None => annotation.is_of_classes_of_voxels()?,
            };
            let child = self.sample().child(Chapter::Annotations, name)?;
            let Some(Object::Group(group)) = child.map(|child| child.object().clone()) else {
                continue;
            };
            if is_wanted {
                let tables = IndexTables::compute(&annotation, options, observer)?;
                let path = format!("annotations/{name}");
                let source = source_digest(self.algorithm(), &path, &group, observer)?;
                let entry = index_entry(&tables, &source, self.profile());
                self.index_group()?.links.insert(name.into(), entry.into());
                built.push(name.to_owned());
            }
        }
        self.drop_orphans()?;
        Ok(built)
    }

    /// Declares the profile `training`, of which `content_id` speaks.
    ///
    /// # Errors
    /// [`WriteError::Read`] when the declared profiles cannot be read.
    pub fn declare_training(&mut self) -> Result<(), WriteError> {
        self.declare(TRAINING)
    }

    /// The group of the index, made if there is none.
    fn index_group(&mut self) -> Result<&mut NewGroup, WriteError> {
        let refused = || WriteError::refused("`index` is there already, and no group");
        let link = self.root().links.entry(INDEX.into()).or_insert_with(|| NewGroup::new().into());
        match link {
            NewLink::Object(object) => match &mut **object {
                NewObject::Group(group) => Ok(group),
                _ => Err(refused()),
            },
            _ => Err(refused()),
        }
    }

    fn drop_orphans(&mut self) -> Result<(), WriteError> {
        for name in self.sample().indexed_annotations()? {
            if self.sample().annotation(&name)?.is_none() {
                self.root().remove(&format!("{INDEX}/{name}"));
            }
        }
        Ok(())
    }
}
