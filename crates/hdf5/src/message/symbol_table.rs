//! Symbol table message (0x0011): where an old group keeps its links. Spec: HDF5 File Format 3.0, IV.A.2.r.

use nom::Parser;

use crate::parse::{Address, Parsed, Sizes, address, field};

/// | bytes | field |
/// | --- | --- |
/// | offset | version 1 B-tree address |
/// | offset | local heap address |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SymbolTable {
    pub(crate) tree: Option<Address>,
    pub(crate) heap: Option<Address>,
}

impl SymbolTable {
    pub(crate) const NAME: &str = "symbol table message";

    /// Reads the only version.
    pub(crate) fn parse<'a>(sizes: Sizes) -> impl Fn(&'a [u8]) -> Parsed<'a, Self> {
        move |i| {
            let (i, tree) = field("B-tree address", address(sizes)).parse(i)?;
            let (i, heap) = field("local heap address", address(sizes)).parse(i)?;
            Ok((i, Self { tree, heap }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse_at;
    use alloc::string::ToString;
    use testkit::Bytes;

    #[test]
    fn reads_both_addresses() {
        let parser = || SymbolTable::parse(Sizes { offset: 4, length: 8 });
        let bytes = Bytes::new().u32(0x88).u32(0x2a8).build();
        let expected = SymbolTable { tree: Some(Address(0x88)), heap: Some(Address(0x2a8)) };
        assert_eq!(parse_at(SymbolTable::NAME, 0, &bytes, parser()), Ok(expected));
        assert_eq!(
            parse_at(SymbolTable::NAME, 0, &bytes[..6], parser()).unwrap_err().to_string(),
            "symbol table message at byte 0x0: field `local heap address` at byte 0x4: the structure ends early"
        );
    }
}
