//! What a plane of a grid shows of shapes.

use serde::Serialize;

use super::shapes::{Form, Shape};

/// How far from the plane something flat may be to be shown in it, in voxels: the half of a voxel that the plane stands for.
const REACH: f64 = 0.5;

/// What a plane shows of one shape. Points are `[row, column]` in continuous voxel indices.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// Place of the shape in the list.
    pub shape: usize,
    /// Lines to draw; a closed one returns to its start.
    pub lines: Vec<Vec<[f64; 2]>>,
    /// Whether the lines are closed.
    pub is_closed: bool,
    /// Whether they go around a hole.
    pub is_hole: bool,
    /// Points to mark.
    pub points: Vec<[f64; 2]>,
    /// Those of them that are there but cannot be seen.
    pub hidden: Vec<[f64; 2]>,
}

/// What the plane at `at` of the axis `axis` shows of each shape. In a grid of two axes everything is in the plane.
pub fn sections(shapes: &[Shape], axis: usize, at: f64) -> Vec<Section> {
    let cut = |(place, shape): (usize, &Shape)| {
        let mut section = Section {
            shape: place,
            lines: Vec::new(),
            is_closed: false,
            is_hole: false,
            points: Vec::new(),
            hidden: Vec::new(),
        };
        let plane = Plane { axis, at };
        match &shape.form {
            Form::Solid => {
                section.is_closed = true;
                section.lines.extend(plane.solid(&shape.vertices));
            }
            Form::Points { edges, hidden } => {
                plane.points(&shape.vertices, edges, hidden, &mut section);
            }
            Form::Polygon { is_hole } => {
                section.is_hole = *is_hole;
                section.is_closed = shape.vertices.iter().all(|vertex| plane.is_near(vertex));
                section.lines = plane.polygon(&shape.vertices, section.is_closed);
            }
            Form::Polyline => section.lines = plane.polyline(&shape.vertices),
        }
        (!section.lines.is_empty() || !section.points.is_empty()).then_some(section)
    };
    shapes.iter().enumerate().filter_map(cut).collect()
}

/// A plane of the grid.
#[derive(Clone, Copy)]
struct Plane {
    axis: usize,
    at: f64,
}

impl Plane {
    /// How far above the plane a vertex is, in voxels; in two dimensions nothing is.
    fn height(self, vertex: &[f64]) -> f64 {
        if vertex.len() < 3 {
            0.0
        } else {
            vertex.get(self.axis).map_or(0.0, |place| place - self.at)
        }
    }

    fn is_near(self, vertex: &[f64]) -> bool {
        self.height(vertex).abs() <= REACH
    }

    /// The vertex along the two axes of the plane.
    fn flat(self, vertex: &[f64]) -> [f64; 2] {
        let is_across = |axis: usize| vertex.len() >= 3 && axis == self.axis;
        let mut kept = vertex.iter().enumerate().filter(|(axis, _)| !is_across(*axis));
        let mut next = || kept.next().map_or(0.0, |(_, place)| *place);
        [next(), next()]
    }

    /// Where the line from `a` to `b` meets the plane, for ends on different sides.
    fn crossing(self, a: &[f64], b: &[f64]) -> Option<[f64; 2]> {
        let (low, high) = (self.height(a), self.height(b));
        ((low < 0.0) != (high < 0.0)).then(|| self.flat(&between(a, b, low / (low - high))))
    }

    /// The outline of a box in the plane.
    fn solid(self, corners: &[Vec<f64>]) -> Option<Vec<[f64; 2]>> {
        let edges = (0..corners.len()).flat_map(|from| {
            let axes = corners.first().map_or(0, Vec::len);
            (0..axes)
                .filter_map(move |axis| (from >> axis & 1 == 0).then_some((from, from | 1 << axis)))
        });
        let is_flat = corners.iter().all(|corner| self.is_near(corner));
        let points: Vec<[f64; 2]> = if is_flat {
            corners.iter().map(|corner| self.flat(corner)).collect()
        } else {
            edges
                .filter_map(|(from, to)| self.crossing(corners.get(from)?, corners.get(to)?))
                .collect()
        };
        let outline = convex(points);
        (!outline.is_empty()).then_some(outline)
    }

    fn points(
        self,
        vertices: &[Vec<f64>],
        edges: &[(usize, usize)],
        hidden: &[usize],
        section: &mut Section,
    ) {
        for (place, vertex) in
            vertices.iter().enumerate().filter(|(_, vertex)| self.is_near(vertex))
        {
            section.points.push(self.flat(vertex));
            if hidden.contains(&place) {
                section.hidden.push(self.flat(vertex));
            }
        }
        let near = |place: usize| vertices.get(place).filter(|vertex| self.is_near(vertex));
        for (from, to) in edges {
            if let Some((from, to)) = near(*from).zip(near(*to)) {
                section.lines.push(vec![self.flat(from), self.flat(to)]);
            }
        }
    }

    /// The curve itself when it lies in the plane; otherwise the stretches in which the plane cuts what it encloses.
    fn polygon(self, vertices: &[Vec<f64>], lies_in_plane: bool) -> Vec<Vec<[f64; 2]>> {
        if lies_in_plane {
            let line: Vec<_> = vertices.iter().map(|vertex| self.flat(vertex)).collect();
            return if line.is_empty() { Vec::new() } else { vec![line] };
        }
        let next = vertices.iter().skip(1).chain(vertices.first());
        let mut cuts: Vec<[f64; 2]> =
            vertices.iter().zip(next).filter_map(|(a, b)| self.crossing(a, b)).collect();
        cuts.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        let (pairs, _) = cuts.as_chunks::<2>();
        pairs.iter().map(|pair| pair.to_vec()).collect()
    }

    /// The parts of the curve within half a voxel of the plane.
    fn polyline(self, vertices: &[Vec<f64>]) -> Vec<Vec<[f64; 2]>> {
        let parts = vertices.iter().zip(vertices.iter().skip(1)).filter_map(|(a, b)| {
            let (low, high) = (self.height(a), self.height(b));
            let step = high - low;
            let reach = |height: f64| if step == 0.0 { 0.0 } else { (height - low) / step };
            let (first, last) = (reach(-REACH), reach(REACH));
            let (start, end) = if step == 0.0 {
                (0.0, if low.abs() <= REACH { 1.0 } else { -1.0 })
            } else {
                (first.min(last).max(0.0), first.max(last).min(1.0))
            };
            (start <= end)
                .then(|| vec![self.flat(&between(a, b, start)), self.flat(&between(a, b, end))])
        });
        parts.collect()
    }
}

/// The point at a part of the way from `a` to `b`.
fn between(a: &[f64], b: &[f64], part: f64) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + (b - a) * part).collect()
}

/// The convex hull, in order around it: cross-sections of boxes are convex.
fn convex(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    let turns_left = |a: &[f64; 2], b: &[f64; 2], c: &[f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 1e-12
    };
    let half = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut hull: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = hull.as_slice()
                && !turns_left(a, b, &point)
            {
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
        hull
    };
    if points.len() < 2 {
        return points;
    }
    let mut outline = half(&mut points.iter().copied());
    outline.extend(half(&mut points.iter().rev().copied()));
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(form: Form, vertices: &[[f64; 3]]) -> Shape {
        let vertices = vertices.iter().map(|vertex| vertex.to_vec()).collect();
        Shape { class_id: None, instance_id: None, name: None, score: None, form, vertices }
    }

    fn solid(low: [f64; 3], high: [f64; 3]) -> Shape {
        let corner = |place: usize| {
            [0, 1, 2].map(|axis| if place >> axis & 1 == 1 { high[axis] } else { low[axis] })
        };
        shape(Form::Solid, &[0, 1, 2, 3, 4, 5, 6, 7].map(corner))
    }

    #[test]
    fn a_box_shows_its_rectangle_between_its_ends() {
        let shapes = [solid([1.5, 3.5, 4.5], [5.5, 11.5, 12.5])];
        let found = sections(&shapes, 0, 2.0);
        let mut corners = found[0].lines[0].clone();
        corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(corners, [[3.5, 4.5], [3.5, 12.5], [11.5, 4.5], [11.5, 12.5]]);
        assert!(found[0].is_closed);
        assert!(sections(&shapes, 0, 1.0).is_empty() && sections(&shapes, 0, 6.0).is_empty());
        assert_eq!(sections(&shapes, 2, 5.0)[0].lines[0].len(), 4);
    }

    #[test]
    fn a_tilted_box_shows_more_corners() {
        // A cube that stands on a corner: the middle plane cuts it in a hexagon.
        let axes = [[0.577, 0.577, 0.577], [0.707, -0.707, 0.0], [0.408, 0.408, -0.816]];
        let corner = |place: usize| {
            let part = |axis: usize| if place >> axis & 1 == 1 { 1.0 } else { -1.0 };
            // Rows of the rotation: the body diagonal of the cube becomes the first axis.
            [0, 1, 2].map(|row: usize| (0..3).map(|axis| axes[row][axis] * part(axis)).sum::<f64>())
        };
        let cube = shape(Form::Solid, &[0, 1, 2, 3, 4, 5, 6, 7].map(corner));
        assert_eq!(sections(&[cube], 0, 0.0)[0].lines[0].len(), 6);
    }

    #[test]
    fn contours_show_where_they_lie_and_as_a_cut_elsewhere() {
        let square = [[4.0, 2.0, 2.0], [4.0, 2.0, 12.0], [4.0, 12.0, 12.0], [4.0, 12.0, 2.0]];
        let shapes = [shape(Form::Polygon { is_hole: true }, &square)];
        let own = &sections(&shapes, 0, 4.0)[0];
        assert!(own.is_closed && own.is_hole && own.lines[0].len() == 4);
        assert!(sections(&shapes, 0, 5.0).is_empty());
        assert_eq!(sections(&shapes, 2, 7.0)[0].lines, [[[4.0, 2.0], [4.0, 12.0]]]);
    }

    #[test]
    fn a_curve_shows_what_is_within_half_a_voxel() {
        let curve = shape(Form::Polyline, &[[0.0, 0.0, 0.0], [4.0, 4.0, 8.0]]);
        assert_eq!(sections(&[curve], 0, 2.0)[0].lines, [[[1.5, 3.0], [2.5, 5.0]]]);
    }

    #[test]
    fn points_are_joined_in_their_plane() {
        let form = Form::Points { edges: vec![(0, 1), (1, 2)], hidden: vec![1] };
        let points = shape(form, &[[2.0, 1.0, 1.0], [2.4, 5.0, 5.0], [9.0, 5.0, 5.0]]);
        let found = &sections(&[points], 0, 2.0)[0];
        assert_eq!((found.points.len(), found.lines.len()), (2, 1));
        assert_eq!(found.hidden, [[5.0, 5.0]]);
    }
}
