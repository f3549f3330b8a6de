//! Arrays as people have them: NIfTI volumes and NumPy files, with what they say about where their voxels are.

mod boxes;
mod gzip;
mod nifti;
mod npy;
mod placement;

use std::path::Path;

use medh5::write::NewArray;

pub(crate) use placement::Placement;

/// An array in a file.
#[derive(Debug)]
pub(crate) struct ArrayFile {
    /// Its values, slowest axis first.
    pub(crate) values: NewArray,
    /// Where its voxels are, if the file says so.
    pub(crate) placement: Option<Placement>,
    /// The axis before the spatial ones, if there is one.
    pub(crate) series: Option<Series>,
    /// Slope and intercept to real values, if stored values are not those.
    pub(crate) rescale: Option<(f64, f64)>,
    /// What was decided while it was read.
    pub(crate) notes: Vec<String>,
}

/// What a file says of the axis before the spatial ones.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Series {
    /// Its extent.
    pub(crate) extent: u64,
    /// The times of its frames and their unit, if it is one of time.
    pub(crate) times: Option<(Vec<f64>, &'static str)>,
}

/// Opens an array; `assume_placement` takes a NIfTI file without a mapping to the world as it stands.
///
/// # Errors
/// A sentence without the path.
pub(crate) fn open(path: &Path, assume_placement: bool) -> Result<ArrayFile, String> {
    crate::source::open(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let is = |ending: &str| name.strip_suffix(ending).is_some();
    if is(".npy") {
        npy::open(path)
    } else if is(".nii") || is(".nii.gz") {
        nifti::open(path, assume_placement)
    } else {
        Err("it is neither .nii, .nii.gz nor .npy".into())
    }
}
