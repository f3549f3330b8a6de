//! Reads the cells of one column.

use hdf5::{Dataset, Elements, Group, Object};

use super::is_plain;
use crate::ReadError;
use crate::clinical::Problem;
use crate::clinical::column::{Cells, LongTexts, Texts};
use crate::clinical::columns::{ColumnSpec, ColumnType};
use crate::validate::codes;

/// The cells of `column` in the table `group` at `path`; `None` when it is absent or does not follow its encoding.
pub(super) fn read(
    column: &ColumnSpec,
    group: &Group,
    path: &str,
    problems: &mut Vec<Problem>,
) -> Result<Option<Cells>, ReadError> {
    let location = format!("{path}/{}", column.name);
    if group.link(column.name)?.is_none() {
        if column.is_required {
            problems.push(Problem::new(codes::E804, location, "a required column is absent"));
        }
        return Ok(None);
    }
    let object = group.get(column.name)?;
    let wanted = match (column.column_type.dtype(), object) {
        (None, Some(Object::Group(group))) => {
            return read_texts(column, &group, &location, problems);
        }
        (Some(dtype), Some(Object::Dataset(dataset))) if is_plain(&dataset, dtype) => {
            return Ok(numbers(dataset.read()?.elements));
        }
        (None, _) => "a group of `data` and `offsets`".to_owned(),
        (Some(dtype), _) => plain(dtype),
    };
    problems.push(Problem::new(codes::E805, location, format!("the column is not {wanted}")));
    Ok(None)
}

/// What [`is_plain`] wants, in words.
fn plain(dtype: &str) -> String {
    format!("{dtype}, little-endian, of one dimension")
}

fn numbers(elements: Elements) -> Option<Cells> {
    match elements {
        Elements::I64(values) => Some(Cells::Int64(values)),
        Elements::U64(values) => Some(Cells::Uint64(values)),
        Elements::F64(values) => Some(Cells::Float64(values)),
        _ => None,
    }
}

fn read_texts(
    column: &ColumnSpec,
    group: &Group,
    location: &str,
    problems: &mut Vec<Problem>,
) -> Result<Option<Cells>, ReadError> {
    for link in group.links()?.iter() {
        let name = link.name();
        if name != "data" && name != "offsets" {
            let message = "a text column holds `data` and `offsets` only";
            let problem = Problem::new(codes::E804, format!("{location}/{name}"), message);
            problems.push(problem.or_newer());
        }
    }
    let members = (group.get("data")?, group.get("offsets")?);
    let (Some(Object::Dataset(data)), Some(Object::Dataset(offsets))) = members else {
        let message = "a text column needs the datasets `data` and `offsets`";
        problems.push(Problem::new(codes::E806, location, message));
        return Ok(None);
    };
    for (name, dataset, dtype) in [("data", &data, "uint8"), ("offsets", &offsets, "uint64")] {
        if !is_plain(dataset, dtype) {
            let message = format!("the dataset is not {}", plain(dtype));
            problems.push(Problem::new(codes::E805, format!("{location}/{name}"), message));
            return Ok(None);
        }
    }
    let Elements::U64(offsets) = offsets.read()?.elements else { return Ok(None) };
    let bytes = data.shape().first().copied().unwrap_or(0);
    if let Some(message) = offsets_flaw(&offsets, bytes) {
        problems.push(Problem::new(codes::E806, format!("{location}/offsets"), message));
        return Ok(None);
    }
    if column.column_type == ColumnType::LongText {
        return Ok(Some(Cells::LongText(LongTexts::new(offsets, data))));
    }
    match Texts::new(offsets, read_u8(&data)?) {
        Ok(texts) => Ok(Some(Cells::Text(texts))),
        Err(row) => {
            let location = format!("{location}#row={row}");
            problems.push(Problem::new(codes::E806, location, "the cell is not UTF-8"));
            Ok(None)
        }
    }
}

fn read_u8(dataset: &Dataset) -> Result<Vec<u8>, ReadError> {
    match dataset.read()?.elements {
        Elements::U8(bytes) => Ok(bytes),
        _ => Ok(Vec::new()),
    }
}

/// What is wrong with the offsets of a text column of `bytes` bytes.
fn offsets_flaw(offsets: &[u64], bytes: u64) -> Option<String> {
    let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else {
        return Some("no offsets; there is one more than there are rows".to_owned());
    };
    if *first != 0 {
        return Some(format!("the first offset is {first}, not 0"));
    }
    if !offsets.is_sorted() {
        return Some("an offset is smaller than the one before it".to_owned());
    }
    (*last != bytes).then(|| format!("the last offset is {last}, `data` has {bytes} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_run_from_zero_to_the_end() {
        assert_eq!(offsets_flaw(&[0], 0), None);
        assert_eq!(offsets_flaw(&[0, 2, 2, 5], 5), None);
        for (offsets, bytes) in
            [(&[][..], 0), (&[1, 5], 5), (&[0, 3, 2, 5], 5), (&[0, 5], 4), (&[0, 5], 6)]
        {
            assert!(offsets_flaw(offsets, bytes).is_some(), "{offsets:?}");
        }
    }
}
