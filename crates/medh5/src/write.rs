//! Writing files: editing samples, re-encoding them, packing them into collections and taking them out. Files appear whole or
//! not at all.

mod amend;
mod annotation;
mod array;
mod atomic;
mod clinical;
mod declared;
mod document;
mod edit;
mod error;
mod grid;
mod image;
mod index;
mod index_entry;
mod judged;
mod layout;
mod pack;
mod pool;
mod rechunk;
mod recompress;
mod reread;
mod restamp;
mod sample;
mod segmentation;
mod shapes;
mod source;
mod stamp;
mod transform;
mod verify;
mod watched;

pub use annotation::{Header, NewAnnotation};
pub use array::NewArray;
pub use atomic::NewFile;
pub use clinical::{Cell, NewHistory, Row};
pub use document::Author;
pub use edit::Edit;
pub use error::WriteError;
pub use image::{Levels, NewImage, Storage};
pub use pack::{Packed, Packing, Unpacker, check_keys, default_key, is_key, pack};
pub use recompress::{Recompressed, Recompression, Reencoded};
pub use sample::{Created, NewSample};
pub use segmentation::{Encoding, Instance, Masks, Segmentation};
pub use shapes::{Assertion, OrientedBoxes, PerObject, Polygon, Polyline};
pub use transform::{Field, Map, NewTransform};
