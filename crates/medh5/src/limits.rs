//! Every cap on what a file may ask of a validation.

/// Caps on what a file may ask of a validation. A file that hits one is refused by that limit's name.
///
/// Fixed besides: groups nest 64 deep, and JSON 127, as for the reference.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Those on its structures and chunks.
    pub file: hdf5::Limits,
    /// Decoded bytes that are looked through in one file (2 GiB), or 2048 for each byte of the file, if that is more.
    pub max_decoded_bytes: u64,
    /// Findings of one code in one file (10,000); the others are left out, and the report says so.
    pub max_findings: u64,
}

/// Decoded bytes per byte of a file that need no further reason.
const PLAUSIBLE: u64 = 2048;

impl Default for Limits {
    fn default() -> Self {
        Self { file: hdf5::Limits::default(), max_decoded_bytes: 2 << 30, max_findings: 10_000 }
    }
}

impl Limits {
    /// Sets the limit of this name; for hosts that let people choose. Whether there is one.
    pub fn set(&mut self, name: &str, value: u64) -> bool {
        match name {
            "max_decoded_bytes" => self.max_decoded_bytes = value,
            "max_findings" => self.max_findings = value,
            _ => return self.file.set(name, value),
        }
        true
    }

    /// Every limit with its value.
    pub fn list(&self) -> Vec<(&'static str, u64)> {
        let own =
            [("max_decoded_bytes", self.max_decoded_bytes), ("max_findings", self.max_findings)];
        own.into_iter().chain(self.file.list()).collect()
    }

    /// Decoded bytes that may be looked through in a file of this length.
    pub(crate) fn decoded_bytes_of(&self, file_bytes: u64) -> u64 {
        self.max_decoded_bytes.max(file_bytes.saturating_mul(PLAUSIBLE))
    }
}
