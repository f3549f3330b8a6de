//! Values as they leave this crate: typed arrays in the machine's own byte order.

use alloc::vec;
use alloc::vec::Vec;

use crate::NumberType;

/// Elements with their shape, slowest axis first.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// Size of each axis in elements; empty for a scalar.
    pub shape: Vec<u64>,
    /// The elements in C order.
    pub elements: Elements,
}

/// The elements of an array in C order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the number variants are named after their type")]
pub enum Elements {
    I8(Vec<i8>),
    U8(Vec<u8>),
    I16(Vec<i16>),
    U16(Vec<u16>),
    I32(Vec<i32>),
    U32(Vec<u32>),
    I64(Vec<i64>),
    U64(Vec<u64>),
    F16(Vec<F16>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    /// Text: the stored bytes without padding or terminator, whatever the character set.
    Strings(Vec<Vec<u8>>),
    /// Everything else, as stored.
    Raw {
        /// Bytes of one element.
        element_size: usize,
        /// The elements one after the other.
        bytes: Vec<u8>,
    },
}

impl Elements {
    /// `len` numbers, whose bytes `read` gives in the machine's order; they are zero before.
    pub(crate) fn numbers<E>(
        number: NumberType,
        len: usize,
        read: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<Self, E> {
        macro_rules! fill {
            ($variant:ident) => {{
                let mut elements = vec![Default::default(); len];
                sealed::Sealed::fill(&mut elements, read)?;
                Self::$variant(elements)
            }};
        }
        Ok(match number {
            NumberType::I8 => fill!(I8),
            NumberType::U8 => fill!(U8),
            NumberType::I16 => fill!(I16),
            NumberType::U16 => fill!(U16),
            NumberType::I32 => fill!(I32),
            NumberType::U32 => fill!(U32),
            NumberType::I64 => fill!(I64),
            NumberType::U64 => fill!(U64),
            NumberType::F16 => fill!(F16),
            NumberType::F32 => fill!(F32),
            NumberType::F64 => fill!(F64),
        })
    }
}

/// IEEE 754 binary16, as its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(transparent)]
pub struct F16(pub u16);

impl F16 {
    /// The same value in single precision; exact.
    pub fn to_f32(self) -> f32 {
        let sign = u32::from(self.0 >> 15) << 31;
        let exponent = u32::from(self.0 >> 10) & 0x1f;
        let fraction = u32::from(self.0) & 0x3ff;
        match (exponent, fraction) {
            (0x1f, _) => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
            (0, 0) => f32::from_bits(sign),
            (0, _) => {
                let value = f32::from(self.0 & 0x3ff) / 16_777_216.0;
                if sign == 0 { value } else { -value }
            }
            _ => f32::from_bits(sign | (exponent.wrapping_add(112)) << 23 | fraction << 13),
        }
    }

    /// The nearest half-precision value, ties to even; too large a number becomes infinite.
    pub fn from_f64(value: f64) -> Self {
        let bits = value.to_bits();
        let sign = u16::from(value.is_sign_negative()) << 15;
        let exponent = bits >> 52 & 0x7ff;
        let fraction = bits & 0x000f_ffff_ffff_ffff;
        if exponent == 0x7ff {
            return Self(sign | 0x7c00 | u16::from(fraction != 0) << 9);
        }
        // Half precision has 5 bits of exponent around 15, and below 2^-14 fewer digits instead of a smaller exponent.
        let biased = exponent.saturating_sub(1008);
        if biased >= 31 {
            return Self(sign | 0x7c00);
        }
        let lost = 42_u64.saturating_add(1009_u64.saturating_sub(exponent)).min(63);
        let digits = fraction | u64::from(exponent != 0) << 52;
        let kept = digits >> lost;
        let rest = digits ^ kept << lost;
        let half = 1_u64 << lost.saturating_sub(1);
        let rounds_up = rest > half || rest == half && kept & 1 == 1;
        // A carry runs on into the exponent, as it should. The leading digit of a normal number is not stored.
        let offset = biased.saturating_sub(1) << 10;
        let offset = if biased == 0 { 0 } else { offset };
        let magnitude = offset.saturating_add(kept).saturating_add(u64::from(rounds_up));
        Self(sign | u16::try_from(magnitude).unwrap_or(0x7c00))
    }
}

/// A number type that a window can be read into.
pub trait Element: sealed::Sealed + Copy + Default + Send + Sync + 'static {
    /// The stored type that matches.
    const NUMBER: NumberType;
}

pub(crate) mod sealed {
    /// Keeps the element types to those of this crate, and lets it fill slices of them.
    #[expect(unnameable_types, reason = "sealing is what it is for")]
    pub trait Sealed: Sized {
        /// Fills `elements` from bytes in the machine's order.
        fn fill<E>(
            elements: &mut [Self],
            read: impl FnOnce(&mut [u8]) -> Result<(), E>,
        ) -> Result<(), E>;
    }
}

macro_rules! elements {
    ($($rust:ty => $number:ident),*) => { $(
        impl sealed::Sealed for $rust {
            fn fill<E>(
                elements: &mut [Self],
                read: impl FnOnce(&mut [u8]) -> Result<(), E>,
            ) -> Result<(), E> {
                read(bytemuck::cast_slice_mut(elements))
            }
        }
        impl Element for $rust {
            const NUMBER: NumberType = NumberType::$number;
        }
    )* };
}

elements!(i8 => I8, u8 => U8, i16 => I16, u16 => U16, i32 => I32, u32 => U32, i64 => I64, u64 => U64,
    f32 => F32, f64 => F64);

impl sealed::Sealed for F16 {
    fn fill<E>(
        elements: &mut [Self],
        read: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        // A wrapper of our own cannot be seen as bytes without unsafe code; its bits are read, then wrapped.
        let mut bits = vec![0_u16; elements.len()];
        read(bytemuck::cast_slice_mut(&mut bits))?;
        elements.iter_mut().zip(bits).for_each(|(element, bits)| *element = Self(bits));
        Ok(())
    }
}

impl Element for F16 {
    const NUMBER: NumberType = NumberType::F16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_reads_back_and_rounds_to_even() {
        for bits in (0..=0x7c00_u16).chain(0x8000..=0xfc00) {
            let value = f64::from(F16(bits).to_f32());
            assert_eq!(F16::from_f64(value), F16(bits), "{bits:#x}");
        }
        for bits in 0..0x7bff_u16 {
            let (low, high) = (F16(bits).to_f32(), F16(bits.wrapping_add(1)).to_f32());
            let middle = f64::from(low).midpoint(f64::from(high));
            let even = bits.wrapping_add(bits & 1);
            assert_eq!(F16::from_f64(middle), F16(even), "{bits:#x}");
            assert_eq!(F16::from_f64(middle.next_up()), F16(bits.wrapping_add(1)));
            assert_eq!(F16::from_f64(middle.next_down()), F16(bits));
        }
        assert_eq!(F16::from_f64(65_519.999), F16(0x7bff));
        assert_eq!(F16::from_f64(65_520.0), F16(0x7c00));
        assert_eq!(F16::from_f64(-1e300), F16(0xfc00));
        assert!(F16::from_f64(f64::NAN).to_f32().is_nan());
    }
}
