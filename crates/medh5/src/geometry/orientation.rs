//! Where the axes of a grid point in a body, in letters.

use crate::values::Matrix;

/// Body axes in the order of LPS: the letter towards which each grows, and its opposite.
const BODY: [(char, char); 3] = [('L', 'R'), ('P', 'A'), ('S', 'I')];

/// The orders in which three index axes can lie along three body axes.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Letters of two orders whose sums differ by less are a tie, and the first order wins.
const TIE: f64 = 1e-9;

/// The orientation of a grid of three spatial axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Orientation {
    /// Towards which side of the body each index axis grows, slowest first: `SPL`.
    pub letters: String,
    /// The largest angle between an index axis and the body axis it is named after, in degrees.
    pub tilt_degrees: f64,
}

impl Orientation {
    /// Names the axes of `direction` (columns are index axes, rows the axes of `coord_system`, such as `LPS`).
    ///
    /// `None` where there is no body to speak of: another number of axes, or letters that name no body axes.
    pub fn of(coord_system: &str, direction: &Matrix) -> Option<Self> {
        if (direction.rows, direction.columns, direction.values.len()) != (3, 3, 9) {
            return None;
        }
        let axes = [0, 1, 2].map(|axis| in_lps(coord_system, direction, axis));
        let [Some(first), Some(second), Some(third)] = axes else { return None };
        let axes = [first, second, third];
        let order = closest_order(&axes);
        let mut letters = String::new();
        let mut tilt_degrees: f64 = 0.0;
        for (axis, body) in axes.iter().zip(order) {
            let (part, &(towards, away)) = (*axis.get(body)?, BODY.get(body)?);
            letters.push(if part < 0.0 { away } else { towards });
            tilt_degrees = tilt_degrees.max(part.abs().min(1.0).acos().to_degrees());
        }
        Some(Self { letters, tilt_degrees })
    }
}

/// The unit direction of an index axis, in LPS.
fn in_lps(coord_system: &str, direction: &Matrix, axis: usize) -> Option<[f64; 3]> {
    let mut found = [None; 3];
    let letters = coord_system.chars().map(|letter| letter.to_ascii_uppercase());
    for (row, letter) in direction.rows().zip(letters) {
        let body = BODY.iter().position(|&(l, r)| letter == l || letter == r)?;
        let sign = if BODY.get(body)?.0 == letter { 1.0 } else { -1.0 };
        *found.get_mut(body)? = Some(sign * row.get(axis)?);
    }
    let [Some(left), Some(posterior), Some(superior)] = found else { return None };
    (coord_system.chars().count() == 3).then_some([left, posterior, superior])
}

/// The order of body axes along which the index axes lie closest.
fn closest_order(axes: &[[f64; 3]; 3]) -> [usize; 3] {
    let score = |order: [usize; 3]| -> f64 {
        axes.iter()
            .zip(order)
            .filter_map(|(axis, body)| axis.get(body))
            .map(|part| part.abs())
            .sum()
    };
    let better =
        |best: [usize; 3], order| if score(order) > score(best) + TIE { order } else { best };
    ORDERS.into_iter().fold([0, 1, 2], better)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(coord_system: &str, values: [f64; 9]) -> Option<String> {
        let direction = Matrix { rows: 3, columns: 3, values: values.to_vec() };
        Orientation::of(coord_system, &direction).map(|found| found.letters)
    }

    #[test]
    fn letters_follow_direction_and_system() {
        // Index axes z, y, x of a usual CT: superior, posterior, left.
        let usual = [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0];
        assert_eq!(letters("LPS", usual).as_deref(), Some("SPL"));
        assert_eq!(letters("RAS", usual).as_deref(), Some("SAR"));
        assert_eq!(letters("ras", usual).as_deref(), Some("SAR"));
        assert_eq!(letters("world", usual), None);
        assert_eq!(letters("LLS", usual), None);
    }

    #[test]
    fn an_oblique_axis_is_named_after_the_nearest_direction() {
        let (sin, cos) = 20_f64.to_radians().sin_cos();
        let direction = Matrix {
            rows: 3,
            columns: 3,
            values: vec![cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, -1.0],
        };
        let found = Orientation::of("LPS", &direction).unwrap();
        assert_eq!(found.letters, "LPI");
        assert!((found.tilt_degrees - 20.0).abs() < 1e-9);
    }
}
