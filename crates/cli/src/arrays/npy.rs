//! NumPy's file format, versions 1 to 3: numbers in C order. It says nothing about where voxels are.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;

use hdf5::{FileSource, NumberType};
use medh5::write::NewArray;

use super::ArrayFile;
use super::boxes::FileArray;

/// Headers are a few hundred bytes; more than this is none.
const LONGEST_HEADER: u64 = 1 << 20;

pub(super) fn open(path: &Path) -> Result<ArrayFile, String> {
    let said = |error: std::io::Error| match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::InvalidData => "it is no NumPy file".to_owned(),
        _ => format!("it cannot be read: {error}"),
    };
    let mut file = File::open(path).map_err(said)?;
    let mut start = [0; 8];
    file.read_exact(&mut start).map_err(said)?;
    let [b'\x93', b'N', b'U', b'M', b'P', b'Y', major, _] = start else {
        return Err("it is no NumPy file".into());
    };
    let len_bytes = if major == 1 { 2 } else { 4 };
    let mut len = [0; 4];
    file.read_exact(len.get_mut(..len_bytes).unwrap_or_default()).map_err(said)?;
    let header_len = u64::from(u32::from_le_bytes(len));
    if !(1..=3).contains(&major) || header_len > LONGEST_HEADER {
        return Err("its header is damaged".into());
    }
    let mut header = String::new();
    (&mut file).take(header_len).read_to_string(&mut header).map_err(said)?;
    let offset = 8 + len_bytes as u64 + header_len;
    let header = Header::parse(&header)?;
    let bytes =
        header.shape.iter().try_fold(header.number_size(), |n, extent| n.checked_mul(*extent));
    let found = file.metadata().map_err(said)?.len();
    if bytes.and_then(|bytes| bytes.checked_add(offset)) != Some(found) {
        let (shape, held) = (&header.shape, found.saturating_sub(offset));
        return Err(format!("it holds {held} bytes of values, which are not those of {shape:?}"));
    }
    let file = FileSource::new(file).map_err(said)?;
    let size = header.number_size();
    let source = FileArray {
        file,
        offset,
        shape: header.shape.clone(),
        size,
        is_big_endian: header.is_big_endian,
    };
    let values = NewArray::from_source(header.number, &header.shape, Arc::new(source));
    Ok(ArrayFile { values, placement: None, series: None, rescale: None, notes: Vec::new() })
}

#[derive(Debug, PartialEq)]
struct Header {
    number: NumberType,
    is_big_endian: bool,
    shape: Vec<u64>,
}

impl Header {
    /// Reads `{'descr': '<i2', 'fortran_order': False, 'shape': (3, 4), }`.
    fn parse(text: &str) -> Result<Self, String> {
        let damaged = || "its header is damaged".to_owned();
        let after = |key: &str| {
            let (_, rest) = text.split_once(key)?;
            Some(rest.trim_start().strip_prefix(':')?.trim_start())
        };
        let descr = after("'descr'").ok_or_else(damaged)?;
        let descr = descr.strip_prefix('\'').and_then(|rest| rest.split_once('\''));
        let (descr, _) = descr.ok_or_else(|| "it holds records, not numbers".to_owned())?;
        let order = after("'fortran_order'").ok_or_else(damaged)?;
        let shape = after("'shape'").and_then(|rest| rest.strip_prefix('(')?.split_once(')'));
        let (shape, _) = shape.ok_or_else(damaged)?;
        let extents = shape.split(',').map(str::trim).filter(|extent| !extent.is_empty());
        let shape: Vec<u64> = extents
            .map(|extent| extent.parse().map_err(|_| damaged()))
            .collect::<Result<_, _>>()?;
        if !order.starts_with("False") && shape.len() > 1 {
            return Err("its axes are in Fortran order: save numpy.ascontiguousarray of it".into());
        }
        let (number, is_big_endian) = number(descr)
            .ok_or_else(|| format!("its type `{descr}` is no number that images or masks hold"))?;
        Ok(Self { number, is_big_endian, shape })
    }

    fn number_size(&self) -> u64 {
        match self.number {
            NumberType::I8 | NumberType::U8 => 1,
            NumberType::I16 | NumberType::U16 | NumberType::F16 => 2,
            NumberType::I32 | NumberType::U32 | NumberType::F32 => 4,
            NumberType::I64 | NumberType::U64 | NumberType::F64 => 8,
        }
    }
}

/// Type and byte order; truth values are bytes.
fn number(descr: &str) -> Option<(NumberType, bool)> {
    let (order, name) = descr.split_at_checked(1)?;
    let number = match name {
        "b1" | "u1" => NumberType::U8,
        "i1" => NumberType::I8,
        "i2" => NumberType::I16,
        "u2" => NumberType::U16,
        "i4" => NumberType::I32,
        "u4" => NumberType::U32,
        "i8" => NumberType::I64,
        "u8" => NumberType::U64,
        "f2" => NumberType::F16,
        "f4" => NumberType::F32,
        "f8" => NumberType::F64,
        _ => return None,
    };
    matches!(order, "<" | "|" | "=" | ">").then_some((number, order == ">"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_and_refused_in_words() {
        let parse = |text: &str| Header::parse(text);
        let found =
            parse("{'descr': '>f4', 'fortran_order': False, 'shape': (3, 4, 5), }  \n").unwrap();
        assert_eq!(
            found,
            Header { number: NumberType::F32, is_big_endian: true, shape: vec![3, 4, 5] }
        );
        assert_eq!(
            parse("{'descr': '|b1', 'fortran_order': False, 'shape': (7,), }").unwrap().shape,
            [7]
        );
        let refused = |text: &str| parse(text).unwrap_err();
        assert!(
            refused("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }")
                .contains("Fortran")
        );
        assert!(
            refused("{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }").contains("<c8")
        );
        assert!(
            refused("{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (3,), }")
                .contains("records")
        );
        assert!(refused("{}").contains("damaged"));
    }
}
