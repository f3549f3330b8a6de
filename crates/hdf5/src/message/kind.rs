//! Message types and flags, by the numbers that object headers carry. Spec: HDF5 File Format 3.0, IV.A.2.

pub(crate) const NIL: u16 = 0x00;
pub(crate) const DATASPACE: u16 = 0x01;
pub(crate) const LINK_INFO: u16 = 0x02;
pub(crate) const DATATYPE: u16 = 0x03;
pub(crate) const OLD_FILL_VALUE: u16 = 0x04;
pub(crate) const FILL_VALUE: u16 = 0x05;
pub(crate) const LINK: u16 = 0x06;
pub(crate) const EXTERNAL_FILES: u16 = 0x07;
pub(crate) const LAYOUT: u16 = 0x08;
pub(crate) const GROUP_INFO: u16 = 0x0a;
pub(crate) const FILTER_PIPELINE: u16 = 0x0b;
pub(crate) const ATTRIBUTE: u16 = 0x0c;
pub(crate) const COMMENT: u16 = 0x0d;
pub(crate) const CONTINUATION: u16 = 0x10;
pub(crate) const SYMBOL_TABLE: u16 = 0x11;
pub(crate) const BTREE_K: u16 = 0x13;
pub(crate) const DRIVER_INFORMATION: u16 = 0x14;
pub(crate) const ATTRIBUTE_INFO: u16 = 0x15;
pub(crate) const REFERENCE_COUNT: u16 = 0x16;
pub(crate) const CACHE_IMAGE: u16 = 0x18;

/// The message does not change while the object exists.
pub(crate) const CONSTANT: u8 = 0b0000_0001;
/// The data is not the message, but says where it is.
pub(crate) const SHARED: u8 = 0b0000_0010;
/// Who does not know the message must not open the object.
pub(crate) const FAIL_IF_UNKNOWN: u8 = 0b1000_0000;

/// Names in the order of their numbers; `None` where the specification has no message.
const NAMES: [Option<&str>; 0x19] = [
    Some("NIL"),
    Some("dataspace"),
    Some("link info"),
    Some("datatype"),
    Some("old fill value"),
    Some("fill value"),
    Some("link"),
    Some("external data files"),
    Some("data layout"),
    None,
    Some("group info"),
    Some("filter pipeline"),
    Some("attribute"),
    Some("object comment"),
    Some("old modification time"),
    Some("shared message table"),
    Some("object header continuation"),
    Some("symbol table"),
    Some("modification time"),
    Some("B-tree K values"),
    Some("driver information"),
    Some("attribute info"),
    Some("object reference count"),
    Some("file space info"),
    Some("metadata cache image"),
];

/// The name of a message type, if the specification has it.
pub(crate) fn name(kind: u16) -> Option<&'static str> {
    NAMES.get(usize::from(kind)).copied().flatten()
}
