//! Verdicts on any bytes.

use std::sync::Arc;

use medh5::validate::{Level, Options, to_json, to_text, validate as judge};

/// Validates `data` at every level.
///
/// Nothing panics and it ends. The verdict is the same when asked twice, and a deeper level never passes a file that a
/// shallower one fails.
pub fn validate(data: &[u8]) {
    let bytes = Arc::new(data.to_vec());
    let verdict = |level| {
        judge("file", bytes.clone(), &Options::new(level))
            .expect("bytes in memory are never missing")
    };
    let verdicts = Level::ALL.map(verdict);
    for (shallower, deeper) in verdicts.iter().zip(&verdicts[1..]) {
        assert!(
            shallower.is_ok() || !deeper.is_ok(),
            "{:?} passes what {:?} fails",
            deeper.level,
            shallower.level
        );
    }
    for verdict in &verdicts {
        assert!(!to_json([verdict]).is_empty() && !to_text(verdict, true).is_empty());
    }
    assert_eq!(verdicts[3], verdict(Level::Strict), "asked twice");
}
