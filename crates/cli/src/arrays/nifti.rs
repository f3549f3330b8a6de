//! NIfTI-1 volumes: x varies fastest, so their bytes are an array (z, y, x), or (t, z, y, x), in C order.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use hdf5::{FileSource, NumberType};
use medh5::write::NewArray;
use nifti::{Endianness, NiftiHeader, NiftiType};

use super::boxes::{FileArray, swap};
use super::{ArrayFile, Placement, Series, gzip};

/// Bytes of a NIfTI-2 header, which begins with this number.
const NIFTI_2: i32 = 540;

pub(super) fn open(path: &Path, assume_placement: bool) -> Result<ArrayFile, String> {
    let header = NiftiHeader::from_file(path).map_err(|error| match error {
        nifti::NiftiError::Io(error) if error.kind() != ErrorKind::UnexpectedEof => {
            format!("it cannot be read: {error}")
        }
        _ => "it is no NIfTI file".to_owned(),
    })?;
    if header.sizeof_hdr == NIFTI_2 || header.sizeof_hdr.swap_bytes() == NIFTI_2 {
        return Err("it is NIfTI-2, of which only NIfTI-1 is read".into());
    }
    if header.magic == *b"ni1\0" {
        return Err("its voxels are in another file (.img): convert it to .nii".into());
    }
    let shape = shape(&header)?;
    let (number, size) = number(&header)?;
    let mut notes = Vec::new();
    let placement = placement(&header, assume_placement, &mut notes)?;
    let series = series(&header, &shape)?;
    Ok(ArrayFile {
        values: values(path, &header, &shape, (number, size))?,
        placement: Some(placement),
        series,
        rescale: rescale(&header),
        notes,
    })
}

/// Extents in C order: three, or four where there is a series.
fn shape(header: &NiftiHeader) -> Result<Vec<u64>, String> {
    let [rank, extents @ ..] = header.dim;
    let extents = extents.get(..usize::from(rank)).unwrap_or_default();
    if !(2..=7).contains(&rank) || extents.contains(&0) {
        return Err(format!("its extents {:?} make no volume", header.dim));
    }
    if extents.iter().skip(4).any(|extent| *extent > 1) {
        return Err(format!("it has {rank} axes; up to 4 are read"));
    }
    let extent = |axis: usize| extents.get(axis).map_or(1, |extent| u64::from(*extent));
    let volume = [extent(2), extent(1), extent(0)];
    Ok(match extent(3) {
        1 => volume.to_vec(),
        frames => std::iter::once(frames).chain(volume).collect(),
    })
}

fn number(header: &NiftiHeader) -> Result<(NumberType, u64), String> {
    let found =
        header.data_type().map_err(|_| format!("its type {} is not known", header.datatype))?;
    let number = match found {
        NiftiType::Uint8 => NumberType::U8,
        NiftiType::Int8 => NumberType::I8,
        NiftiType::Int16 => NumberType::I16,
        NiftiType::Uint16 => NumberType::U16,
        NiftiType::Int32 => NumberType::I32,
        NiftiType::Uint32 => NumberType::U32,
        NiftiType::Int64 => NumberType::I64,
        NiftiType::Uint64 => NumberType::U64,
        NiftiType::Float32 => NumberType::F32,
        NiftiType::Float64 => NumberType::F64,
        other => return Err(format!("its voxels are {other:?}, not single numbers")),
    };
    Ok((number, found.size_of() as u64))
}

fn values(
    path: &Path,
    header: &NiftiHeader,
    shape: &[u64],
    (number, size): (NumberType, u64),
) -> Result<NewArray, String> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be an offset"
    )]
    let offset = match header.vox_offset {
        offset if (352.0..1e9).contains(&offset) => offset as u64,
        _ => 352,
    };
    let bytes = shape.iter().try_fold(size, |n, extent| n.checked_mul(*extent));
    let bytes = bytes.ok_or("its extents are beyond any file")?;
    let is_big_endian = header.endianness == Endianness::Big;
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        let mut voxels = gzip::read(path, offset, bytes)?;
        if is_big_endian {
            swap(&mut voxels, usize::try_from(size).unwrap_or(1));
        }
        return NewArray::numbers(number, shape, voxels).map_err(|error| error.to_string());
    }
    let file = FileSource::open(path).map_err(|error| format!("it cannot be read: {error}"))?;
    let held = hdf5::ByteSource::len(&file).saturating_sub(offset);
    if held < bytes {
        return Err(format!("it holds {held} bytes of voxels where {bytes} are due"));
    }
    let source = FileArray { file, offset, shape: shape.to_vec(), size, is_big_endian };
    Ok(NewArray::from_source(number, shape, Arc::new(source)))
}

/// Slope and intercept, unless they change nothing; a slope of 0 means none.
fn rescale(header: &NiftiHeader) -> Option<(f64, f64)> {
    let (slope, intercept) = (f64::from(header.scl_slope), f64::from(header.scl_inter));
    let says_something = slope.is_finite() && intercept.is_finite() && slope != 0.0;
    (says_something && (slope, intercept) != (1.0, 0.0)).then_some((slope, intercept))
}

/// The better of the two mappings: `sform`, then `qform`. Without one, nothing says where the voxels are.
fn placement(
    header: &NiftiHeader,
    assume: bool,
    notes: &mut Vec<String>,
) -> Result<Placement, String> {
    let units = match header.xyzt_units & 7 {
        1 => "m",
        2 => "mm",
        3 => "um",
        _ => {
            notes.push("states no unit of length: taken for mm".into());
            "mm"
        }
    };
    let of = |affine: [[f64; 4]; 3]| {
        // The world of NIfTI is R, A, S; ours is L, P, S. Its columns are x, y, z; our axes are z, y, x.
        let [right, anterior, superior] = affine;
        let column = |axis: usize| [-right[axis], -anterior[axis], superior[axis]];
        Placement::of_columns(&[column(2), column(1), column(0)], column(3), units)
    };
    match (header.sform_code > 0, header.qform_code > 0) {
        (true, also) => {
            let found = of(sform(header))?;
            if also && let Some(difference) = of(qform(header)).ok().and_then(|other| found.difference(&other)) {
                notes.push(format!("its two mappings differ ({difference}): the sform was taken"));
            }
            Ok(found)
        }
        (false, true) => {
            notes.push("the qform places it; there is no sform".into());
            of(qform(header))
        }
        (false, false) if assume => {
            notes.push("says nothing about where its voxels are: placed by its spacing alone, as asked".into());
            let [_, along_x, along_y, along_z, ..] = header.pixdim.map(f64::from);
            of([[along_x, 0.0, 0.0, 0.0], [0.0, along_y, 0.0, 0.0], [0.0, 0.0, along_z, 0.0]])
        }
        (false, false) => Err(
            "it says nothing about where its voxels are (sform_code and qform_code are 0); --assume-geometry takes its spacing alone".into(),
        ),
    }
}

fn sform(header: &NiftiHeader) -> [[f64; 4]; 3] {
    [header.srow_x, header.srow_y, header.srow_z].map(|row| row.map(f64::from))
}

/// The mapping by a unit quaternion, of which three parts are stored.
fn qform(header: &NiftiHeader) -> [[f64; 4]; 3] {
    let [i, j, k] = [header.quatern_b, header.quatern_c, header.quatern_d].map(f64::from);
    let real = (1.0 - (i * i + j * j + k * k)).max(0.0).sqrt();
    let rotation = [
        [real * real + i * i - j * j - k * k, 2.0 * (i * j - real * k), 2.0 * (i * k + real * j)],
        [2.0 * (i * j + real * k), real * real + j * j - i * i - k * k, 2.0 * (j * k - real * i)],
        [2.0 * (i * k - real * j), 2.0 * (j * k + real * i), real * real + k * k - i * i - j * j],
    ];
    // The sign of the first pixdim turns the third axis round.
    let [turn, spacing @ ..] = header.pixdim.map(f64::from);
    let last = if turn < 0.0 { -spacing[2] } else { spacing[2] };
    let offset = [header.quatern_x, header.quatern_y, header.quatern_z].map(f64::from);
    [0, 1, 2].map(|axis| {
        let [first, second, third]: [f64; 3] = rotation[axis];
        [first * spacing[0], second * spacing[1], third * last, offset[axis]]
    })
}

/// The fourth axis, and the times of its frames if the header has a unit of time and a step.
fn series(header: &NiftiHeader, shape: &[u64]) -> Result<Option<Series>, String> {
    let [extent, _, _, _] = *shape else { return Ok(None) };
    let step = f64::from(header.pixdim[4]);
    let scale = match header.xyzt_units & 0x38 {
        8 => Some((1.0, "s")),
        16 => Some((1.0, "ms")),
        24 => Some((1e-3, "ms")),
        _ => None,
    };
    let is_sound = step.is_finite() && step > 0.0 && header.toffset.is_finite();
    let Some((scale, unit)) = scale.filter(|_| is_sound) else {
        return Ok(Some(Series { extent, times: None }));
    };
    let frames = u32::try_from(extent).map_err(|_| "it has too many frames".to_owned())?;
    let time = |frame| (f64::from(header.toffset) + f64::from(frame) * step) * scale;
    Ok(Some(Series { extent, times: Some(((0..frames).map(time).collect(), unit)) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> NiftiHeader {
        NiftiHeader {
            dim: [3, 4, 5, 6, 1, 1, 1, 1],
            pixdim: [1.0, 0.5, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0],
            xyzt_units: 2,
            // The default says that it has an sform.
            sform_code: 0,
            qform_code: 0,
            ..NiftiHeader::default()
        }
    }

    #[test]
    fn both_mappings_of_an_unturned_volume_agree() {
        let mut header = header();
        (header.qform_code, header.sform_code) = (1, 1);
        header.srow_x = [0.5, 0.0, 0.0, 7.0];
        header.srow_y = [0.0, 2.0, 0.0, 8.0];
        header.srow_z = [0.0, 0.0, 3.0, 9.0];
        (header.quatern_x, header.quatern_y, header.quatern_z) = (7.0, 8.0, 9.0);
        let mut notes = Vec::new();
        let found = placement(&header, false, &mut notes).unwrap();
        assert_eq!(found.spacing, [3.0, 2.0, 0.5]);
        assert_eq!(found.origin, [-7.0, -8.0, 9.0]);
        assert_eq!(found.direction, [0.0, 0.0, -1.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0]);
        assert!(notes.is_empty(), "{notes:?}");
        header.quatern_x = 6.0;
        placement(&header, false, &mut notes).unwrap();
        assert!(notes[0].contains("differ (origin"), "{notes:?}");
    }

    #[test]
    fn a_volume_without_a_place_is_refused() {
        let refused = placement(&header(), false, &mut Vec::new()).unwrap_err();
        assert!(refused.contains("--assume-geometry"), "{refused}");
        let mut notes = Vec::new();
        assert_eq!(placement(&header(), true, &mut notes).unwrap().spacing, [3.0, 2.0, 0.5]);
        assert_eq!(notes.len(), 1);
    }

    #[test]
    fn times_need_a_unit_and_a_step() {
        let mut header = header();
        header.dim = [4, 4, 5, 6, 3, 1, 1, 1];
        let shape = shape(&header).unwrap();
        assert_eq!(shape, [3, 6, 5, 4]);
        assert_eq!(series(&header, &shape).unwrap().unwrap().times, None);
        header.pixdim[4] = 500.0;
        header.xyzt_units = 26;
        let times = series(&header, &shape).unwrap().unwrap().times;
        assert_eq!(times, Some((vec![0.0, 0.5, 1.0], "ms")));
    }
}
