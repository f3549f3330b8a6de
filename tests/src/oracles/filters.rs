//! Each filter on its own, with any parameters.

use hdf5::{FilterContext, FilterRegistry};

/// The filters: those of HDF5 and those that MEDH5 adds.
const IDS: [u16; 11] = [1, 2, 3, 5, 6, 32000, 32001, 32004, 32008, 32015, 32026];

/// The most that a filter may give.
const MAX_DECODED: usize = 1 << 20;

/// Decodes with one filter. Input: a byte that chooses the filter, one for the number of its parameters (32 bits each), those,
/// one for the size of an element, three for the extent of the chunk, and the stored bytes.
///
/// Nothing panics, and no filter gives more than it may.
pub fn filters(data: &[u8]) {
    let [which, count, rest @ ..] = data else { return };
    let Some((parameters, rest)) = rest.split_at_checked(usize::from(*count % 32) * 4) else {
        return;
    };
    let [element_size, a, b, c, stored @ ..] = rest else { return };
    let client_data: Vec<u32> = parameters
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    let registry: FilterRegistry = medh5::storage::reading();
    let filter =
        registry.get(IDS[usize::from(*which) % IDS.len()]).expect("a filter this project knows");
    let element_size = usize::from(*element_size);
    let chunk_dims = [a, b, c].map(|extent| u64::from(*extent));
    let chunk_bytes = chunk_dims.iter().product::<u64>() * element_size as u64;
    let max = usize::try_from(chunk_bytes).map_or(MAX_DECODED, |bytes| bytes.min(MAX_DECODED));
    for max_decoded_bytes in [max, MAX_DECODED] {
        let context = FilterContext {
            client_data: &client_data,
            chunk_dims: &chunk_dims,
            element_size,
            max_decoded_bytes,
        };
        let mut output = Vec::new();
        if filter.decode(&context, stored, &mut output).is_ok() {
            assert!(output.len() <= max_decoded_bytes, "{} gives too much", filter.name());
        }
    }
}
