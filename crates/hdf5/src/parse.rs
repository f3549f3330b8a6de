//! What every structure's parser is made of: nom, with errors that name the field and keep its place.

use alloc::vec::Vec;

use nom::bytes::complete::take;
use nom::error::{ErrorKind, ParseError};
use nom::multi::count as nom_count;
use nom::number::complete::le_u8;
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

/// Bytes that mean nothing; writers do not agree on their content.
pub(crate) fn reserved<'a>(len: usize) -> impl FnMut(&'a [u8]) -> Parsed<'a, ()> {
    move |input: &'a [u8]| take(len)(input).map(|(rest, _)| (rest, ()))
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

/// A place in the file, in bytes from the base address of the superblock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u64);
