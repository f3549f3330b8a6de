//! A generator whose draws never change: `SplitMix64` (Steele, Lea, Flood 2014).

/// Gives the same numbers for the same seed on every machine and in every release.
#[derive(Debug, Clone)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The generator that starts at `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The number at `place` (from 0) of the generator that starts at `seed`, without those before it.
    ///
    /// For one seed, different places have different numbers.
    pub fn nth(seed: u64, place: u64) -> u64 {
        mix(seed.wrapping_add(place.wrapping_add(1).wrapping_mul(STEP)))
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// The next number as a fraction of 1, below 1: its 53 highest bits.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
    pub fn fraction(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The next number below `n`, or 0 when `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        let product = u128::from(self.next_u64()) * u128::from(n);
        // A 64-bit number times `n`, over 2^64, is below `n`.
        u64::try_from(product >> 64).unwrap_or(u64::MAX)
    }
}

/// What the state grows by from number to number.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(state: u64) -> u64 {
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_published_numbers() {
        let mut generator = SplitMix64::new(1_234_567);
        let numbers: Vec<u64> = (0..5).map(|_| generator.next_u64()).collect();
        assert!((0..).zip(&numbers).all(|(at, number)| SplitMix64::nth(1_234_567, at) == *number));
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn stays_below_and_reaches_everything() {
        let mut generator = SplitMix64::new(0);
        let mut met = [false; 7];
        for _ in 0..200 {
            met[usize::try_from(generator.below(7)).unwrap()] = true;
        }
        assert!(met.iter().all(|met| *met));
        assert_eq!(generator.below(0), 0);
        assert!((0..200).map(|_| generator.fraction()).all(|part| (0.0..1.0).contains(&part)));
    }
}
