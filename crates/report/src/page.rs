//! The page of a code.

/// The sections of a page, as heading and Markdown body.
pub fn sections(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.split("\n## ").skip(1).map(|section| {
        let (heading, body) = section.split_once('\n').unwrap_or((section, ""));
        (heading, body.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_heading_and_body() {
        let page = "# E001\n\n## One\n\na b c\nd\n\n## Two\n\ne\n\n```edit\nx  y\n```\n";
        let found: Vec<_> = sections(page).collect();
        assert_eq!(found, [("One", "a b c\nd"), ("Two", "e\n\n```edit\nx  y\n```")]);
    }
}
