//! Tests of single elements, over bytes as they come from a dataset.

use hdf5::NumberType;

use crate::values::for_each_float;

/// Elements looked at between two chances to stop.
const BLOCK: usize = 1024;

/// What an element may be looked at for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ElementTest {
    /// It is this integer, fractions cut off.
    Equals(i64),
    /// It is not an integer of 16 bits: fractional, out of range, infinite or NaN.
    NotInt16,
    /// It is not a number from 0 to 1.
    NotProbability,
}

impl ElementTest {
    /// Whether some element in `bytes`, which are little-endian, passes.
    pub(crate) fn any(self, number: NumberType, bytes: &[u8]) -> bool {
        match self {
            Self::Equals(wanted) => any_equal(number, bytes, wanted),
            Self::NotInt16 => any_real(number, bytes, |value| !is_int16(value)),
            Self::NotProbability => any_real(number, bytes, |value| !(0.0..=1.0).contains(&value)),
        }
    }
}

fn is_int16(value: f64) -> bool {
    (f64::from(i16::MIN)..=f64::from(i16::MAX)).contains(&value) && value.fract() == 0.0
}

/// Runs `$test` over elements read by `$read`, block by block, so that the compiler can use vectors within a block.
macro_rules! any_block {
    ($bytes:expr, $type:ty, |$value:ident| $test:expr) => {{
        const SIZE: usize = size_of::<$type>();
        $bytes.chunks(BLOCK * SIZE).any(|block| {
            let (elements, _) = block.as_chunks::<SIZE>();
            elements.iter().fold(false, |found, bytes| {
                let $value = <$type>::from_le_bytes(*bytes);
                found | $test
            })
        })
    }};
}

fn any_equal(number: NumberType, bytes: &[u8], wanted: i64) -> bool {
    /// Compares in the element's own type; a value it cannot hold is nowhere.
    macro_rules! any_integer {
        ($type:ty) => {
            <$type>::try_from(wanted)
                .is_ok_and(|wanted| any_block!(bytes, $type, |value| value == wanted))
        };
    }
    match number {
        NumberType::I8 => any_integer!(i8),
        NumberType::U8 => any_integer!(u8),
        NumberType::I16 => any_integer!(i16),
        NumberType::U16 => any_integer!(u16),
        NumberType::I32 => any_integer!(i32),
        NumberType::U32 => any_integer!(u32),
        NumberType::I64 => any_integer!(i64),
        NumberType::U64 => any_integer!(u64),
        NumberType::F16 | NumberType::F32 | NumberType::F64 =>
        {
            #[expect(clippy::cast_possible_truncation, reason = "fractions are cut off on purpose")]
            any_real(number, bytes, |value| value as i64 == wanted)
        }
    }
}

fn any_real(number: NumberType, bytes: &[u8], test: impl Fn(f64) -> bool) -> bool {
    let element_bytes = match number {
        NumberType::F16 => 2,
        NumberType::F32 => 4,
        _ => 8,
    };
    bytes.chunks(BLOCK * element_bytes).any(|block| {
        let mut found = false;
        for_each_float(number, block, |value| found |= test(value));
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f32s(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    #[test]
    fn integers_of_16_bits() {
        let test = |values: &[f32]| ElementTest::NotInt16.any(NumberType::F32, &f32s(values));
        assert!(!test(&[-32768.0, 32767.0, -0.0]));
        assert!(
            test(&[0.0, 0.5]) && test(&[32768.0]) && test(&[f32::NAN]) && test(&[f32::INFINITY])
        );
        assert!(!ElementTest::NotInt16.any(NumberType::F16, &0x3c00_u16.to_le_bytes()));
        assert!(ElementTest::NotInt16.any(NumberType::F16, &0x3c01_u16.to_le_bytes()));
    }

    #[test]
    fn equality_in_the_type_of_the_element() {
        let equals = ElementTest::Equals(65_535);
        assert!(!equals.any(NumberType::U8, &[255; 4]));
        assert!(equals.any(NumberType::U16, &[0, 0, 255, 255]));
        assert!(!equals.any(NumberType::I16, &[255, 255]));
        assert!(equals.any(NumberType::F32, &f32s(&[65_535.0])));
        let mut late = vec![0; 5000];
        late[4999] = 7;
        assert!(ElementTest::Equals(7).any(NumberType::U8, &late));
    }

    #[test]
    fn probabilities() {
        let test = |values: &[f32]| ElementTest::NotProbability.any(NumberType::F32, &f32s(values));
        assert!(!test(&[0.0, 1.0, -0.0]));
        assert!(test(&[1.000_001]) && test(&[-1e-30]) && test(&[f32::NAN]));
    }
}
