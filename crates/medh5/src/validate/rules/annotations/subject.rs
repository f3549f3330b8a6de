//! What several steps need to know of an annotation.

use std::collections::BTreeSet;

use crate::ReadError;
use crate::annotations::{AnnotationView, Kind};
use crate::geometry::GridView;
use crate::validate::{Code, Context, Findings};

/// One annotation under judgement.
pub(super) struct Subject<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) view: &'a AnnotationView,
    pub(super) kind: Kind,
    /// The grid it names, if that exists.
    pub(super) grid: Option<GridView>,
    /// The classes it declares.
    pub(super) classes: BTreeSet<i64>,
    /// Whether its columns agree in shape; decided by [`super::datasets::check`].
    pub(super) is_consistent: bool,
}

impl<'a> Subject<'a> {
    pub(super) fn of(
        context: &'a Context<'a>,
        view: &'a AnnotationView,
        kind: Kind,
    ) -> Result<Self, ReadError> {
        let (grid, classes) = (view.grid()?, view.class_set()?);
        Ok(Self { context, view, kind, grid, classes, is_consistent: true })
    }

    /// Reports a finding at the annotation.
    pub(super) fn report(
        &self,
        code: &'static Code,
        message: impl Into<String>,
        out: &mut Findings,
    ) {
        out.report(code, self.view.path(), message);
    }

    /// Reports a finding at one of its datasets.
    pub(super) fn report_at(
        &self,
        dataset: &str,
        code: &'static Code,
        message: impl Into<String>,
        out: &mut Findings,
    ) {
        out.report(code, self.view.dataset_path(dataset), message);
    }

    /// Extents of the grid's spatial axes; `None` without a grid or with an axis of unknown kind.
    pub(super) fn spatial_extents(&self) -> Result<Option<Vec<i64>>, ReadError> {
        self.grid.as_ref().map_or(Ok(None), GridView::spatial_extents)
    }

    /// As [`Subject::spatial_extents`], but `None` also when the grid's shape tells of no spatial axis, or cannot be read.
    /// Unreadable axis kinds still are an error.
    pub(super) fn readable_extents(&self) -> Result<Option<Vec<i64>>, ReadError> {
        let Some(grid) = &self.grid else { return Ok(None) };
        grid.known_axis_kinds()?;
        let extents = match grid.spatial_extents() {
            Err(error) if error.is_interruption() => return Err(error),
            extents => extents.unwrap_or_default(),
        };
        Ok(extents.filter(|extents| !extents.is_empty()))
    }

    /// Whether the annotation has this attribute.
    pub(super) fn has(&self, attribute: &str) -> Result<bool, ReadError> {
        self.view.attributes().has(attribute)
    }
}
