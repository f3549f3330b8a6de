//! Object header messages, one file each.
pub(crate) mod attribute;
pub(crate) mod attribute_info;
pub(crate) mod btree_k;
pub(crate) mod dataspace;
pub(crate) mod datatype;
pub(crate) mod fill_value;
pub(crate) mod filter_pipeline;
pub(crate) mod group_info;
pub(crate) mod kind;
pub(crate) mod layout;
pub(crate) mod link;
pub(crate) mod link_info;
pub(crate) mod reference_count;
pub(crate) mod shared;
pub(crate) mod symbol_table;
