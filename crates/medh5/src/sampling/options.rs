//! What a caller wants drawn.

use std::collections::BTreeMap;

use crate::ReadError;

/// Where patches are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Anywhere in the volume, every place as likely.
    Uniform,
    /// Around a voxel of a class.
    Foreground,
    /// One or the other, by the foreground probability.
    #[default]
    Balanced,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Uniform, Self::Foreground, Self::Balanced];

    /// Its name, as in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Foreground => "foreground",
            Self::Balanced => "balanced",
        }
    }
}

/// How likely each class is that has voxels.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum ClassWeights {
    /// All equally.
    #[default]
    Uniform,
    /// By its number of voxels.
    Frequency,
    /// By one over its number of voxels.
    InverseFrequency,
    /// By these weights; a class that is not listed is not drawn.
    Explicit(BTreeMap<i64, f64>),
}

/// What happens to a patch around a voxel near the edge of the volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Edge {
    /// It moves inwards; only an axis shorter than the patch is padded.
    #[default]
    Clamp,
    /// The voxel stays in its middle, and what lies outside is padded.
    Pad,
}

/// What a caller wants drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct SamplingOptions {
    /// Extent of a patch along each spatial axis, in voxels, slowest axis first; one value stands for all axes.
    pub patch: Vec<u64>,
    /// Where.
    pub strategy: Strategy,
    /// Probability of a foreground draw under [`Strategy::Balanced`].
    pub foreground_probability: f64,
    /// Classes of foreground draws; all that the annotation declares, if `None`. Those that it does not declare do not count.
    pub classes: Option<Vec<i64>>,
    /// How likely each of them is.
    pub weights: ClassWeights,
    /// What happens near the edge.
    pub edge: Edge,
}

impl Default for SamplingOptions {
    fn default() -> Self {
        Self {
            patch: vec![64],
            strategy: Strategy::default(),
            foreground_probability: 0.5,
            classes: None,
            weights: ClassWeights::default(),
            edge: Edge::default(),
        }
    }
}

/// Why no patches can be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SamplingError {
    /// What is wanted makes no sense, or not for this sample.
    #[error("{reason}")]
    Options {
        /// What does not fit.
        reason: String,
    },
    /// The sample cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl SamplingError {
    pub(super) fn options(reason: impl Into<String>) -> Self {
        Self::Options { reason: reason.into() }
    }
}

impl SamplingOptions {
    /// Refuses what no sample could meet.
    pub(super) fn check(&self) -> Result<(), SamplingError> {
        if self.patch.is_empty() || self.patch.contains(&0) {
            return Err(SamplingError::options("a patch has at least one voxel along each axis"));
        }
        if !(0.0..=1.0).contains(&self.foreground_probability) {
            return Err(SamplingError::options("the foreground probability must lie in [0, 1]"));
        }
        if let ClassWeights::Explicit(weights) = &self.weights {
            let bad = weights.iter().find(|(_, weight)| !(weight.is_finite() && **weight >= 0.0));
            if let Some((class, weight)) = bad {
                let reason = format!(
                    "class {class} has the weight {weight}; a weight is a finite number of at least 0"
                );
                return Err(SamplingError::options(reason));
            }
        }
        Ok(())
    }

    /// The patch in a volume of `rank` axes.
    pub(super) fn patch_of(&self, rank: usize) -> Result<Vec<u64>, SamplingError> {
        match self.patch.as_slice() {
            [one] => Ok(vec![*one; rank]),
            all if all.len() == rank => Ok(all.to_vec()),
            all => {
                let reason = format!("the patch {all:?} has {} axes, the grid {rank}", all.len());
                Err(SamplingError::options(reason))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused_in_words() {
        let message = |options: SamplingOptions| options.check().unwrap_err().to_string();
        let options = SamplingOptions::default();
        assert!(options.check().is_ok());
        assert!(
            message(SamplingOptions { patch: vec![4, 0, 4], ..options.clone() })
                .contains("at least one voxel")
        );
        let probability = SamplingOptions { foreground_probability: f64::NAN, ..options.clone() };
        assert!(message(probability).contains("[0, 1]"));
        let weights = ClassWeights::Explicit([(3, -1.0)].into());
        assert!(message(SamplingOptions { weights, ..options }).contains("class 3"));
    }

    #[test]
    fn one_extent_stands_for_all_axes() {
        let options = SamplingOptions { patch: vec![8], ..SamplingOptions::default() };
        assert_eq!(options.patch_of(3), Ok(vec![8; 3]));
        let options = SamplingOptions { patch: vec![8, 9], ..options };
        assert_eq!(options.patch_of(2), Ok(vec![8, 9]));
        assert!(options.patch_of(3).is_err());
    }
}
