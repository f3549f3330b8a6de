//! The spatial axes of what is shown, and the choice of a plane among them.

use medh5::ReadError;
use medh5::geometry::GridView;

use super::Place;
use crate::exit::Failure;

/// The spatial axes, slowest first.
pub(super) struct Space {
    extents: Vec<u64>,
    names: Vec<String>,
    spacing: Option<Vec<f64>>,
    units: String,
}

/// The plane that is meant.
pub(super) struct Across {
    /// The axis across it, counted among the spatial ones; 0 in two dimensions, where there is no other plane.
    pub(super) axis: usize,
    /// Place along that axis, in voxels.
    pub(super) index: u64,
}

impl Space {
    /// The last axes of `shape`, as many as the grid has in space; all of them without a grid.
    pub(super) fn of(grid: Option<&GridView>, shape: &[u64]) -> Result<Self, ReadError> {
        let spatial = match grid {
            Some(grid) => grid.spatial_extents()?.map(|extents| extents.len()),
            None => None,
        };
        let first = shape.len().saturating_sub(spatial.unwrap_or(shape.len()));
        let names = match grid {
            Some(grid) => grid.attributes().strings("axis_names")?.unwrap_or_default(),
            None => Vec::new(),
        };
        let spacing = match grid {
            Some(grid) => grid.attributes().floats("spacing")?,
            None => None,
        };
        Ok(Self {
            extents: shape.get(first..).unwrap_or_default().to_vec(),
            names: names.get(first..).unwrap_or_default().to_vec(),
            spacing,
            units: grid.map(GridView::units).transpose()?.unwrap_or_default(),
        })
    }

    /// The plane that is asked for.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there is no such axis or no such place.
    pub(super) fn plane(&self, wanted: &Place) -> Result<Across, Failure> {
        if self.extents.len() < 3 {
            let is_plane = wanted.axis.is_none() && wanted.at.is_none();
            let refused = "this has two axes in space: --axis and --at choose nothing";
            return if is_plane {
                Ok(Across { axis: 0, index: 0 })
            } else {
                Err(Failure::Usage(refused.into()))
            };
        }
        let axis = wanted.axis.as_ref().map_or(Ok(0), |name| self.axis(name))?;
        let extent = self.extents.get(axis).copied().unwrap_or(0);
        let index = wanted.at.unwrap_or(extent / 2);
        if index >= extent {
            return Err(Failure::Usage(format!(
                "--at {index} is outside of axis {}, which has {}",
                self.name(axis),
                places(extent)
            )));
        }
        Ok(Across { axis, index })
    }

    /// What a pixel of the plane is in the world, if the grid says so.
    pub(super) fn scale(&self, plane: &Across) -> Option<String> {
        let spacing = self.spacing.as_ref().filter(|all| all.len() == self.extents.len())?;
        let in_plane = |axis: &usize| self.extents.len() < 3 || *axis != plane.axis;
        let mut kept = (0..spacing.len()).filter(in_plane).filter_map(|axis| spacing.get(axis));
        let (row, column) = (kept.next()?, kept.next()?);
        Some(format!("a pixel is {row} {units} high and {column} {units} wide", units = self.units))
    }

    fn axis(&self, name: &str) -> Result<usize, Failure> {
        let by_number = name.parse().ok().filter(|axis| *axis < self.extents.len());
        by_number.or_else(|| self.names.iter().position(|known| known == name)).ok_or_else(|| {
            let known = (0..self.extents.len()).map(|axis| self.name(axis));
            Failure::Usage(format!(
                "there is no axis `{name}` in space (known: {})",
                known.collect::<Vec<_>>().join(", ")
            ))
        })
    }

    /// `0 (z)`.
    fn name(&self, axis: usize) -> String {
        self.names.get(axis).map_or_else(|| axis.to_string(), |name| format!("{axis} ({name})"))
    }
}

/// `places 0 to 15`.
pub(super) fn places(extent: u64) -> String {
    match extent {
        0 => "no places".into(),
        1 => "place 0 only".into(),
        _ => format!("places 0 to {}", extent - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(extents: &[u64]) -> Space {
        Space {
            extents: extents.to_vec(),
            names: ["z", "y", "x"].into_iter().skip(3 - extents.len()).map(String::from).collect(),
            spacing: Some([3.0, 0.5, 0.25].into_iter().skip(3 - extents.len()).collect()),
            units: "mm".into(),
        }
    }

    fn place(axis: Option<&str>, at: Option<u64>) -> Place {
        let axis = axis.map(str::to_owned);
        Place { axis, at, outer: vec![], level: None, center: None, width: None, class: None }
    }

    #[test]
    fn a_plane_lies_across_an_axis_by_name_or_number() {
        let space = space(&[5, 6, 7]);
        let plane = space.plane(&place(Some("y"), None)).unwrap();
        assert_eq!((plane.axis, plane.index), (1, 3));
        assert_eq!(space.scale(&plane).unwrap(), "a pixel is 3 mm high and 0.25 mm wide");
        assert_eq!(space.plane(&place(Some("2"), Some(6))).unwrap().index, 6);
        let refused = |axis, at| match space.plane(&place(Some(axis), at)) {
            Err(Failure::Usage(message)) => message,
            _ => panic!("{axis} {at:?}"),
        };
        assert_eq!(
            refused("y", Some(6)),
            "--at 6 is outside of axis 1 (y), which has places 0 to 5"
        );
        assert_eq!(
            refused("q", None),
            "there is no axis `q` in space (known: 0 (z), 1 (y), 2 (x))"
        );
    }

    #[test]
    fn two_dimensions_leave_no_choice() {
        assert!(space(&[6, 7]).plane(&place(None, None)).is_ok());
        assert!(matches!(space(&[6, 7]).plane(&place(None, Some(0))), Err(Failure::Usage(_))));
    }
}
