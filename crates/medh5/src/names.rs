//! Which names the format allows. Spec: MEDH5 1.0 §3.

/// Longest name of a member and longest identifier of the document, in bytes.
const MAX_IDENTIFIER: usize = 128;
/// Longest key of a collection member, in bytes.
const MAX_SAMPLE_KEY: usize = 255;

/// Whether `text` is an identifier: 1 to 128 ASCII letters, digits, `_`, `.` or `-`.
pub fn is_identifier(text: &str) -> bool {
    has_allowed_characters(text, MAX_IDENTIFIER)
}

/// Whether a member of `grids`, `images`, `annotations` or `transforms` may bear this name: an identifier other than `meta`.
pub fn is_member_name(text: &str) -> bool {
    is_identifier(text) && text != "meta"
}

/// Whether a collection may hold a sample under this key: as an identifier, but up to 255 characters.
pub fn is_sample_key(text: &str) -> bool {
    has_allowed_characters(text, MAX_SAMPLE_KEY)
}

fn has_allowed_characters(text: &str, max_len: usize) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    (1..=max_len).contains(&text.len()) && text.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_names_from_keys() {
        assert!(is_identifier("CT_1.a-b") && is_identifier("meta") && !is_member_name("meta"));
        assert!(!is_identifier("") && !is_identifier("a b") && !is_identifier("ä"));
        let long = "a".repeat(129);
        assert!(!is_identifier(&long) && is_sample_key(&long));
    }
}
