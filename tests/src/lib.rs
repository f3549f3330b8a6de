//! What several test targets and the fuzz targets share: descriptions, walks, sources that misbehave, where files are.
#![expect(clippy::panic, clippy::missing_panics_doc, reason = "a test fails by panicking")]

pub mod blosc2_cases;
pub mod chance;
pub mod describe;
pub mod measured;
pub mod node;
pub mod open;
pub mod oracles;
pub mod program;
pub mod rebuild;
pub mod reference;
pub mod scratch;
pub mod sources;
pub mod structures;
pub mod trees;
pub mod verdicts;
pub mod walk;
