//! Which class a foreground draw is of.

use super::ClassWeights;
use crate::index::SplitMix64;

/// A class that has voxels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    pub(super) class_id: i64,
    /// Voxels of the class.
    pub(super) voxels: u64,
    weight: f64,
}

/// The classes that foreground draws may be of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidates {
    list: Vec<Candidate>,
    /// Sum of the weights; `None` when all are alike.
    total: Option<f64>,
}

impl Candidates {
    /// Of `counts`, classes and their numbers of voxels, those that can be drawn.
    pub(super) fn new(
        counts: impl IntoIterator<Item = (i64, u64)>,
        weights: &ClassWeights,
    ) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a weight need not be exact")]
        let weight = |class_id: i64, voxels: u64| match weights {
            ClassWeights::Uniform => 1.0,
            ClassWeights::Frequency => voxels as f64,
            ClassWeights::InverseFrequency => 1.0 / voxels as f64,
            ClassWeights::Explicit(weights) => weights.get(&class_id).copied().unwrap_or(0.0),
        };
        let counts = counts.into_iter().filter(|(_, voxels)| *voxels > 0);
        let candidates = counts.map(|(class_id, voxels)| {
            let weight = weight(class_id, voxels);
            Candidate { class_id, voxels, weight }
        });
        let list: Vec<Candidate> = candidates.filter(|found| found.weight > 0.0).collect();
        let total = (*weights != ClassWeights::Uniform)
            .then(|| list.iter().map(|candidate| candidate.weight).sum());
        Self { list, total }
    }

    /// Draws one; `None` when there is none.
    pub(super) fn draw(&self, numbers: &mut SplitMix64) -> Option<Candidate> {
        let last = self.list.last().copied()?;
        let Some(total) = self.total else {
            let place = numbers.below(self.list.len() as u64);
            return self.list.get(usize::try_from(place).ok()?).copied();
        };
        let mut rest = numbers.fraction() * total;
        let found = self.list.iter().find(|candidate| {
            rest -= candidate.weight;
            rest < 0.0
        });
        // The sum of what was taken away may round to less than the total.
        Some(found.copied().unwrap_or(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(weights: &ClassWeights) -> Vec<(i64, usize)> {
        let candidates = Candidates::new([(4, 100), (5, 0), (6, 300)], weights);
        let mut numbers = SplitMix64::new(1);
        let drawn: Vec<i64> = (0..4000)
            .filter_map(|_| candidates.draw(&mut numbers))
            .map(|candidate| candidate.class_id)
            .collect();
        let share =
            |class| (class, drawn.iter().filter(|one| **one == class).count().div_ceil(100));
        [4, 5, 6].map(share).to_vec()
    }

    #[test]
    fn classes_come_by_their_weights() {
        let near = |weights, expected: [usize; 3]| {
            for ((class, share), expected) in shares(&weights).into_iter().zip(expected) {
                assert!(share.abs_diff(expected) <= 2, "{weights:?} {class} {share} {expected}");
            }
        };
        near(ClassWeights::Uniform, [20, 0, 20]);
        near(ClassWeights::Frequency, [10, 0, 30]);
        near(ClassWeights::InverseFrequency, [30, 0, 10]);
        near(ClassWeights::Explicit([(4, 4.0), (5, 9.0)].into()), [40, 0, 0]);
    }

    #[test]
    fn nothing_to_draw_is_none() {
        let none = Candidates::new([(4, 100)], &ClassWeights::Explicit([(4, 0.0)].into()));
        assert_eq!(none.draw(&mut SplitMix64::new(1)), None);
    }
}
