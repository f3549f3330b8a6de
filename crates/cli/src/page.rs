//! The page of a code: its sections, and how it reads in a terminal.

use crate::terminal::Paint;

/// The sections of a page, as heading and Markdown body.
pub(crate) fn sections(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.split("\n## ").skip(1).map(|section| {
        let (heading, body) = section.split_once('\n').unwrap_or((section, ""));
        (heading, body.trim())
    })
}

/// The page as plain text: paragraphs filled to `width`, blocks indented, code marks left in place.
pub(crate) fn to_text(page: &str, width: usize, paint: Paint) -> String {
    let mut lines = Vec::new();
    for (heading, body) in sections(page) {
        lines.push(String::new());
        lines.push(paint.strong(heading));
        let parts = body.split("```").enumerate().map(|(index, part)| match index % 2 {
            0 => part.split("\n\n").flat_map(|paragraph| fill(paragraph, width)).collect(),
            _ => block(part),
        });
        let parts: Vec<Vec<String>> = parts.filter(|part: &Vec<String>| !part.is_empty()).collect();
        lines.extend(parts.join(&String::new()));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// A block without its language, indented.
fn block(part: &str) -> Vec<String> {
    part.lines().skip(1).map(|line| format!("      {line}")).collect()
}

/// The words of a paragraph in lines of at most `width` columns, two of them indentation.
fn fill(paragraph: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in paragraph.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("  {word}")),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# E001\n\n## One\n\na b c\nd\n\n## Two\n\ne\n\n```edit\nx  y\n```\n";

    #[test]
    fn sections_are_heading_and_body() {
        let found: Vec<_> = sections(PAGE).collect();
        assert_eq!(found, [("One", "a b c\nd"), ("Two", "e\n\n```edit\nx  y\n```")]);
    }

    #[test]
    fn paragraphs_are_filled_and_blocks_kept() {
        let text = to_text(PAGE, 7, Paint(false));
        assert_eq!(text, "\nOne\n  a b c\n  d\n\nTwo\n  e\n\n      x  y\n");
    }
}
