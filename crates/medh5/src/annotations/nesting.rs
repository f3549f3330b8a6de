//! How deep closed contours of one plane lie inside one another.

/// A contour in its plane; the last vertex joins the first.
pub(crate) type Polygon = Vec<[f64; 2]>;

/// For each polygon, how many of the others enclose it.
pub(crate) fn depths(polygons: &[Polygon]) -> Vec<usize> {
    let boxes: Vec<_> = polygons.iter().map(|polygon| bounds(polygon)).collect();
    let depth = |(inner, polygon): (usize, &Polygon)| {
        let others = polygons.iter().zip(&boxes).enumerate();
        let encloses = |(outer, (other, bounds)): &(usize, (&Polygon, &Bounds))| {
            *outer != inner
                && boxes.get(inner).is_some_and(|inner| bounds.hold(inner))
                && is_enclosed(polygon, other)
        };
        others.filter(encloses).count()
    };
    polygons.iter().enumerate().map(depth).collect()
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

fn is_enclosed(inner: &[[f64; 2]], outer: &[[f64; 2]]) -> bool {
    !inner.is_empty() && outer.len() >= 3 && inner.iter().all(|point| contains(outer, *point))
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

    fn square(low: f64, high: f64) -> Polygon {
        vec![[low, low], [high, low], [high, high], [low, high]]
    }

    #[test]
    fn depth_counts_the_enclosing_ones() {
        let apart = square(20.0, 21.0);
        let found = depths(&[square(0.0, 10.0), square(1.0, 9.0), square(2.0, 3.0), apart]);
        assert_eq!(found, [0, 1, 2, 0]);
    }

    #[test]
    fn a_polygon_that_leaves_is_not_enclosed() {
        assert_eq!(depths(&[square(0.0, 10.0), square(5.0, 12.0)]), [0, 0]);
        assert_eq!(depths(&[square(0.0, 10.0), Vec::new()]), [0, 0]);
        let line = vec![[0.0, 0.0], [10.0, 10.0]];
        assert_eq!(depths(&[line, square(4.0, 5.0)]), [0, 0]);
    }

    #[test]
    fn drops_the_axis_across_the_plane() {
        let contour = [[5.0, 0.0, 0.0], [5.0, 2.0, 0.0], [5.0, 2.0, 3.0], [5.0, 0.0, 3.0]];
        let flat = project(&[&contour]);
        assert_eq!(flat, [vec![[0.0, 0.0], [2.0, 0.0], [2.0, 3.0], [0.0, 3.0]]]);
    }
}
