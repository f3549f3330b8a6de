//! `BloscLZ` streams: literals and matches after one control byte each.
//!
//! | control byte | what follows |
//! | --- | --- |
//! | `000n nnnn` | n + 1 literals |
//! | `lllo oooo` | if lll is 7, bytes to add to the length, up to the first that is not 255; then the low byte of the distance |
//!
//! A match has lll + 2 bytes, `ooooo` and the low byte make its distance less one. When both are all ones, two bytes
//! follow and hold the distance, from 8,192 on, high byte first. The stream starts with a literal, whatever the top bits
//! of its first byte say.

use codec::Error;

const DAMAGED: Error = Error::Damaged { codec: "BloscLZ" };

/// The distance from which on it takes two more bytes, less one.
const FAR: usize = 8191;

/// Decodes `source`, which must fill `target` exactly.
pub(super) fn decode(source: &[u8], target: &mut [u8]) -> Result<(), Error> {
    let mut input = Input { bytes: source };
    let mut done = 0;
    let mut control = input.byte()? & 0x1f;
    loop {
        let low = usize::from(control & 0x1f);
        if control < 0x20 {
            let literals = input.take(low + 1)?;
            let to = target.get_mut(done..done + literals.len()).ok_or(DAMAGED)?;
            to.copy_from_slice(literals);
            done += literals.len();
        } else {
            let len = match_len(&mut input, control, target.len())?;
            let mut distance = low << 8 | usize::from(input.byte()?);
            if distance == FAR {
                distance = FAR + usize::from(input.byte()?) * 256 + usize::from(input.byte()?);
            }
            copy_match(target, done, distance + 1, len)?;
            done += len;
        }
        match input.byte() {
            Ok(next) => control = next,
            Err(_) => break,
        }
    }
    let (found, expected) = (done as u64, target.len() as u64);
    if found == expected {
        Ok(())
    } else {
        Err(Error::Length { codec: "BloscLZ", found, expected })
    }
}

/// The length of the match that `control` begins; refused as soon as it is over `max`.
fn match_len(input: &mut Input<'_>, control: u8, max: usize) -> Result<usize, Error> {
    let mut len = usize::from(control >> 5) + 2;
    if control >> 5 == 7 {
        loop {
            let more = input.byte()?;
            len += usize::from(more);
            if len > max {
                return Err(DAMAGED);
            }
            if more != 255 {
                break;
            }
        }
    }
    Ok(len)
}

/// Copies `len` bytes from `distance` back to `at`; the two may overlap, and then repeat.
fn copy_match(target: &mut [u8], at: usize, distance: usize, len: usize) -> Result<(), Error> {
    let from = at.checked_sub(distance).ok_or(DAMAGED)?;
    if target.len() - at < len {
        return Err(DAMAGED);
    }
    if distance == 1 {
        let value = target[from];
        target[at..at + len].fill(value);
    } else {
        // What has been copied is as good a source as what was there: it doubles in each round.
        let mut copied = 0;
        while copied < len {
            let step = (len - copied).min(distance + copied);
            target.copy_within(from..from + step, at + copied);
            copied += step;
        }
    }
    Ok(())
}

struct Input<'a> {
    bytes: &'a [u8],
}

impl<'a> Input<'a> {
    fn byte(&mut self) -> Result<u8, Error> {
        let (first, rest) = self.bytes.split_first().ok_or(DAMAGED)?;
        self.bytes = rest;
        Ok(*first)
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.bytes.split_at_checked(len).ok_or(DAMAGED)?;
        self.bytes = rest;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_a_near_match_and_a_long_overlapping_one() {
        let mut target = [0; 20];
        // 3 literals (the top bits of the first byte do not count), 3 bytes from 2 back, 7 + 2 + 5 bytes from 3 back.
        let stream = [0x22, b'a', b'b', b'c', 0x20, 1, 0xe0, 5, 2];
        assert_eq!(decode(&stream, &mut target), Ok(()));
        assert_eq!(&target, b"abcbcbbcbbcbbcbbcbbc");
    }

    #[test]
    fn a_far_match() {
        let mut stream = std::vec::Vec::new();
        for block in 0..256_u16 {
            stream.push(31);
            stream.extend((0..32).map(|i| (block ^ i).to_le_bytes()[0]));
        }
        stream.extend([0x3f, 255, 0, 0]);
        let mut target = [0; 8195];
        assert_eq!(decode(&stream, &mut target), Ok(()));
        assert_eq!(target[8192..], target[..3]);
    }

    #[test]
    fn nothing_reaches_outside() {
        assert_eq!(decode(&[], &mut [0; 1]), Err(DAMAGED));
        assert_eq!(decode(&[0, 7, 0x20, 1], &mut [0; 9]), Err(DAMAGED), "before the start");
        assert_eq!(decode(&[0, 7, 0xe0, 255, 255, 0, 0], &mut [0; 9]), Err(DAMAGED), "too long");
        assert_eq!(decode(&[1, 7, 7], &mut [0; 1]), Err(DAMAGED), "too many literals");
        let short = Error::Length { codec: "BloscLZ", found: 2, expected: 3 };
        assert_eq!(decode(&[1, 7, 7], &mut [0; 3]), Err(short));
    }
}
