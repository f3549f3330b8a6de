//! Objects added to a sample that is being edited, exchanged and taken out.

use std::collections::BTreeSet;

use hdf5::{NewAttribute, NewGroup, NewLink, NewObject};

use super::grid::grid_group;
use super::{Edit, NewAnnotation, NewImage, NewTransform, Storage, WriteError};
use crate::annotations::{Family, Kind};
use crate::geometry::Grid;
use crate::names::is_identifier;
use crate::sample::Chapter;
use crate::storage::ChunkBudget;

impl Edit {
    /// Adds a grid, or exchanges the one of this name.
    ///
    /// # Errors
    /// [`WriteError::Refused`] for a name that is none.
    pub fn put_grid(&mut self, name: &str, grid: &Grid) -> Result<(), WriteError> {
        self.put(Chapter::Grids, name, grid_group(grid).into())?;
        self.new_grids().insert(name.to_owned(), grid.clone());
        Ok(())
    }

    /// Adds an image, or exchanges the one of this name.
    ///
    /// # Errors
    /// [`WriteError::Refused`] for a name that is none, and when its grid is not there.
    pub fn put_image(&mut self, name: &str, image: &NewImage) -> Result<(), WriteError> {
        let link = image.link(|grid| self.grid(grid), self.storage())?;
        self.put(Chapter::Images, name, link)
    }

    /// Adds an annotation, or exchanges the one of this name; its entry in the sampling index, which is of the old one, is dropped.
    ///
    /// Declares the profile that the annotation fulfils in a sample with a label set, and the version that has its kind.
    ///
    /// # Errors
    /// As [`Edit::put_image`].
    pub fn put_annotation(
        &mut self,
        name: &str,
        annotation: &NewAnnotation,
    ) -> Result<(), WriteError> {
        let grid = annotation.header.grid.as_deref().map(|grid| self.grid(grid)).transpose()?;
        let group = annotation.group(grid.as_ref(), self.storage());
        self.root().remove(&format!("index/{name}"));
        self.put(Chapter::Annotations, name, group.into())?;
        if annotation.kind == Kind::Polylines {
            self.root().attributes.insert(b"medh5_version".to_vec(), NewAttribute::text("1.2"));
        }
        let has_labels =
            self.sample().document()?.is_some_and(|document| document.label_set.is_some());
        let profile = match annotation.kind {
            Kind::Classification => Some("cls"),
            Kind::Mask => None,
            kind if kind.family() == Family::Voxel => Some("seg"),
            Kind::Polylines => None,
            _ => (annotation.task() == "detection").then_some("det"),
        };
        match profile.filter(|_| has_labels) {
            Some(profile) => self.declare(profile),
            None => Ok(()),
        }
    }

    /// Adds a transform, or exchanges the one of this name.
    ///
    /// # Errors
    /// As [`Edit::put_image`].
    pub fn put_transform(
        &mut self,
        name: &str,
        transform: &NewTransform,
    ) -> Result<(), WriteError> {
        let group = transform.group(|grid| self.grid(grid), self.storage())?;
        self.put(Chapter::Transforms, name, group.into())
    }

    /// Takes an object out, and what the sampling index says of it. What still refers to it is found when the file is written.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when it is not there.
    pub fn remove(&mut self, chapter: Chapter, name: &str) -> Result<(), WriteError> {
        let path = format!("{}/{name}", chapter.name());
        if self.root().remove(&path).is_none() {
            return Err(WriteError::refused(format!("there is no `{path}`")));
        }
        if chapter == Chapter::Annotations {
            self.root().remove(&format!("index/{name}"));
        }
        self.stamp_new();
        Ok(())
    }

    /// Declares a profile beside those that are.
    ///
    /// # Errors
    /// [`WriteError::Read`] when the declared profiles cannot be read.
    pub fn declare(&mut self, profile: &str) -> Result<(), WriteError> {
        let stored = self.sample().attributes().strings("medh5_profiles")?.unwrap_or_default();
        let mut all: BTreeSet<String> = stored.into_iter().collect();
        all.extend(self.declared().iter().cloned());
        if all.insert(profile.to_owned()) {
            self.declared().push(profile.to_owned());
            let all: Vec<String> = all.into_iter().collect();
            let profiles = NewAttribute::texts(&all);
            self.root().attributes.insert(b"medh5_profiles".to_vec(), profiles);
            self.stamp_new();
        }
        Ok(())
    }

    fn storage(&self) -> Storage {
        Storage { profile: self.profile(), budget: ChunkBudget::of_this_machine() }
    }

    fn put(&mut self, chapter: Chapter, name: &str, link: NewLink) -> Result<(), WriteError> {
        if !is_identifier(name) {
            return Err(WriteError::refused(format!("`{name}` is no name of an object")));
        }
        let group = self
            .root()
            .links
            .entry(chapter.name().into())
            .or_insert_with(|| NewGroup::new().into());
        let NewLink::Object(object) = group else {
            return Err(WriteError::refused(format!("`{}` is a link", chapter.name())));
        };
        let NewObject::Group(group) = &mut **object else {
            return Err(WriteError::refused(format!("`{}` is no group", chapter.name())));
        };
        group.links.insert(name.into(), link);
        self.stamp_new();
        Ok(())
    }

    /// A grid of the file, or one that was added.
    fn grid(&self, name: &str) -> Result<Grid, WriteError> {
        if let Some(grid) = self.added_grid(name) {
            return Ok(grid.clone());
        }
        let found = self.sample().grid(name)?;
        let view =
            found.ok_or_else(|| WriteError::refused(format!("there is no grid `{name}`")))?;
        Ok(view.grid()?)
    }
}
