//! The clinical profile: events, documents and links on a subject's clock. Spec: MEDH5 1.1.

mod column;
mod columns;
mod descriptor;
mod history;
mod problem;
mod rows;
mod table;
pub mod vocabulary;

pub use column::Column;
pub use columns::{ColumnSpec, ColumnType, DOCUMENTS, EVENTS, LINKS, TableSpec};
pub use descriptor::{ClockReference, Descriptor};
pub(crate) use descriptor::{is_recognised, judge};
pub(crate) use history::CLINICAL;
pub use history::History;
pub(crate) use problem::Problem;
pub use rows::{Bounds, Document, Endpoint, Event, Link};
pub use table::Table;
