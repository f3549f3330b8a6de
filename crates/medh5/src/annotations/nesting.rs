//! How deep closed contours of one plane lie inside one another.

use crate::ReadError;

/// A contour in its plane; the last vertex joins the first.
pub(crate) type Polygon = Vec<[f64; 2]>;

/// Comparisons of a contour with another or with an edge that one annotation may cost: contours inside one another need the
/// square of their number, and of their vertices.
const MOST_COMPARISONS: u64 = 500_000_000;

/// What is left of the comparisons.
pub(crate) struct Effort(u64);

impl Default for Effort {
    fn default() -> Self {
        Self(MOST_COMPARISONS)
    }
}

impl Effort {
    fn take(&mut self, comparisons: usize) -> Result<(), ReadError> {
        let refused = || ReadError::Limit {
            what: "comparisons to tell which contours enclose which".into(),
            found: MOST_COMPARISONS + 1,
            limit: "comparisons of contours",
            max: MOST_COMPARISONS,
        };
        self.0 = self.0.checked_sub(comparisons as u64).ok_or_else(refused)?;
        Ok(())
    }
}

/// For each polygon, how many of the others enclose it.
///
/// # Errors
/// [`ReadError::Limit`] when that takes too long.
pub(crate) fn depths(polygons: &[Polygon], effort: &mut Effort) -> Result<Vec<usize>, ReadError> {
    let boxes: Vec<_> = polygons.iter().map(|polygon| bounds(polygon)).collect();
    let mut depths = Vec::with_capacity(polygons.len());
    for (inner, (polygon, inside)) in polygons.iter().zip(&boxes).enumerate() {
        effort.take(polygons.len())?;
        let mut depth = 0;
        for (outer, (other, around)) in polygons.iter().zip(&boxes).enumerate() {
            if outer != inner && around.hold(inside) && is_enclosed(polygon, other, effort)? {
                depth += 1;
            }
        }
        depths.push(depth);
    }
    Ok(depths)
}

/// Projects contours of one plane in space: the coordinate along which their areas are largest falls away.
///
/// `contours` hold three coordinates per vertex.
pub(crate) fn project(contours: &[&[[f64; 3]]]) -> Vec<Polygon> {
    let mut sums = [0.0; 3];
    for contour in contours {
        for (sum, component) in sums.iter_mut().zip(newell_normal(contour)) {
            *sum += component.abs();
        }
    }
    let mut dropped = 0;
    for axis in 1..3 {
        if at(&sums, axis) > at(&sums, dropped) {
            dropped = axis;
        }
    }
    let flat = |[a, b, c]: &[f64; 3]| match dropped {
        0 => [*b, *c],
        1 => [*a, *c],
        _ => [*a, *b],
    };
    contours.iter().map(|contour| contour.iter().map(flat).collect()).collect()
}

fn at(values: &[f64; 3], axis: usize) -> f64 {
    values.get(axis).copied().unwrap_or(0.0)
}

fn newell_normal(contour: &[[f64; 3]]) -> [f64; 3] {
    let mut normal = [0.0; 3];
    for ([ax, ay, az], [bx, by, bz]) in edges(contour) {
        let [x, y, z] = &mut normal;
        *x += (ay - by) * (az + bz);
        *y += (az - bz) * (ax + bx);
        *z += (ax - bx) * (ay + by);
    }
    normal
}

/// Each vertex with the one after it, around the polygon.
fn edges<T>(polygon: &[T]) -> impl Iterator<Item = (&T, &T)> {
    polygon.iter().zip(polygon.iter().cycle().skip(1))
}

struct Bounds {
    low: [f64; 2],
    high: [f64; 2],
}

fn bounds(polygon: &[[f64; 2]]) -> Bounds {
    let mut bounds = Bounds { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] };
    for vertex in polygon {
        for ((low, high), value) in bounds.low.iter_mut().zip(&mut bounds.high).zip(vertex) {
            *low = low.min(*value);
            *high = high.max(*value);
        }
    }
    bounds
}

impl Bounds {
    /// Whether `inner` lies inside, up to a hair.
    fn hold(&self, inner: &Self) -> bool {
        let sides = self.low.iter().zip(&self.high).map(|(low, high)| high - low);
        let margin = 1e-9 * (sides.fold(0.0, f64::max) + 1.0);
        let low = self.low.iter().zip(&inner.low).all(|(outer, inner)| *inner >= outer - margin);
        low && self.high.iter().zip(&inner.high).all(|(outer, inner)| *inner <= outer + margin)
    }
}

fn is_enclosed(
    inner: &[[f64; 2]],
    outer: &[[f64; 2]],
    effort: &mut Effort,
) -> Result<bool, ReadError> {
    if inner.is_empty() || outer.len() < 3 {
        return Ok(false);
    }
    for point in inner {
        effort.take(outer.len())?;
        if !contains(outer, *point) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The even-odd rule: a ray toward +x crosses the polygon an odd number of times.
fn contains(polygon: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let mut is_inside = false;
    for ([ax, ay], [bx, by]) in edges(polygon) {
        if (*ay > y) != (*by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax {
            is_inside = !is_inside;
        }
    }
    is_inside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depths_of(polygons: &[Polygon]) -> Vec<usize> {
        depths(polygons, &mut Effort::default()).unwrap()
    }

    #[test]
    fn effort_has_an_end() {
        let nested: Vec<_> = (1..40).map(|size| square(0.0, f64::from(size))).collect();
        assert!(depths(&nested, &mut Effort(1_000_000)).is_ok());
        let refused = depths(&nested, &mut Effort(1_000));
        assert!(matches!(refused, Err(ReadError::Limit { .. })));
    }

    fn square(low: f64, high: f64) -> Polygon {
        vec![[low, low], [high, low], [high, high], [low, high]]
    }

    #[test]
    fn depth_counts_the_enclosing_ones() {
        let apart = square(20.0, 21.0);
        let found = depths_of(&[square(0.0, 10.0), square(1.0, 9.0), square(2.0, 3.0), apart]);
        assert_eq!(found, [0, 1, 2, 0]);
    }

    #[test]
    fn a_polygon_that_leaves_is_not_enclosed() {
        assert_eq!(depths_of(&[square(0.0, 10.0), square(5.0, 12.0)]), [0, 0]);
        assert_eq!(depths_of(&[square(0.0, 10.0), Vec::new()]), [0, 0]);
        let line = vec![[0.0, 0.0], [10.0, 10.0]];
        assert_eq!(depths_of(&[line, square(4.0, 5.0)]), [0, 0]);
    }

    #[test]
    fn drops_the_axis_across_the_plane() {
        let contour = [[5.0, 0.0, 0.0], [5.0, 2.0, 0.0], [5.0, 2.0, 3.0], [5.0, 0.0, 3.0]];
        let flat = project(&[&contour]);
        assert_eq!(flat, [vec![[0.0, 0.0], [2.0, 0.0], [2.0, 3.0], [0.0, 3.0]]]);
    }
}
