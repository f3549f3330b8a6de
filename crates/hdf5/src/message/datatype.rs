//! Datatype message (0x0003): how one element is stored. Spec: HDF5 File Format 3.0, IV.A.2.d.

#[cfg(test)]
pub(crate) mod arbitrary;
mod construct;
mod encode;
mod parse;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// How one element is stored.
///
/// | bytes | field |
/// | --- | --- |
/// | 1 | version (upper half, 1 to 5) and class (lower half) |
/// | 3 | class bits |
/// | 4 | size |
/// | | properties of the class |
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Datatype {
    /// Bytes of one element in the file.
    pub size: u32,
    /// What the bytes mean.
    pub class: DatatypeClass,
}

/// The classes of the format.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DatatypeClass {
    /// Integers.
    FixedPoint {
        /// Byte order.
        order: ByteOrder,
        /// Two's complement.
        signed: bool,
        /// First significant bit.
        bit_offset: u16,
        /// Number of significant bits.
        precision: u16,
    },
    /// Floating point.
    FloatingPoint {
        /// Byte order.
        order: ByteOrder,
        /// Where its parts are.
        fields: FloatFields,
    },
    /// Text of a fixed number of bytes.
    FixedString {
        /// What fills the rest.
        padding: StringPadding,
        /// Its encoding.
        character_set: CharacterSet,
    },
    /// Bits without arithmetic.
    Bitfield {
        /// Byte order.
        order: ByteOrder,
        /// First significant bit.
        bit_offset: u16,
        /// Number of significant bits.
        precision: u16,
    },
    /// Bytes with a tag.
    Opaque {
        /// What the writer says they are.
        tag: String,
    },
    /// A record.
    Compound {
        /// Its fields.
        members: Vec<CompoundMember>,
    },
    /// A reference to an object or a region; listed, never followed.
    Reference {
        /// Kind number of the format.
        kind: u8,
    },
    /// Named values of an integer type.
    Enumeration {
        /// The integer type.
        base: Box<Datatype>,
        /// Names and values.
        members: Vec<EnumMember>,
    },
    /// Text of any length, in the global heap.
    VariableString {
        /// Termination.
        padding: StringPadding,
        /// Its encoding.
        character_set: CharacterSet,
    },
    /// A sequence of any length, in the global heap.
    VariableSequence {
        /// The type of its elements.
        base: Box<Datatype>,
    },
    /// A small array inside one element.
    Array {
        /// Its extent, slowest axis first.
        dims: Vec<u32>,
        /// The type of its elements.
        base: Box<Datatype>,
    },
    /// Time, complex and whatever later versions add: named, not read.
    Other {
        /// Class number of the format.
        class: u8,
        /// The whole type as the message has it.
        encoding: Vec<u8>,
    },
}

/// The parts of a floating-point number, in bits from the least significant one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatFields {
    /// First significant bit.
    pub bit_offset: u16,
    /// Number of significant bits.
    pub precision: u16,
    /// Where the exponent starts.
    pub exponent_at: u8,
    /// Its bits.
    pub exponent_bits: u8,
    /// Where the mantissa starts.
    pub mantissa_at: u8,
    /// Its bits.
    pub mantissa_bits: u8,
    /// What is added to the exponent.
    pub exponent_bias: u32,
    /// Where the sign is.
    pub sign_at: u8,
    /// Number of the format for what is done with the mantissa's leading bit; 2 means that it is one and not stored.
    pub normalization: u8,
}

impl FloatFields {
    /// The IEEE 754 interchange format of this many bytes: binary16, binary32 or binary64.
    pub fn ieee(size: u32) -> Option<Self> {
        match size {
            2 => Some(Self::BINARY16),
            4 => Some(Self::BINARY32),
            8 => Some(Self::BINARY64),
            _ => None,
        }
    }

    /// IEEE 754 binary16.
    pub const BINARY16: Self = Self::interchange(16, 5, 15);
    /// IEEE 754 binary32.
    pub const BINARY32: Self = Self::interchange(32, 8, 127);
    /// IEEE 754 binary64.
    pub const BINARY64: Self = Self::interchange(64, 11, 1023);

    const fn interchange(bits: u8, exponent_bits: u8, exponent_bias: u32) -> Self {
        let sign_at = bits.saturating_sub(1);
        let mantissa_bits = sign_at.saturating_sub(exponent_bits);
        Self {
            bit_offset: 0,
            precision: bits as u16,
            exponent_at: mantissa_bits,
            exponent_bits,
            mantissa_at: 0,
            mantissa_bits,
            exponent_bias,
            sign_at,
            normalization: 2,
        }
    }
}

/// A field of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompoundMember {
    /// Its name.
    pub name: String,
    /// Bytes from the start of the record.
    pub offset: u32,
    /// Its type.
    pub datatype: Datatype,
}

/// A named value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumMember {
    /// Its name.
    pub name: String,
    /// The value as an integer.
    pub value: i128,
}

/// Order of the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteOrder {
    /// Least significant first.
    Little,
    /// Most significant first.
    Big,
}

/// What ends or fills a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StringPadding {
    /// Ends at the first NUL.
    NullTerminated,
    /// Filled with NULs.
    NullPadded,
    /// Filled with spaces.
    SpacePadded,
}

/// Encoding of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CharacterSet {
    /// US-ASCII.
    Ascii,
    /// UTF-8.
    Utf8,
}

/// The number types that can be read as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum NumberType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}

impl Datatype {
    pub(crate) const NAME: &str = "datatype message";

    /// The number type that elements read as: integers, also those of fewer bits than their bytes, IEEE floats, and
    /// enumerations as their base.
    pub fn number(&self) -> Option<NumberType> {
        use NumberType::{F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
        match &self.class {
            DatatypeClass::FixedPoint { signed, .. } => match (self.size, signed) {
                (1, true) => Some(I8),
                (1, false) => Some(U8),
                (2, true) => Some(I16),
                (2, false) => Some(U16),
                (4, true) => Some(I32),
                (4, false) => Some(U32),
                (8, true) => Some(I64),
                (8, false) => Some(U64),
                _ => None,
            },
            DatatypeClass::FloatingPoint { fields, .. }
                if FloatFields::ieee(self.size) == Some(*fields) =>
            {
                match self.size {
                    2 => Some(F16),
                    4 => Some(F32),
                    _ => Some(F64),
                }
            }
            DatatypeClass::Enumeration { base, .. } => base.number(),
            _ => None,
        }
    }

    /// Byte order of a number, or of an enumeration's base; `None` for other classes.
    pub fn byte_order(&self) -> Option<ByteOrder> {
        match &self.class {
            DatatypeClass::FixedPoint { order, .. }
            | DatatypeClass::FloatingPoint { order, .. } => Some(*order),
            DatatypeClass::Enumeration { base, .. } => base.byte_order(),
            _ => None,
        }
    }

    /// Whether this is text, of fixed or variable length.
    pub fn is_string(&self) -> bool {
        matches!(
            self.class,
            DatatypeClass::FixedString { .. } | DatatypeClass::VariableString { .. }
        )
    }

    /// Whether this is the boolean of h5py: an enumeration over one byte with exactly FALSE = 0 and TRUE = 1.
    pub fn is_boolean(&self) -> bool {
        let DatatypeClass::Enumeration { base, members } = &self.class else { return false };
        let is = |name, value| members.iter().any(|m| m.name == name && m.value == value);
        base.size == 1 && members.len() == 2 && is("FALSE", 0) && is("TRUE", 1)
    }
}
