//! Scale-offset (filter 6): values as bit-packed differences from the chunk's minimum.
//!
//! A chunk is `u32` bits per value, `u8` 8, the minimum in 8 bytes, 8 unused bytes, then the values, most significant
//! bit first. The all-ones value stands for the fill value, if there is one. When the values have as many bits as
//! their type they are stored as they are, little-endian.
//!
//! Client data: scale type, scale factor, elements, class, element size, sign, byte order, whether there is a fill
//! value, the fill value in little-endian words.

use alloc::vec::Vec;

use super::bits::BitReader;
use super::{Filter, FilterContext};
use crate::error::Problem;

/// Decodes integers, and floats of a fixed number of decimals.
#[derive(Debug)]
pub(super) struct ScaleOffset;

/// Bytes before the values.
const HEADER: usize = 21;

impl Filter for ScaleOffset {
    fn id(&self) -> u16 {
        6
    }

    fn name(&self) -> &'static str {
        "scaleoffset"
    }

    fn decode(
        &self,
        context: &FilterContext<'_>,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), Problem> {
        let parameters = Parameters::parse(context.client_data)?;
        let size = parameters.size;
        let len = parameters.elements.saturating_mul(size);
        super::check_len(len, context)?;
        let (header, values) = input.split_at_checked(HEADER).ok_or(Problem::EndsEarly)?;
        let (bits, minimum) = parse_header(header).ok_or(Problem::EndsEarly)?;
        let type_bits = parameters.bits;
        if bits > type_bits {
            return Err(Problem::AboveMaximum { found: bits.into(), max: type_bits.into() });
        }
        if bits == type_bits {
            output.extend_from_slice(values.get(..len).ok_or(Problem::EndsEarly)?);
        } else {
            let packed = (parameters.elements as u64).saturating_mul(bits.into()).div_ceil(8);
            if packed > values.len() as u64 {
                return Err(Problem::EndsEarly);
            }
            unpack(&parameters, bits, minimum, values, output)?;
        }
        if parameters.big_endian {
            output.chunks_exact_mut(size).for_each(<[u8]>::reverse);
        }
        Ok(())
    }
}

/// What the client data says.
struct Parameters {
    /// Decimals of a float; `None` for integers.
    decimals: Option<i32>,
    elements: usize,
    size: usize,
    /// Bits of the type.
    bits: u32,
    big_endian: bool,
    /// The fill value's bits.
    fill: Option<u64>,
}

impl Parameters {
    fn parse(client_data: &[u32]) -> Result<Self, Problem> {
        let [scale_type, factor, elements, class, size, _sign, order, has_fill, fill @ ..] =
            client_data
        else {
            return Err(Problem::invalid("fewer than 8 filter parameters"));
        };
        let decimals = match (scale_type, class, size) {
            (2, 0, 1 | 2 | 4 | 8) => None,
            (0, 1, 4 | 8) => Some(factor.cast_signed()),
            (1, 1, _) => return Err(Problem::unsupported("scaling by a variable exponent")),
            _ => return Err(Problem::invalid("filter parameters that fit no number type")),
        };
        let word = |at: usize| fill.get(at).copied().map_or(0, u64::from);
        Ok(Self {
            decimals,
            elements: *elements as usize,
            size: *size as usize,
            bits: size.saturating_mul(8),
            big_endian: *order == 1,
            fill: (*has_fill == 1).then(|| word(0) | word(1) << 32),
        })
    }
}

/// Bits per value, and the minimum.
fn parse_header(header: &[u8]) -> Option<(u32, u64)> {
    let (bits, rest) = header.split_first_chunk::<4>()?;
    let (width, rest) = rest.split_first()?;
    let (minimum, _) = rest.split_first_chunk::<8>()?;
    let minimum = match width {
        8.. => u64::from_le_bytes(*minimum),
        _ => u64::from_le_bytes(*minimum) & !(u64::MAX << (8 * u32::from(*width))),
    };
    Some((u32::from_le_bytes(*bits), minimum))
}

/// Writes the values of `bits` bits each, little-endian.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the arithmetic of the writer: that of the stored type"
)]
fn unpack(
    parameters: &Parameters,
    bits: u32,
    minimum: u64,
    values: &[u8],
    output: &mut Vec<u8>,
) -> Result<(), Problem> {
    let mut reader = BitReader::new(values);
    let all_ones = !(u64::MAX << bits);
    let fill = parameters.fill.map(u64::to_le_bytes);
    let scale = power_of_ten(parameters.decimals.unwrap_or(0));
    for _ in 0..parameters.elements {
        let value = reader.take(bits)?;
        let bytes = match (fill, parameters.decimals, parameters.size) {
            (Some(fill), ..) if value == all_ones => fill,
            (_, None, _) => value.wrapping_add(minimum).to_le_bytes(),
            (_, Some(_), 4) => {
                let minimum = f32::from_bits(minimum as u32);
                let value = (value as u32).cast_signed() as f32 / scale as f32 + minimum;
                u64::from(value.to_bits()).to_le_bytes()
            }
            (_, Some(_), _) => {
                let minimum = f64::from_bits(minimum);
                (value.cast_signed() as f64 / scale + minimum).to_le_bytes()
            }
        };
        output.extend_from_slice(bytes.get(..parameters.size).unwrap_or(&bytes));
    }
    Ok(())
}

/// 10 to the power of `exponent`, correctly rounded: `powi` is not, and `pow` is not in `core`.
fn power_of_ten(exponent: i32) -> f64 {
    alloc::format!("1e{exponent}").parse().unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{context, decode};
    use super::*;

    fn chunk(bits: u32, minimum: u64, values: &[u8]) -> Vec<u8> {
        [&bits.to_le_bytes()[..], &[8], &minimum.to_le_bytes(), &[0; 8], values].concat()
    }

    #[test]
    fn integers_count_from_the_minimum() {
        let parameters = [2, 0, 4, 0, 2, 1, 0, 1, 0xffff_ff85];
        let input = chunk(2, (-10_i64).cast_unsigned(), &[0b00_01_10_11]);
        let values = decode(&ScaleOffset, &context(&parameters, 8), &input).unwrap();
        let expected = [-10_i16, -9, -8, -123].map(i16::to_le_bytes).concat();
        assert_eq!(values, expected);
    }

    #[test]
    fn floats_have_decimals_and_a_byte_order() {
        let parameters = [0, 2, 2, 1, 4, 0, 1, 0];
        let input = chunk(8, u64::from(1.5_f32.to_bits()), &[0, 125]);
        let values = decode(&ScaleOffset, &context(&parameters, 8), &input).unwrap();
        assert_eq!(values, [1.5_f32, 2.75].map(f32::to_be_bytes).concat());
    }

    #[test]
    fn values_with_all_their_bits_are_copied() {
        let parameters = [2, 0, 2, 0, 1, 0, 0, 0];
        let values = decode(&ScaleOffset, &context(&parameters, 2), &chunk(8, 7, &[3, 4])).unwrap();
        assert_eq!(values, [3, 4]);
    }

    #[test]
    fn hostile_parameters() {
        let many = [2, 0, u32::MAX, 0, 8, 0, 0, 0];
        assert!(decode(&ScaleOffset, &context(&many, 64), &chunk(0, 0, &[])).is_err());
        assert_eq!(
            decode(&ScaleOffset, &context(&many, usize::MAX), &chunk(1, 0, &[])),
            Err(Problem::EndsEarly)
        );
        for wrong in [[1, 0, 1, 1, 4, 0, 0, 0], [2, 0, 1, 0, 3, 0, 0, 0], [0, 0, 1, 0, 4, 0, 0, 0]]
        {
            assert!(decode(&ScaleOffset, &context(&wrong, 64), &chunk(1, 0, &[0; 9])).is_err());
        }
        assert!(
            decode(&ScaleOffset, &context(&[2, 0, 1, 0, 1, 0, 0, 0], 1), &chunk(9, 0, &[1, 1]))
                .is_err()
        );
    }
}
