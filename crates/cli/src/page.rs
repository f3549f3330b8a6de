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
    let mut text = String::new();
    for (heading, body) in sections(page) {
        text.push('\n');
        text.push_str(&paint.strong(heading));
        text.push('\n');
        let mut in_block = false;
        let mut paragraph = Vec::new();
        for line in body.lines() {
            if line.starts_with("```") {
                fill(&mut text, &mut paragraph, width);
                in_block = !in_block;
            } else if in_block {
                text.push_str(&format!("      {line}\n"));
            } else if line.is_empty() {
                fill(&mut text, &mut paragraph, width);
            } else {
                paragraph.extend(line.split_whitespace());
            }
        }
        fill(&mut text, &mut paragraph, width);
    }
    text
}

/// Writes the words in lines of at most `width` columns, two of them indentation, and forgets them.
fn fill(text: &mut String, words: &mut Vec<&str>, width: usize) {
    let mut column = 0;
    for word in words.drain(..) {
        let len = word.chars().count();
        if column > 0 && column + 1 + len <= width {
            text.push(' ');
            column += 1 + len;
        } else {
            text.push_str(if column == 0 { "  " } else { "\n  " });
            column = 2 + len;
        }
        text.push_str(word);
    }
    if column > 0 {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# E001\n\n## One\n\na b c\nd\n\n## Two\n\n```edit\nx  y\n```\n";

    #[test]
    fn sections_are_heading_and_body() {
        let found: Vec<_> = sections(PAGE).collect();
        assert_eq!(found, [("One", "a b c\nd"), ("Two", "```edit\nx  y\n```")]);
    }

    #[test]
    fn paragraphs_are_filled_and_blocks_kept() {
        let text = to_text(PAGE, 7, Paint(false));
        assert_eq!(text, "\nOne\n  a b c\n  d\n\nTwo\n      x  y\n");
    }
}
