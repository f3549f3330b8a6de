//! Classes of voxels, whatever they are given as, stored in the encoding that suits them. Spec: MEDH5 1.0 §7.

mod choice;
mod encoded;
mod instances;
mod survey;

use std::sync::Arc;

use hdf5::{Datatype, NewAttribute, NumberType};

use super::shapes::u16s;
use super::{Header, NewAnnotation, NewArray, WriteError};
use crate::annotations::Kind;

use choice::{Choice, choose, colour};
use encoded::{BitPlanes, LabelPlanes, Probabilities};
pub use instances::Instance;
use survey::Survey;

/// How classes of voxels are to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// As measured: objects that are few and small as instances, classes that never meet as a label map, others as layers, and as
    /// bits where there would be too many layers.
    #[default]
    Auto,
    /// In this encoding; `mask` is none.
    As(Kind),
}

/// Classes of voxels, one mask each, as they are given.
#[derive(Debug, Clone)]
pub struct Masks {
    classes: Vec<u16>,
    masks: Vec<NewArray>,
}

/// An annotation of classes of voxels, and what goes with it.
#[derive(Debug)]
pub struct Segmentation {
    /// The annotation.
    pub annotation: NewAnnotation,
    /// A mask of the ignored voxels, where the annotation itself cannot say which; its name is the annotation's with `_ignore`.
    pub ignore: Option<NewAnnotation>,
    /// Voxels of each class, in rising order of ids.
    pub voxels: Vec<(u16, u64)>,
}

/// The value of ignored voxels.
const IGNORE: u16 = u16::MAX;

impl Masks {
    /// Masks by class: a voxel is in a class where its mask is not 0.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when there are none, a class comes twice, or shapes differ.
    pub fn new(masks: Vec<(u16, NewArray)>) -> Result<Self, WriteError> {
        let mut masks = masks;
        masks.sort_by_key(|(class, _)| *class);
        let Some((_, first)) = masks.first() else {
            return Err(WriteError::refused("there is no mask"));
        };
        let shape = first.shape().to_vec();
        for (class, mask) in &masks {
            if mask.shape() != shape {
                let (found, wanted) = (mask.shape(), &shape);
                return Err(WriteError::refused(format!(
                    "the mask of class {class} has the shape {found:?}, others {wanted:?}"
                )));
            }
        }
        if let Some(class) = masks.windows(2).find_map(|pair| match pair {
            [(a, _), (b, _)] if a == b => Some(*a),
            _ => None,
        }) {
            return Err(WriteError::refused(format!("class {class} has two masks")));
        }
        let (classes, masks) = masks.into_iter().unzip();
        Ok(Self { classes, masks })
    }

    fn shape(&self) -> &[u64] {
        self.masks.first().map_or(&[], |mask| mask.shape())
    }

    /// Reads which voxels of a box are in the class at `at`: 1 or 0.
    fn read(&self, at: usize, start: &[u64], shape: &[u64]) -> Result<Vec<u8>, hdf5::Error> {
        let Some(mask) = self.masks.get(at) else { return Ok(Vec::new()) };
        marks(mask, start, shape)
    }

    /// Turns the masks into an annotation named `name`, on the grid that `header` names.
    ///
    /// `ignore` marks voxels that are neither inside nor outside of any class. Objects get instance ids from `first_instance` on.
    /// Every mask is looked through once here, in pieces, on all threads.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when a mask holds several values but 0, or the encoding cannot hold the classes;
    /// [`WriteError::Read`] when a mask cannot be read.
    pub fn encode(
        self,
        name: &str,
        mut header: Header,
        encoding: Encoding,
        ignore: Option<&NewArray>,
        first_instance: u64,
    ) -> Result<Segmentation, WriteError> {
        let masks = Arc::new(self);
        let survey = Survey::of(&masks, ignore)?;
        let kind = match encoding {
            Encoding::Auto => choose(&masks.classes, masks.shape(), &survey),
            Encoding::As(kind) => kind,
        };
        let in_band = ignore.filter(|_| {
            survey.ignored > 0
                && !survey.ignored_meets_class
                && matches!(kind, Kind::Labelmap | Kind::Layers)
        });
        let beside = ignore.filter(|_| survey.ignored > 0 && in_band.is_none());
        let beside = beside.map(|mask| ignore_mask(&header, mask)).transpose()?;
        if beside.is_some() {
            header.ignore_mask = Some(format!("{name}_ignore"));
        }
        let choice = Choice { masks: &masks, survey: &survey, in_band };
        let annotation = choice.annotation(kind, header, first_instance)?;
        let voxels = masks.classes.iter().copied().zip(survey.counts.iter().copied());
        Ok(Segmentation {
            annotation: annotation.declare(masks.classes.iter().copied()),
            ignore: beside,
            voxels: voxels.collect(),
        })
    }
}

impl Choice<'_> {
    fn annotation(
        &self,
        kind: Kind,
        header: Header,
        first_instance: u64,
    ) -> Result<NewAnnotation, WriteError> {
        let classes = &self.masks.classes;
        match kind {
            Kind::Labelmap => {
                if let Some((a, b)) = self.survey.pairs.first() {
                    return Err(WriteError::refused(format!(
                        "classes {a} and {b} share voxels, which a label map cannot say; layers or bits can"
                    )));
                }
                let layers = vec![classes.clone()];
                Ok(NewAnnotation::of(kind, header).column("data", self.labels(&layers, false)?))
            }
            Kind::Layers => {
                let layers = colour(classes, &self.survey.pairs);
                let width = layers.iter().map(Vec::len).max().unwrap_or(0);
                let padded = layers.iter().flat_map(|layer| {
                    layer.iter().copied().chain(std::iter::repeat(0)).take(width)
                });
                let bytes = padded.flat_map(u16::to_le_bytes).collect();
                let dims = [layers.len() as u64, width as u64];
                Ok(NewAnnotation::of(kind, header)
                    .column("data", self.labels(&layers, true)?)
                    .column("layer_class_ids", NewArray::numbers(NumberType::U16, &dims, bytes)?))
            }
            Kind::Bitmask => {
                let planes = classes.len().div_ceil(64).max(1) as u64;
                let source = Arc::new(BitPlanes { masks: Arc::clone(self.masks) });
                let data = NewArray::from_source(NumberType::U64, &self.stacked(planes), source);
                Ok(NewAnnotation::of(kind, header)
                    .column("data", data)
                    .column("bit_class_ids", u16s(classes)?))
            }
            Kind::Probmap => {
                let source = Arc::new(Probabilities { masks: Arc::clone(self.masks) });
                let dims = self.stacked(classes.len() as u64);
                let data = NewArray::from_source(NumberType::F16, &dims, source);
                Ok(NewAnnotation::of(kind, header)
                    .with("normalized", NewAttribute::boolean(false))
                    .column("data", data))
            }
            Kind::Instances => self.instances(header, first_instance),
            _ => Err(WriteError::refused(format!("`{}` holds no classes of voxels", kind.name()))),
        }
    }

    /// Label volumes, each of the classes of one layer.
    fn labels(&self, layers: &[Vec<u16>], stacked: bool) -> Result<NewArray, WriteError> {
        let widest = self.masks.classes.last().copied().unwrap_or(0);
        if self.in_band.is_some() && self.masks.classes.contains(&IGNORE) {
            return Err(WriteError::refused("class 65535 is the mark of ignored voxels"));
        }
        let is_narrow = widest <= 254 && self.in_band.is_none();
        let number = if is_narrow { NumberType::U8 } else { NumberType::U16 };
        let source = LabelPlanes {
            masks: Arc::clone(self.masks),
            layers: layers.to_vec(),
            ignore: self.in_band.cloned(),
            is_narrow,
            stacked,
        };
        let dims =
            if stacked { self.stacked(layers.len() as u64) } else { self.masks.shape().to_vec() };
        Ok(NewArray::from_source(number, &dims, Arc::new(source)))
    }

    fn stacked(&self, planes: u64) -> Vec<u64> {
        std::iter::once(planes).chain(self.masks.shape().iter().copied()).collect()
    }
}

impl NewAnnotation {
    /// Soft labels: `data` has one volume per class of `class_ids`, in half or single precision, from 0 to 1.
    ///
    /// A voxel belongs to a class from `threshold` on, or from one half. `normalized` promises that the classes sum to 1.
    ///
    /// # Errors
    /// [`WriteError::Refused`] when there are not as many volumes as classes, or they hold other numbers.
    pub fn probabilities(
        mut header: Header,
        class_ids: &[u16],
        data: NewArray,
        normalized: bool,
        threshold: Option<f64>,
    ) -> Result<Self, WriteError> {
        if data.shape().first() != Some(&(class_ids.len() as u64)) {
            let reason = format!("{:?} volumes for {} classes", data.shape(), class_ids.len());
            return Err(WriteError::refused(reason));
        }
        let number = data.datatype().number();
        if !number.is_some_and(|number| [NumberType::F16, NumberType::F32].contains(&number)) {
            return Err(WriteError::refused("probabilities have half or single precision"));
        }
        header.class_ids = class_ids.to_vec();
        let one = Self::of(Kind::Probmap, header)
            .with("normalized", NewAttribute::boolean(normalized))
            .column("data", data);
        Ok(match threshold {
            Some(threshold) => one.with("threshold", NewAttribute::float(threshold)),
            None => one,
        })
    }
}

/// The ignored voxels as an annotation of their own.
fn ignore_mask(header: &Header, mask: &NewArray) -> Result<NewAnnotation, WriteError> {
    let own = Header { grid: header.grid.clone(), ..Header::default() };
    let source = Arc::new(encoded::Marks { mask: mask.clone() });
    let marks = NewArray::truth_values(mask.shape(), source);
    NewAnnotation::mask(own, marks)
}

/// Reads which voxels of a box are not 0: 1, else 0.
fn marks(mask: &NewArray, start: &[u64], shape: &[u64]) -> Result<Vec<u8>, hdf5::Error> {
    Ok(marks_of(mask.datatype(), mask.read(start, shape)?))
}

/// Which elements are not 0: 1, else 0.
fn marks_of(datatype: &Datatype, mut bytes: Vec<u8>) -> Vec<u8> {
    let size = datatype.size as usize;
    if size == 1 {
        for byte in &mut bytes {
            *byte = u8::from(*byte != 0);
        }
        return bytes;
    }
    let floats = [NumberType::F16, NumberType::F32, NumberType::F64];
    let is_float = datatype.number().is_some_and(|number| floats.contains(&number));
    // Zero is zero bytes, but for the sign of a float.
    let is_set = |element: &[u8]| match element.split_last() {
        Some((last, rest)) if is_float => last & 0x7f != 0 || rest.iter().any(|byte| *byte != 0),
        _ => element.iter().any(|byte| *byte != 0),
    };
    bytes.chunks_exact(size.max(1)).map(|element| u8::from(is_set(element))).collect()
}
