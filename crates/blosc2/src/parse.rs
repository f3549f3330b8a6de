//! What every structure's parser is made of: nom, with errors that name the field and keep its place.

#![warn(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use nom::bytes::complete::take;
use nom::error::{ErrorKind, ParseError};
use nom::number::complete::{be_i32, be_i64, be_u64, le_i32, u8 as byte};
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

/// Runs `parser` over the bytes of the structure `name` that starts `start` bytes from the start of the frame.
pub(crate) fn parse_at<'a, T, P>(
    name: &'static str,
    start: usize,
    bytes: &'a [u8],
    mut parser: P,
) -> Result<T, FormatError>
where
    P: Parser<&'a [u8], Output = T, Error = Failure>,
{
    let (remaining, field, problem) = match parser.parse(bytes) {
        Ok((_, value)) => return Ok(value),
        Err(nom::Err::Incomplete(_)) => (bytes.len(), None, Problem::EndsEarly),
        Err(nom::Err::Error(failure) | nom::Err::Failure(failure)) => {
            (failure.remaining, failure.field, failure.problem)
        }
    };
    let offset = start.saturating_add(bytes.len().saturating_sub(remaining));
    Err(FormatError { structure: name, field, start, offset, problem })
}

/// A byte that must have this value: it marks a structure, or the type of a msgpack value.
pub(crate) fn marker<'a>(expected: u8) -> impl FnMut(&'a [u8]) -> Parsed<'a, ()> {
    move |input: &'a [u8]| {
        let (rest, found) = byte(input)?;
        if found == expected {
            Ok((rest, ()))
        } else {
            Err(Failure::at(input, Problem::Marker { found, expected }))
        }
    }
}

/// Bytes that must have these values.
pub(crate) fn markers<'a>(expected: &'static [u8]) -> impl FnMut(&'a [u8]) -> Parsed<'a, ()> {
    move |input: &'a [u8]| {
        let mut rest = input;
        for expected in expected {
            (rest, ()) = marker(*expected)(rest)?;
        }
        Ok((rest, ()))
    }
}

/// `N` bytes as they are.
pub(crate) fn bytes<const N: usize>(input: &[u8]) -> Parsed<'_, [u8; N]> {
    let (rest, found) = take(N)(input)?;
    Ok((rest, found.try_into().expect("take gives as many bytes as asked")))
}

/// Bytes that mean nothing here.
pub(crate) fn skipped<'a>(len: usize) -> impl FnMut(&'a [u8]) -> Parsed<'a, ()> {
    move |input: &'a [u8]| take(len)(input).map(|(rest, _)| (rest, ()))
}

/// A value that `parser` reads and that must lie between `min` and `max`, both allowed.
fn ranged<'a, T, P>(mut parser: P, min: i64, max: i64) -> impl FnMut(&'a [u8]) -> Parsed<'a, usize>
where
    T: Into<i64>,
    P: Parser<&'a [u8], Output = T, Error = Failure>,
{
    move |input: &'a [u8]| {
        let (rest, found) = parser.parse(input)?;
        let found = found.into();
        match usize::try_from(found) {
            Ok(value) if (min..=max).contains(&found) => Ok((rest, value)),
            _ => Err(Failure::at(input, Problem::Range { found, min, max })),
        }
    }
}

/// A little-endian i32 between `min` and `max`.
pub(crate) fn le_size<'a>(min: usize, max: usize) -> impl FnMut(&'a [u8]) -> Parsed<'a, usize> {
    ranged(le_i32, bound(min), bound(max))
}

/// A msgpack int 32 between `min` and `max`.
pub(crate) fn int32<'a>(min: usize, max: usize) -> impl FnMut(&'a [u8]) -> Parsed<'a, usize> {
    move |input: &'a [u8]| {
        let (rest, ()) = marker(0xd2)(input)?;
        ranged(be_i32, bound(min), bound(max))(rest)
    }
}

/// A msgpack int 64 between `min` and `max`.
pub(crate) fn int64<'a>(min: usize, max: usize) -> impl FnMut(&'a [u8]) -> Parsed<'a, usize> {
    move |input: &'a [u8]| {
        let (rest, ()) = marker(0xd3)(input)?;
        ranged(be_i64, bound(min), bound(max))(rest)
    }
}

/// A msgpack uint 64 between `min` and `max`.
pub(crate) fn uint64<'a>(min: usize, max: usize) -> impl FnMut(&'a [u8]) -> Parsed<'a, usize> {
    move |input: &'a [u8]| {
        let (rest, ()) = marker(0xcf)(input)?;
        let value = be_u64.map(|value| i64::try_from(value).unwrap_or(i64::MAX));
        ranged(value, bound(min), bound(max))(rest)
    }
}

fn bound(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
