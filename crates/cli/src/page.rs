//! The page of a code, as it reads in a terminal.

use report::page::sections;

use crate::terminal::Paint;

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
    fn paragraphs_are_filled_and_blocks_kept() {
        let text = to_text(PAGE, 7, Paint(false));
        assert_eq!(text, "\nOne\n  a b c\n  d\n\nTwo\n  e\n\n      x  y\n");
    }
}
