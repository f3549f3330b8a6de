//! A file as samples: opening, members, and the walk over everything in it. Spec: MEDH5 1.0 §3.

mod collection;
mod member;
mod open;
mod view;
mod walk;

pub use collection::Collection;
pub use member::{Chapter, ChapterState, Child, Member};
pub use open::{Opened, open, open_with};
pub use view::Sample;
pub use walk::{Visit, Walk};
