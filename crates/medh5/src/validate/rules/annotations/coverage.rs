//! Whether background means absence.

use super::Subject;
use crate::ReadError;
use crate::annotations::Kind;
use crate::validate::scan::ElementTest;
use crate::validate::{Findings, codes};

/// W904: where not every class was looked for, some region says so.
pub(super) fn check(subject: &Subject<'_>, out: &mut Findings) -> Result<(), ReadError> {
    let annotated = subject.view.annotated_class_set()?;
    let is_partial =
        annotated.is_subset(&subject.classes) && annotated.len() < subject.classes.len();
    if subject.kind == Kind::Mask || !is_partial || subject.has("ignore_mask")? {
        return Ok(());
    }
    if !has_ignored_voxel(subject)? {
        let left: Vec<_> = subject.classes.difference(&annotated).collect();
        let message = format!("classes {left:?} were not looked for, and no region is ignored");
        subject.report(codes::W904, message, out);
    }
    Ok(())
}

fn has_ignored_voxel(subject: &Subject<'_>) -> Result<bool, ReadError> {
    if !matches!(subject.kind, Kind::Labelmap | Kind::Layers) {
        return Ok(false);
    }
    let Some(data) = subject.view.dataset("data")? else { return Ok(false) };
    let ignored = ElementTest::Equals(subject.view.ignore_id()?);
    subject.context.scans.any(subject.context, &data, ignored)
}
