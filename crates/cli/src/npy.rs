//! Arrays in `NumPy`'s file format, version 1.0.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use hdf5::{Array, Elements};

/// Writes an array of numbers.
pub(crate) fn write(path: &Path, array: &Array) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(&encode(array)?)?;
    out.flush()
}

fn encode(array: &Array) -> io::Result<Vec<u8>> {
    let (descr, bytes) = numbers(&array.elements)?;
    let shape = array.shape.iter().map(|extent| format!("{extent},")).collect::<Vec<_>>().join(" ");
    let dict = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    // Magic, version and length take ten bytes; the whole is padded to a multiple of 64 and ends in a newline.
    let padding = (64 - (10 + dict.len() + 1) % 64) % 64;
    let header = format!("{dict}{}\n", " ".repeat(padding));
    let len = u16::try_from(header.len()).map_err(|_| io::Error::other("too many axes"))?;
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend_from_slice(&len.to_le_bytes());
    out.extend_from_slice(header.as_bytes());
    out.extend_from_slice(&bytes);
    Ok(out)
}

/// `NumPy`'s name of the type, and the elements in little-endian order.
fn numbers(elements: &Elements) -> io::Result<(&'static str, Vec<u8>)> {
    macro_rules! little {
        ($name:literal, $values:expr) => {
            ($name, $values.iter().flat_map(|value| value.to_le_bytes()).collect())
        };
    }
    Ok(match elements {
        Elements::I8(values) => little!("|i1", values),
        Elements::U8(values) => little!("|u1", values),
        Elements::I16(values) => little!("<i2", values),
        Elements::U16(values) => little!("<u2", values),
        Elements::I32(values) => little!("<i4", values),
        Elements::U32(values) => little!("<u4", values),
        Elements::I64(values) => little!("<i8", values),
        Elements::U64(values) => little!("<u8", values),
        Elements::F16(values) => {
            ("<f2", values.iter().flat_map(|value| value.0.to_le_bytes()).collect())
        }
        Elements::F32(values) => little!("<f4", values),
        Elements::F64(values) => little!("<f8", values),
        _ => return Err(io::Error::other("only numbers can be written")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_padded_and_names_type_and_shape() {
        let array = Array { shape: vec![3], elements: Elements::I16(vec![1, -1, 256]) };
        let bytes = encode(&array).unwrap();
        assert_eq!(bytes.len(), 64 * 2 + 6);
        let header = "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }";
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
        assert!(bytes[10..].starts_with(header.as_bytes()));
        assert_eq!(&bytes[127..], b"\n\x01\x00\xff\xff\x00\x01");
    }
}
