//! LZ4 blocks (LZ4 and LZ4 HC write the same format), without the frame around them.

use crate::Error;

const CODEC: &str = "LZ4";

/// Decodes the block `source`, which must fill `target` exactly.
///
/// # Errors
/// [`Error::Damaged`] when the block is malformed or holds more than that, [`Error::Length`] when it holds less.
pub fn decode(source: &[u8], target: &mut [u8]) -> Result<(), Error> {
    let found = lz4_flex::block::decompress_into(source, target);
    exact(found.ok(), target.len())
}

/// Decodes a block that was compressed as the continuation of `prefix`, as [`decode`] does.
///
/// # Errors
/// Those of [`decode`].
pub fn decode_after(prefix: &[u8], source: &[u8], target: &mut [u8]) -> Result<(), Error> {
    let found = lz4_flex::block::decompress_into_with_dict(source, target, prefix);
    exact(found.ok(), target.len())
}

fn exact(found: Option<usize>, expected: usize) -> Result<(), Error> {
    match found {
        Some(found) if found == expected => Ok(()),
        Some(found) => {
            Err(Error::Length { codec: CODEC, found: found as u64, expected: expected as u64 })
        }
        None => Err(Error::Damaged { codec: CODEC }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_fills_the_target() {
        let mut target = [0; 10];
        // A literal `ab`, then a match of 4 + 4 bytes two back; the end of block must be literals, here none.
        assert_eq!(decode(&[0x24, b'a', b'b', 2, 0, 0x00], &mut target), Ok(()));
        assert_eq!(&target, b"ababababab");
    }

    #[test]
    fn a_match_reaches_into_the_prefix() {
        let mut target = [0; 5];
        assert_eq!(decode_after(b"0123456789", &[0x01, 6, 0, 0x00], &mut target), Ok(()));
        assert_eq!(&target, b"45678");
    }

    #[test]
    fn another_length_is_an_error() {
        let mut room = [0; 50];
        let len = lz4_flex::block::compress_into(b"twelve bytes", &mut room).unwrap();
        let block = &room[..len];
        let too_short = decode(block, &mut [0; 13]);
        assert_eq!(too_short, Err(Error::Length { codec: CODEC, found: 12, expected: 13 }));
        assert_eq!(decode(block, &mut [0; 11]), Err(Error::Damaged { codec: CODEC }));
    }
}
