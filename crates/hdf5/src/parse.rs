//! What every structure's parser is made of: nom, with errors that name the field and keep its place.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use nom::bytes::complete::take;
use nom::error::{ErrorKind, ParseError};
use nom::multi::count as nom_count;
use nom::number::complete::{le_u8, le_u16, le_u32};
use nom::{IResult, Parser};

use crate::error::{FormatError, Problem};

/// What a structure's parser returns.
pub(crate) type Parsed<'a, T> = IResult<&'a [u8], T, Failure>;

/// A parse failure, placed by how many bytes were left where its field starts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failure {
    remaining: usize,
    field: Option<&'static str>,
    problem: Problem,
}

impl Failure {
    /// A failure at the start of `input`.
    pub(crate) fn at(input: &[u8], problem: Problem) -> nom::Err<Self> {
        nom::Err::Failure(Self { remaining: input.len(), field: None, problem })
    }

    /// A failure of the field `name`, which starts at `input`; for checks that need what comes after the field.
    pub(crate) fn named(name: &'static str, input: &[u8], problem: Problem) -> nom::Err<Self> {
        nom::Err::Failure(Self { remaining: input.len(), field: Some(name), problem })
    }
}

impl ParseError<&[u8]> for Failure {
    fn from_error_kind(input: &[u8], _: ErrorKind) -> Self {
        Self { remaining: input.len(), field: None, problem: Problem::EndsEarly }
    }

    fn append(_: &[u8], _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// Widths of the two variable-width integers of a file, in bytes, from its superblock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Width of an address ("size of offsets").
    pub offset: u8,
    /// Width of a length ("size of lengths").
    pub length: u8,
}

/// Names the field that `parser` reads; the innermost name wins.
pub(crate) fn field<'a, T, P>(
    name: &'static str,
    mut parser: P,
) -> impl FnMut(&'a [u8]) -> Parsed<'a, T>
where
    P: Parser<&'a [u8], Output = T, Error = Failure>,
{
    move |input: &'a [u8]| {
        parser.parse(input).map_err(|error| {
            error.map(|failure| match failure.field {
                Some(_) => failure,
                None => Failure { remaining: input.len(), field: Some(name), ..failure },
            })
        })
    }
}

/// Runs `parser` over the bytes of the structure `name` that starts at byte `start` of the file.
pub(crate) fn parse_at<'a, T, P>(
    name: &'static str,
    start: u64,
    bytes: &'a [u8],
    mut parser: P,
) -> Result<T, FormatError>
where
    P: Parser<&'a [u8], Output = T, Error = Failure>,
{
    match parser.parse(bytes) {
        Ok((_, value)) => Ok(value),
        Err(nom::Err::Incomplete(_)) => Err(FormatError {
            structure: name.into(),
            field: None,
            start,
            offset: start,
            problem: Problem::EndsEarly,
        }),
        Err(nom::Err::Error(failure) | nom::Err::Failure(failure)) => Err(FormatError {
            structure: name.into(),
            field: failure.field,
            start,
            offset: start.saturating_add(bytes.len().saturating_sub(failure.remaining) as u64),
            problem: failure.problem,
        }),
    }
}

/// The bytes that mark a structure.
pub(crate) fn signature<'a>(expected: &'static [u8]) -> impl FnMut(&'a [u8]) -> Parsed<'a, ()> {
    move |input: &'a [u8]| {
        let (rest, found) = take(expected.len())(input)?;
        if found == expected {
            Ok((rest, ()))
        } else {
            Err(Failure::at(input, Problem::Signature { found: found.to_vec(), expected }))
        }
    }
}

/// One byte that must be one of `known`.
pub(crate) fn version<'a>(known: &'static [u8]) -> impl FnMut(&'a [u8]) -> Parsed<'a, u8> {
    move |input: &'a [u8]| {
        let (rest, found) = le_u8(input)?;
        if known.contains(&found) {
            Ok((rest, found))
        } else {
            Err(Failure::at(input, Problem::Version { found, known }))
        }
    }
}

/// One byte that must not be above `max`, a bound of the format.
pub(crate) fn at_most<'a>(max: u8) -> impl FnMut(&'a [u8]) -> Parsed<'a, u8> {
    move |input: &'a [u8]| {
        let (rest, found) = le_u8(input)?;
        if found > max {
            return Err(Failure::at(
                input,
                Problem::AboveMaximum { found: found.into(), max: max.into() },
            ));
        }
        Ok((rest, found))
    }
}

/// Flags of which only the bits in `known` may be set.
pub(crate) fn flags<'a>(known: u8) -> impl FnMut(&'a [u8]) -> Parsed<'a, u8> {
    checked(le_u8, move |found| {
        if found & !known == 0 {
            Ok(())
        } else {
            Err(Problem::unsupported(format!("flag {:#04x}", found & !known)))
        }
    })
}

/// Two bytes as a number of things that follow.
pub(crate) fn count16(input: &[u8]) -> Parsed<'_, usize> {
    le_u16.map(usize::from).parse(input)
}

/// Four bytes as a number of bytes that follow. More than memory can hold reads as more than there is.
pub(crate) fn len32(input: &[u8]) -> Parsed<'_, usize> {
    le_u32.map(|len| usize::try_from(len).unwrap_or(usize::MAX)).parse(input)
}

/// Bytes that mean nothing; writers do not agree on their content.
pub(crate) fn reserved<'a>(len: usize) -> impl FnMut(&'a [u8]) -> Parsed<'a, ()> {
    move |input: &'a [u8]| take(len)(input).map(|(rest, _)| (rest, ()))
}

/// A number of bytes as this machine counts them. What does not fit is more than there are bytes, so taking it fails.
pub(crate) fn byte_count(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// A little-endian unsigned integer of `width` bytes, at most 8.
pub(crate) fn uint<'a>(width: u8) -> impl FnMut(&'a [u8]) -> Parsed<'a, u64> {
    move |input: &'a [u8]| {
        if width > 8 {
            return Err(Failure::at(input, Problem::invalid("an integer of more than 8 bytes")));
        }
        let (rest, bytes) = take(usize::from(width))(input)?;
        Ok((rest, bytes.iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte))))
    }
}

/// An address, relative to the base address; all ones means that nothing is allocated.
pub(crate) fn address<'a>(sizes: Sizes) -> impl FnMut(&'a [u8]) -> Parsed<'a, Option<Address>> {
    let undefined = undefined(sizes.offset);
    move |input: &'a [u8]| {
        let (rest, value) = uint(sizes.offset)(input)?;
        Ok((rest, (value != undefined).then_some(Address(value))))
    }
}

/// The all-ones value of an integer of `width` bytes.
pub(crate) fn undefined(width: u8) -> u64 {
    if width >= 8 { u64::MAX } else { !(u64::MAX << (8 * u32::from(width))) }
}

/// `n` values of the same parser. The bytes are there before anything is allocated: each value takes at least one.
pub(crate) fn count<'a, T, P>(parser: P, n: usize) -> impl FnMut(&'a [u8]) -> Parsed<'a, Vec<T>>
where
    P: Parser<&'a [u8], Output = T, Error = Failure> + Clone,
{
    move |input: &'a [u8]| {
        if n > input.len() {
            return Err(Failure::at(input, Problem::EndsEarly));
        }
        nom_count(parser.clone(), n).parse(input)
    }
}

/// Runs `parser`, then refuses its value, at the start of its bytes, when `check` finds something wrong with it.
pub(crate) fn checked<'a, T: Copy, P>(
    mut parser: P,
    mut check: impl FnMut(T) -> Result<(), Problem>,
) -> impl FnMut(&'a [u8]) -> Parsed<'a, T>
where
    P: Parser<&'a [u8], Output = T, Error = Failure>,
{
    move |input: &'a [u8]| {
        let (rest, value) = parser.parse(input)?;
        check(value).map_err(|problem| Failure::at(input, problem))?;
        Ok((rest, value))
    }
}

/// Exactly `len` bytes, read by `parser`, which may leave some of them unread but cannot see past them.
pub(crate) fn bounded<'a, T, P>(len: usize, mut parser: P) -> impl FnMut(&'a [u8]) -> Parsed<'a, T>
where
    P: Parser<&'a [u8], Output = T, Error = Failure>,
{
    move |input: &'a [u8]| {
        let (rest, inside) = take(len)(input)?;
        match parser.parse(inside) {
            Ok((_, value)) => Ok((rest, value)),
            // The failure counts what was left of the inner bytes; outside, the bytes after them are left too.
            Err(error) => Err(error.map(|failure| Failure {
                remaining: failure.remaining.saturating_add(rest.len()),
                ..failure
            })),
        }
    }
}

/// A name that ends at a NUL, which is consumed; with `padded`, zero bytes up to a multiple of 8 follow.
pub(crate) fn name<'a>(padded: bool) -> impl FnMut(&'a [u8]) -> Parsed<'a, String> {
    move |input: &'a [u8]| {
        let Some(end) = input.iter().position(|byte| *byte == 0) else {
            return Err(Failure::at(input, Problem::EndsEarly));
        };
        let stored = end.saturating_add(1);
        let stored = if padded { stored.next_multiple_of(8) } else { stored };
        let (rest, bytes) = take(stored)(input)?;
        Ok((rest, text(bytes)))
    }
}

/// The bytes before the first NUL as text; what is not UTF-8 shows as U+FFFD.
pub(crate) fn text(bytes: &[u8]) -> String {
    let bytes = until_nul(bytes);
    match core::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// The bytes before the first NUL, or all of them.
pub(crate) fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// The fewest bytes that can hold `max`.
pub(crate) fn width_of(max: u64) -> u8 {
    let holds = |width: &u8| max >> (u32::from(*width).saturating_mul(8)) == 0;
    (1..8).find(holds).unwrap_or(8)
}

/// A place in the file, in bytes from the base address of the superblock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u64);
