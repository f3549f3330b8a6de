//! What must hold for any bytes whatever: the fuzz targets and `replay.rs` call these. Each panics when it does not.

mod arrival;
mod blosc2_decode;
mod clinical;
mod copied;
mod document;
mod edits;
mod encode_then_decode;
mod filters;
mod open_and_walk;
mod read_everything;
mod recompress;
mod structures;
mod validate;
mod views;
mod windows;

pub use arrival::arrival;
pub use blosc2_decode::blosc2_decode;
pub use clinical::clinical;
pub use copied::copied;
pub use document::document;
pub use edits::edited;
pub use encode_then_decode::encode_then_decode;
pub use filters::filters;
pub use open_and_walk::open_and_walk;
pub use read_everything::read_everything;
pub use recompress::recompress_keeps_content_id;
pub use structures::structures;
pub use validate::validate;
pub use views::views;
pub use windows::windows;

/// An oracle: panics when what it promises does not hold for the bytes.
pub type Oracle = fn(&[u8]);

/// Every oracle with the name of its fuzz target and of its folder of kept inputs.
pub const ALL: [(&str, Oracle); 14] = [
    ("arrival", arrival),
    ("blosc2_decode", blosc2_decode),
    ("clinical", clinical),
    ("copied", copied),
    ("document", document),
    ("encode_then_decode", encode_then_decode),
    ("filters", filters),
    ("open_and_walk", open_and_walk),
    ("read_everything", read_everything),
    ("recompress_keeps_content_id", recompress_keeps_content_id),
    ("structures", structures),
    ("validate", validate),
    ("views", views),
    ("windows", windows),
];
