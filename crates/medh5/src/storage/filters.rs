//! Which filters decode the chunks of a file.

use std::sync::{Arc, LazyLock};

use hdf5::FilterRegistry;

use super::blosc1::Blosc1Filter;
use super::blosc2::Blosc2Filter;

/// Filters that files of the format may not use, though we could decode them: LZF, Blosc1, LZ4, bitshuffle.
const NOT_OF_THE_FORMAT: [u16; 4] = [32_000, 32_001, 32_004, 32_008];

/// All filters that we can decode: for looking into files.
pub fn reading() -> FilterRegistry {
    static READING: LazyLock<FilterRegistry> = LazyLock::new(|| {
        FilterRegistry::standard().with(Arc::new(Blosc2Filter)).with(Arc::new(Blosc1Filter))
    });
    READING.clone()
}

/// The filters that files of the format may use: for judging them.
///
/// Data under any other filter cannot be read here, so that a file is judged as the reference judges it, which knows
/// only these.
pub fn validating() -> FilterRegistry {
    static VALIDATING: LazyLock<FilterRegistry> =
        LazyLock::new(|| NOT_OF_THE_FORMAT.into_iter().fold(reading(), FilterRegistry::without));
    VALIDATING.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_validator_knows_fewer_filters() {
        let known = |registry: FilterRegistry| {
            let all = [1, 2, 3, 4, 5, 6, 307, 32_000, 32_001, 32_004, 32_008, 32_015, 32_026];
            all.into_iter().filter(|id| registry.get(*id).is_some()).collect::<Vec<u16>>()
        };
        assert_eq!(
            known(reading()),
            [1, 2, 3, 5, 6, 32_000, 32_001, 32_004, 32_008, 32_015, 32_026]
        );
        assert_eq!(known(validating()), [1, 2, 3, 5, 6, 32_015, 32_026]);
    }
}
