//! Object header messages, one file each.
pub(crate) mod dataspace;
pub(crate) mod datatype;
pub(crate) mod fill_value;
pub(crate) mod filter_pipeline;
pub(crate) mod layout;
