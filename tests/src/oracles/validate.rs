//! Verdicts on any bytes.

use std::sync::Arc;

use medh5::validate::{Level, Options, to_json, to_text, validate as judge};

/// Validates `data` at the deepest level and again at a lower one.
///
/// Nothing panics and it ends. The verdict is the same when asked twice, and a deeper level never passes a file that a
/// lower one fails.
pub fn validate(data: &[u8]) {
    let verdict = |level| {
        judge("file", Arc::new(data.to_vec()), &Options::new(level))
            .expect("bytes in memory are never missing")
    };
    let (deep, again, shallow) =
        (verdict(Level::Strict), verdict(Level::Strict), verdict(Level::Structural));
    assert_eq!(deep, again, "asked twice");
    assert!(shallow.is_ok() || !deep.is_ok(), "strict passes what structural fails");
    assert!(!to_json([&deep]).is_empty() && !to_text(&deep, true).is_empty());
}
