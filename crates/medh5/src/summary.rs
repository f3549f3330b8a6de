//! What a file holds, in plain values that serialize: for the command line, the page and audits. No voxel is read.

mod history;
mod index;
mod member;
mod metadata;
mod sample;
mod storage;
mod tree;
mod verification;

pub use history::HistorySummary;
pub use index::{DrawSummary, IndexSummary, IndexedClassSummary};
pub use member::MemberSummary;
pub use metadata::{Metadata, PartMetadata, Parts, attribute_values};
pub use sample::{
    AnnotationSummary, ClinicalSummary, CollectionSummary, GridSummary, ImageSummary,
    LabelSetSummary, SampleSummary, TimepointSummary, TransformSummary,
};
pub use storage::{extent_text, storage_text, type_text};
pub use tree::{Node, NodeKind};
pub use verification::VerificationSummary;
