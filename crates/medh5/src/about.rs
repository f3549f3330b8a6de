//! What this program is: the versions that a report carries so that it can be repeated.

use serde::Serialize;

use crate::validate::codes;

/// The versions that decide what a report says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct About {
    /// Name of the program.
    pub name: &'static str,
    /// Our version.
    pub version: &'static str,
    /// The program whose verdicts ours are compared with.
    pub reference: &'static str,
    /// Latest revision of the code table.
    pub codes_revision: u8,
    /// Format versions that are validated in full.
    pub formats: [&'static str; 3],
}

/// The versions of this build.
pub const ABOUT: About = About {
    name: "medh5-lite",
    version: env!("CARGO_PKG_VERSION"),
    reference: "medh5 2.2.3",
    codes_revision: codes::REVISION,
    formats: ["1.0", "1.1", "1.2"],
};

impl About {
    /// One line for people.
    pub fn line(&self) -> String {
        format!(
            "{} {} (formats {}; code table revision {}; compared with {})",
            self.name,
            self.version,
            self.formats.join(", "),
            self.codes_revision,
            self.reference
        )
    }
}
