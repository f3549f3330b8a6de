//! A builder for the bytes of a structure, with named offsets.

/// Bytes in the making. Every method appends and returns the builder.
#[derive(Debug, Clone, Default)]
pub struct Bytes {
    bytes: Vec<u8>,
    marks: Vec<(&'static str, usize)>,
}

impl Bytes {
    /// No bytes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One byte.
    #[must_use]
    pub fn u8(self, value: u8) -> Self {
        self.bytes([value])
    }

    /// Two bytes, little-endian.
    #[must_use]
    pub fn u16(self, value: u16) -> Self {
        self.bytes(value.to_le_bytes())
    }

    /// Four bytes, little-endian.
    #[must_use]
    pub fn u32(self, value: u32) -> Self {
        self.bytes(value.to_le_bytes())
    }

    /// Eight bytes, little-endian.
    #[must_use]
    pub fn u64(self, value: u64) -> Self {
        self.bytes(value.to_le_bytes())
    }

    /// The low `width` bytes of `value`, little-endian.
    #[must_use]
    pub fn uint(self, value: u64, width: usize) -> Self {
        self.bytes(value.to_le_bytes().into_iter().take(width))
    }

    /// These bytes.
    #[must_use]
    pub fn bytes(mut self, bytes: impl IntoIterator<Item = u8>) -> Self {
        self.bytes.extend(bytes);
        self
    }

    /// The bytes of a text, without a terminator.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.bytes(text.bytes())
    }

    /// `count` zero bytes.
    #[must_use]
    pub fn zeros(self, count: usize) -> Self {
        self.bytes(std::iter::repeat_n(0, count))
    }

    /// `count` bytes of 0xff: an undefined address.
    #[must_use]
    pub fn ones(self, count: usize) -> Self {
        self.bytes(std::iter::repeat_n(0xff, count))
    }

    /// Zero bytes up to a multiple of `multiple`.
    #[must_use]
    pub fn pad_to(self, multiple: usize) -> Self {
        let padded = self.bytes.len().next_multiple_of(multiple);
        self.grow_to(padded)
    }

    /// Zero bytes up to the offset `len`; nothing when there are that many already.
    #[must_use]
    pub fn grow_to(mut self, len: usize) -> Self {
        if self.bytes.len() < len {
            self.bytes.resize(len, 0);
        }
        self
    }

    /// Names the offset that the next byte will have.
    #[must_use]
    pub fn mark(mut self, name: &'static str) -> Self {
        self.marks.push((name, self.bytes.len()));
        self
    }

    /// What another builder made; its marks move along.
    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        let start = self.bytes.len();
        self.marks.extend(other.marks.into_iter().map(|(name, at)| (name, at + start)));
        self.bytes.extend(other.bytes);
        self
    }

    /// The checksum `sum` of everything so far, in four bytes.
    #[must_use]
    pub fn sealed(self, sum: impl Fn(&[u8]) -> u32) -> Self {
        let value = sum(&self.bytes);
        self.u32(value)
    }

    /// The offset of a mark.
    ///
    /// # Panics
    /// When there is no such mark: the test is wrong.
    pub fn at(&self, name: &str) -> usize {
        self.marks.iter().find(|(known, _)| *known == name).expect("a mark of this name").1
    }

    /// Number of bytes so far.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is no byte yet.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The bytes.
    pub fn build(self) -> Vec<u8> {
        self.bytes
    }
}
