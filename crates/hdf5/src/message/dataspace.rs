//! Dataspace message (0x0001): rank and extent. Spec: HDF5 File Format 3.0, IV.A.2.b.

use alloc::vec::Vec;

use nom::Parser;
use nom::combinator::cond;
use nom::number::complete::le_u8;

use crate::encode::Encoder;
use crate::error::Problem;
use crate::limits::MAX_RANK;
use crate::parse::{
    Failure, Parsed, Sizes, at_most, count, field, reserved, uint, undefined, version,
};

/// The extent of a dataset or an attribute, slowest axis first.
///
/// | bytes | field | versions |
/// | --- | --- | --- |
/// | 1 | version | 1, 2 |
/// | 1 | dimensionality | 1, 2 |
/// | 1 | flags | 1, 2 |
/// | 5 | reserved | 1 |
/// | 1 | type | 2 |
/// | length × rank | dimension sizes | 1, 2 |
/// | length × rank | maximum sizes, if flag bit 0 | 1, 2 |
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dataspace {
    /// No elements at all; also no shape.
    Null,
    /// An array of elements; a scalar has no axis and one element.
    Simple {
        /// Size of each axis, in elements; empty for a scalar.
        dims: Vec<u64>,
        /// Largest size of each axis, in elements; `u64::MAX` is unlimited. `None` when it is fixed at `dims`.
        max_dims: Option<Vec<u64>>,
    },
}

impl Dataspace {
    pub(crate) const NAME: &str = "dataspace message";

    /// Reads versions 1 and 2.
    pub(crate) fn parse<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |i| {
            let (i, version) = field("version", version(&[1, 2])).parse(i)?;
            let (i, rank) = field("dimensionality", at_most(MAX_RANK)).parse(i)?;
            let (i, flags) = field("flags", flags(version)).parse(i)?;
            let (i, space) = match version {
                1 => field("reserved", reserved(5)).map(|()| SIMPLE).parse(i)?,
                _ => field("type", at_most(NULL)).parse(i)?,
            };
            let rank = usize::from(rank);
            let (i, dims) = field("dimension sizes", count(uint_of(sizes), rank)).parse(i)?;
            let maxima = cond(flags & HAS_MAXIMUM != 0, count(maximum_of(sizes), rank));
            let (i, max_dims) = field("maximum sizes", maxima).parse(i)?;
            Ok((i, if space == NULL { Self::Null } else { Self::Simple { dims, max_dims } }))
        }
    }

    /// Writes version 2.
    pub(crate) fn encode(&self, out: &mut Encoder) {
        let (space, dims, max_dims) = match self {
            Self::Null => (NULL, &[][..], None),
            Self::Simple { dims, .. } if dims.is_empty() => (SCALAR, &[][..], None),
            Self::Simple { dims, max_dims } => (SIMPLE, &dims[..], max_dims.as_ref()),
        };
        out.u8(2);
        out.uint(dims.len() as u64, 1);
        out.u8(if max_dims.is_some() { HAS_MAXIMUM } else { 0 });
        out.u8(space);
        for dim in dims {
            out.length(*dim);
        }
        max_dims.into_iter().flatten().for_each(|max| out.length(*max));
    }

    /// One element without an axis.
    pub fn scalar() -> Self {
        Self::fixed(&[])
    }

    /// An array whose extent does not change.
    pub fn fixed(dims: &[u64]) -> Self {
        Self::Simple { dims: dims.to_vec(), max_dims: None }
    }

    /// Size of each axis in elements; empty for a scalar and for a null dataspace.
    pub fn dims(&self) -> &[u64] {
        match self {
            Self::Null => &[],
            Self::Simple { dims, .. } => dims,
        }
    }

    /// Number of elements; `None` when it does not fit 64 bits. A zero extent on any axis makes it 0.
    pub fn element_count(&self) -> Option<u64> {
        match self {
            Self::Null => Some(0),
            Self::Simple { dims, .. } if dims.contains(&0) => Some(0),
            Self::Simple { dims, .. } => dims.iter().try_fold(1_u64, |n, dim| n.checked_mul(*dim)),
        }
    }
}

const SCALAR: u8 = 0;
const SIMPLE: u8 = 1;
const NULL: u8 = 2;
const HAS_MAXIMUM: u8 = 0b01;
const HAS_PERMUTATION: u8 = 0b10;

fn flags<'a>(version: u8) -> impl FnMut(&'a [u8]) -> Parsed<'a, u8> {
    move |i| {
        let (rest, flags) = le_u8(i)?;
        if version == 1 && flags & HAS_PERMUTATION != 0 {
            return Err(Failure::at(i, Problem::unsupported("a permuted dataspace")));
        }
        Ok((rest, flags))
    }
}

fn uint_of<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, u64> + Clone {
    move |i| uint(sizes.length)(i)
}

/// An all-ones maximum is unlimited, whatever the width it is stored in.
fn maximum_of<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, u64> + Clone {
    move |i| {
        let (i, max) = uint(sizes.length)(i)?;
        Ok((i, if max == undefined(sizes.length) { u64::MAX } else { max }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encoded;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use alloc::vec;
    use proptest::prelude::*;

    const SIZES: Sizes = Sizes { offset: 8, length: 8 };

    #[test]
    fn reads_both_versions() {
        let v2 = [&[2, 1, 1, 1][..], &5_u64.to_le_bytes(), &u64::MAX.to_le_bytes()].concat();
        let space = parse_at(Dataspace::NAME, 0, &v2, Dataspace::parse(SIZES)).unwrap();
        assert_eq!(space, Dataspace::Simple { dims: vec![5], max_dims: Some(vec![u64::MAX]) });
        let v1 = [&[1, 1, 0, 0, 0, 0, 0, 0][..], &7_u64.to_le_bytes()].concat();
        let space = parse_at(Dataspace::NAME, 0, &v1, Dataspace::parse(SIZES)).unwrap();
        assert_eq!(space.dims(), [7]);
    }

    #[test]
    fn says_where_the_bytes_end() {
        let cut = [2, 2, 0, 1, 9, 0, 0, 0];
        let error = parse_at(Dataspace::NAME, 0x2a8, &cut, Dataspace::parse(SIZES)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "dataspace message at byte 0x2a8: field `dimension sizes` at byte 0x2ac: the structure ends early"
        );
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(axes in proptest::collection::vec(any::<(u64, u64)>(), 0..33), growing: bool) {
            let (dims, max_dims): (Vec<_>, Vec<_>) = axes.into_iter().unzip();
            let max_dims = (growing && !dims.is_empty()).then_some(max_dims);
            let spaces = [Dataspace::Null, Dataspace::Simple { dims, max_dims }];
            for space in spaces {
                let bytes = encoded(SIZES, |out| space.encode(out));
                let read = parse_at(Dataspace::NAME, 0, &bytes, Dataspace::parse(SIZES));
                prop_assert_eq!(read, Ok(space));
            }
        }
    }

    #[test]
    fn counts_elements_without_overflow() {
        let huge = Dataspace::Simple { dims: vec![1 << 40, 1 << 40], max_dims: None };
        assert_eq!(huge.element_count(), None);
        let empty = Dataspace::Simple { dims: vec![1 << 40, 1 << 40, 0], max_dims: None };
        assert_eq!(empty.element_count(), Some(0));
        assert_eq!(Dataspace::Null.element_count(), Some(0));
    }
}
