//! Hash algorithms, the spelling of a digest, and hashing piece by piece. Spec: MEDH5 1.0 §13.1.

use std::fmt;

use blake2::Blake2b512;
use sha2::{Digest as _, Sha256, Sha512};

/// The hash algorithms that a digest may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Algorithm {
    /// SHA-256, the default.
    #[default]
    Sha256,
    /// SHA-512.
    Sha512,
    /// `BLAKE2b` with 64 bytes of output and no key.
    Blake2b,
}

impl Algorithm {
    /// All of them, the default first.
    pub const ALL: [Self; 3] = [Self::Sha256, Self::Sha512, Self::Blake2b];

    /// The name as digests and `digest_algo` spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Sha512 => "sha512",
            Self::Blake2b => "blake2b",
        }
    }

    /// The algorithm of this exact name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// Bytes of a hash value.
    pub fn output_bytes(self) -> usize {
        match self {
            Self::Sha256 => 32,
            Self::Sha512 | Self::Blake2b => 64,
        }
    }

    /// The digest of `bytes`.
    pub fn digest(self, bytes: &[u8]) -> Digest {
        let mut hasher = Hasher::new(self);
        hasher.update(bytes);
        hasher.finish()
    }
}

/// A hash value and the algorithm that gave it; its text is `sha256:` and lowercase hex.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Digest {
    algorithm: Algorithm,
    value: Vec<u8>,
}

impl Digest {
    /// Reads the canonical spelling: `None` for an unknown algorithm, capitals, or a wrong length.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, hex) = text.split_once(':')?;
        let algorithm = Algorithm::from_name(name)?;
        let value = decode_hex(hex)?;
        (value.len() == algorithm.output_bytes()).then_some(Self { algorithm, value })
    }

    /// The algorithm that gave this value.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The value alone, as lowercase hex.
    pub fn hex(&self) -> String {
        encode_hex(&self.value)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.algorithm.name(), self.hex())
    }
}

/// Hashes bytes as they come.
#[derive(Clone)]
pub struct Hasher(State);

#[derive(Clone)]
enum State {
    Sha256(Sha256),
    Sha512(Sha512),
    Blake2b(Box<Blake2b512>),
}

impl Hasher {
    /// A hasher that has seen no bytes.
    pub fn new(algorithm: Algorithm) -> Self {
        Self(match algorithm {
            Algorithm::Sha256 => State::Sha256(Sha256::new()),
            Algorithm::Sha512 => State::Sha512(Sha512::new()),
            Algorithm::Blake2b => State::Blake2b(Box::new(Blake2b512::new())),
        })
    }

    /// Takes the next bytes in.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            State::Sha256(state) => state.update(bytes),
            State::Sha512(state) => state.update(bytes),
            State::Blake2b(state) => state.update(bytes),
        }
    }

    /// The digest of everything taken in.
    pub fn finish(self) -> Digest {
        match self.0 {
            State::Sha256(state) => digest(Algorithm::Sha256, &state.finalize()),
            State::Sha512(state) => digest(Algorithm::Sha512, &state.finalize()),
            State::Blake2b(state) => digest(Algorithm::Blake2b, &state.finalize()),
        }
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            State::Sha256(_) => "Hasher(sha256)",
            State::Sha512(_) => "Hasher(sha512)",
            State::Blake2b(_) => "Hasher(blake2b)",
        })
    }
}

fn digest(algorithm: Algorithm, value: &[u8]) -> Digest {
    Digest { algorithm, value: value.to_vec() }
}

fn encode_hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

/// Lowercase only: capitals are another spelling, and a spelling is what a digest line binds.
fn decode_hex(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, []) = hex.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_the_empty_input() {
        let digest = Algorithm::Sha256.digest(b"").to_string();
        assert_eq!(
            digest,
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert!(Algorithm::Sha512.digest(b"").to_string().starts_with("sha512:cf83e1357eefb8bd"));
        assert!(Algorithm::Blake2b.digest(b"").to_string().starts_with("blake2b:786a02f742015903"));
    }

    #[test]
    fn hashing_in_pieces_is_hashing_at_once() {
        for algorithm in Algorithm::ALL {
            let mut hasher = Hasher::new(algorithm);
            b"in pieces".chunks(4).for_each(|piece| hasher.update(piece));
            assert_eq!(hasher.finish(), algorithm.digest(b"in pieces"));
        }
    }

    #[test]
    fn reads_only_the_canonical_spelling() {
        let text = Algorithm::Sha256.digest(b"x").to_string();
        assert_eq!(Digest::parse(&text).unwrap().to_string(), text);
        let damaged = [
            text.to_uppercase(),
            text.replace("sha256", "SHA256"),
            text.replace("sha256", "blake2b"),
            text.replace("sha256", "md5"),
            text.replace(':', ""),
            format!("{text}0"),
            format!("{text}00"),
            format!(" {text}"),
            text[..text.len() - 2].to_owned(),
            text[..text.len() - 1].to_owned() + "g",
            String::new(),
        ];
        for text in damaged {
            assert_eq!(Digest::parse(&text), None, "{text}");
        }
    }
}
