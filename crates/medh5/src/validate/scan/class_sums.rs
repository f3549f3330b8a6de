//! Whether the probabilities of the classes sum to 1 at every voxel.

use hdf5::{Dataset, NumberType};

use super::stack::Stack;
use super::{Place, first_in_order, read_bytes};
use crate::ReadError;
use crate::validate::{Context, Question, What};
use crate::values::for_each_float;

/// The first voxel sum over the planes of `data` that is not 1, as far as the element type can tell; `None` if all are.
///
/// `data` has one plane per class. Sums are in double precision, in the order of the planes.
///
/// # Errors
/// [`ReadError::File`] when elements cannot be read.
pub(crate) fn first_sum_off(
    context: &Context<'_>,
    data: &Dataset,
) -> Result<Option<f64>, ReadError> {
    let Some(number) = data.datatype().number() else { return Ok(None) };
    let Some(stack) = Stack::of(data)? else { return Ok(None) };
    let classes = data.shape().first().copied().unwrap_or(0);
    let steps = stack.steps();
    let look = |(buffer, sums): &mut (Vec<u8>, Vec<f64>), place: Place| {
        if place.part == 0 {
            sums.clear();
            sums.resize(stack.voxels(place.tile), 0.0);
        }
        let plane_bytes = sums.len().saturating_mul(data.datatype().size as usize);
        let bytes = read_bytes(data, &stack.window(place), buffer)?;
        context.checkpoint(bytes.len() as u64)?;
        for plane in bytes.chunks_exact(plane_bytes.max(1)) {
            let mut sums = sums.iter_mut();
            for_each_float(number, plane, |value| {
                if let Some(sum) = sums.next() {
                    *sum += value;
                }
            });
        }
        if place.part + 1 < steps.parts {
            return Ok(None);
        }
        Ok(sums.iter().copied().find(|sum| is_off(*sum, classes, number)))
    };
    let question = Question { address: data.address(), what: What::Sums };
    first_in_order(context, question, steps, look)
}

/// Whether a sum differs from 1 by more than rounding the stored values and adding them can explain.
fn is_off(sum: f64, classes: u64, number: NumberType) -> bool {
    let (relative, smallest) = match number {
        NumberType::F16 => (2_f64.powi(-11), 2_f64.powi(-24)),
        NumberType::F32 => (2_f64.powi(-24), 2_f64.powi(-149)),
        _ => (0.0, 0.0),
    };
    #[expect(clippy::cast_precision_loss, reason = "classes are counted in thousands at most")]
    let classes = classes as f64;
    let rounding = relative * sum.abs() + classes * smallest / 2.0;
    let adding = 3.0 * classes * f64::EPSILON * sum.abs().max(1.0);
    (sum - 1.0).abs() > 1e-6 + rounding + adding
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_gets_more_room() {
        let sum = 1.0 + 3e-4;
        assert!(!is_off(sum, 2, NumberType::F16) && is_off(sum, 2, NumberType::F32));
        assert!(is_off(1.0 + 6e-4, 2, NumberType::F16));
        assert!(
            !is_off(1.0 + 9e-7, 2, NumberType::F64) && is_off(1.0 - 1.1e-6, 2, NumberType::F64)
        );
    }
}
