//! Masks: which rows of an optional column have a value.

use hdf5::{Elements, Group, Object};

use super::{Table, VALID, is_plain};
use crate::ReadError;
use crate::clinical::Problem;
use crate::sample::ChapterState;
use crate::validate::codes;

/// Reads the masks in `group`, the table at `path`, and gives each to its column. A mask that is wrong is left out.
pub(super) fn apply(table: &mut Table, group: &Group, path: &str) -> Result<(), ReadError> {
    let masks = match ChapterState::of(group, VALID)? {
        ChapterState::Absent => return Ok(()),
        ChapterState::NotAGroup => {
            let location = format!("{path}/{VALID}");
            table.report(Problem::new(codes::E807, location, "the masks are no group"));
            return Ok(());
        }
        ChapterState::Group(masks) => masks,
    };
    for link in masks.links()?.iter() {
        let name = link.name();
        let location = format!("{path}/{VALID}/{name}");
        let Some(column) = table.spec.column(&name) else {
            let problem = Problem::new(codes::E807, location, "the mask of an unknown column");
            table.report(problem.or_newer());
            continue;
        };
        let problem = |message: &str| Problem::new(codes::E807, location.clone(), message);
        if column.is_required {
            table.report(problem("the mask of a required column, which is never null"));
        } else if group.link(&name)?.is_none() {
            table.report(problem("the mask of a column that is absent"));
        } else if table.column(&name).is_some() {
            match read(masks.get(&name)?, table.rows)? {
                Ok(valid) => table.set_mask(&name, valid),
                Err(message) => table.report(problem(&message)),
            }
        }
    }
    Ok(())
}

/// The rows that have a value, or what is wrong with the mask.
fn read(mask: Option<Object>, rows: usize) -> Result<Result<Vec<bool>, String>, ReadError> {
    let dataset = match mask {
        Some(Object::Dataset(dataset)) if is_plain(&dataset, "uint8") => dataset,
        _ => return Ok(Err("the mask is not uint8 of one dimension".to_owned())),
    };
    if dataset.shape() != [rows as u64] {
        let len = dataset.shape().first().copied().unwrap_or(0);
        return Ok(Err(format!("the mask has {len} rows, the table has {rows}")));
    }
    let Elements::U8(marks) = dataset.read()?.elements else { return Ok(Ok(Vec::new())) };
    Ok(match marks.iter().find(|mark| **mark > 1) {
        Some(mark) => Err(format!("the mask holds {mark}; it holds 0 and 1 only")),
        None => Ok(marks.iter().map(|mark| *mark == 1).collect()),
    })
}

impl Table {
    fn set_mask(&mut self, name: &str, valid: Vec<bool>) {
        let columns = self.spec.columns.iter().zip(&mut self.columns);
        for (_, column) in columns.filter(|(spec, _)| spec.name == name) {
            if let Some(column) = column {
                column.valid = Some(valid);
                return;
            }
        }
    }
}
