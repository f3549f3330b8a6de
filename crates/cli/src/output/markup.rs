//! Text inside XML and HTML.

/// Escapes what XML and HTML would read as markup; characters that XML cannot hold become U+FFFD.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(character),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    #[test]
    fn markup_and_control_characters_are_taken_out() {
        assert_eq!(super::escape("<a & \"b\"\u{1}>"), "&lt;a &amp; &quot;b&quot;\u{fffd}&gt;");
    }
}
