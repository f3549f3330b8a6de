//! Counts what was decoded of a file, and stops when that is out of proportion.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Finding, Memo, Observer};
use crate::ReadError;

/// Passes on to the host's observer, and stops by itself beyond a number of decoded bytes.
pub(super) struct Meter<'a> {
    observer: &'a dyn Observer,
    max: u64,
    decoded: AtomicU64,
}

impl<'a> Meter<'a> {
    pub(super) fn new(observer: &'a dyn Observer, max: u64) -> Self {
        // Calls that are repeated count together.
        let before = observer.memo().map_or(0, Memo::decoded);
        Self { observer, max, decoded: AtomicU64::new(before) }
    }

    /// How the file went beyond the limit, if it did. Which thread noticed first does not show: reports stay the same.
    pub(super) fn excess(&self) -> Option<ReadError> {
        (self.decoded.load(Ordering::Relaxed) > self.max).then(|| ReadError::Limit {
            what: "decoded bytes to look through".into(),
            found: self.max.saturating_add(1),
            limit: "max_decoded_bytes",
            max: self.max,
        })
    }
}

impl Observer for Meter<'_> {
    fn should_stop(&self) -> bool {
        self.decoded.load(Ordering::Relaxed) > self.max || self.observer.should_stop()
    }

    fn should_pause(&self) -> bool {
        self.observer.should_pause()
    }

    fn memo(&self) -> Option<&Memo> {
        self.observer.memo()
    }

    fn found(&self, prefix: &str, findings: &[Finding]) {
        self.observer.found(prefix, findings);
    }

    fn progress(&self, bytes: u64) {
        self.decoded.fetch_add(bytes, Ordering::Relaxed);
        if let Some(memo) = self.memo() {
            memo.count(bytes);
        }
        self.observer.progress(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::Silent;

    #[test]
    fn stops_beyond_the_limit_and_says_so() {
        let meter = Meter::new(&Silent, 100);
        meter.progress(100);
        assert!(!meter.should_stop() && meter.excess().is_none());
        meter.progress(1);
        assert!(meter.should_stop());
        let said = meter.excess().unwrap().to_string();
        let expected =
            "decoded bytes to look through: 101 is over the limit `max_decoded_bytes` of 100";
        assert_eq!(said, expected);
    }
}
