//! msgpack values as frames hold them: each integer after its type byte, always as wide as it may get.

use alloc::vec::Vec;

/// Writes a msgpack int 32.
pub(crate) fn write_int32(value: usize, target: &mut Vec<u8>) {
    target.push(0xd2);
    target.extend_from_slice(&i32_of(value).to_be_bytes());
}

/// Writes a msgpack int 64.
pub(crate) fn write_int64(value: usize, target: &mut Vec<u8>) {
    target.push(0xd3);
    target.extend_from_slice(&(value as u64).to_be_bytes());
}

/// Writes a msgpack uint 64.
pub(crate) fn write_uint64(value: usize, target: &mut Vec<u8>) {
    target.push(0xcf);
    target.extend_from_slice(&(value as u64).to_be_bytes());
}

/// Writes a msgpack array of `values`, each as `write` does it.
pub(crate) fn write_array(values: &[usize], write: fn(usize, &mut Vec<u8>), target: &mut Vec<u8>) {
    target.push(crate::layout::array_of(values.len()));
    for value in values {
        write(*value, target);
    }
}

fn i32_of(value: usize) -> i32 {
    i32::try_from(value).expect("chunks that are encoded are shorter than 2 GiB")
}
