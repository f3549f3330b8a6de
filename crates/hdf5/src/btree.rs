//! B-trees: the old kind and the new, one node at a time; `read/btree.rs` walks them.
pub(crate) mod symbol_table_node;
pub(crate) mod v1;
pub(crate) mod v2;
