//! Folding: after a number of findings of one code, the rest becomes a count.

use std::collections::BTreeMap;

use medh5::validate::Finding;

/// The findings to list, and how many more there are of each code.
pub struct Folded<'a> {
    /// What is listed.
    pub listed: Vec<&'a Finding>,
    left_out: BTreeMap<&'static str, usize>,
}

/// Keeps the first `max` findings of each code; 0 keeps all.
pub fn fold<'a>(findings: impl IntoIterator<Item = &'a Finding>, max: usize) -> Folded<'a> {
    let mut seen = BTreeMap::<&str, usize>::new();
    let mut folded = Folded { listed: Vec::new(), left_out: BTreeMap::new() };
    for found in findings {
        let seen = seen.entry(found.code.name).or_default();
        *seen += 1;
        if max == 0 || *seen <= max {
            folded.listed.push(found);
        } else {
            *folded.left_out.entry(found.code.name).or_default() += 1;
        }
    }
    folded
}

impl Folded<'_> {
    /// `and 12 more E405`, for each code of which some were left out.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        self.left_out.iter().map(|(code, count)| format!("and {count} more {code}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::tests::sample;
    use medh5::validate::Level;

    #[test]
    fn the_rest_of_a_code_becomes_a_count() {
        let verdict = sample(Level::Semantic);
        let folded = fold(&verdict.report.findings, 1);
        assert_eq!(folded.listed.len(), 2);
        assert_eq!(folded.remarks().collect::<Vec<_>>(), ["and 1 more W912"]);
    }
}
