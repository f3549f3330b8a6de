//! Text inside XML, HTML and tables of comma-separated values.

/// Escapes what XML and HTML would read as markup; characters that XML cannot hold become U+FFFD.
pub(crate) fn escape(text: &str) -> String {
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

/// A row of comma-separated values with its newline, as RFC 4180 has it.
pub(crate) fn csv_row<const N: usize>(fields: [&str; N]) -> String {
    fields.map(csv_field).join(",") + "\n"
}

/// Quoted where it must be. Text that a spreadsheet would run as a formula gets a leading apostrophe.
pub(crate) fn csv_field(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@', '\t']) {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::csv_field;

    #[test]
    fn fields_are_quoted_and_never_run() {
        assert_eq!(csv_field("a\"b"), "\"a\"\"b\"");
        assert_eq!(csv_field("=1+1"), "'=1+1");
    }

    #[test]
    fn markup_and_control_characters_are_taken_out() {
        assert_eq!(super::escape("<a & \"b\"\u{1}>"), "&lt;a &amp; &quot;b&quot;\u{fffd}&gt;");
    }
}
