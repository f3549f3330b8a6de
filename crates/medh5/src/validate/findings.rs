//! What the rules report, and what a failed read costs.

use super::codes::{self, Code};
use crate::parallel::in_order;
use crate::{Limits, ReadError};

/// Something that findings are reported at.
pub(crate) trait Located: Sync {
    /// The path from the sample's root, such as `/images/CT`.
    fn location(&self) -> &str;
}

/// One occurrence of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub code: &'static Code,
    /// Where: an object's path, `/meta#` and a path in the document, or another form that the code defines.
    pub location: String,
    /// What was found there and what is allowed.
    pub message: String,
}

/// The findings of a rule, in the order in which they were made; of one code no more than a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    list: Vec<Finding>,
    /// How often each code was found.
    counts: Vec<(&'static Code, u64)>,
    max_per_code: u64,
}

impl Default for Findings {
    fn default() -> Self {
        Self::limited_to(Limits::default().max_findings)
    }
}

impl Findings {
    /// No findings yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// None yet, and at most so many of one code: what is wrong with each of a million objects need not take a gigabyte.
    pub(super) fn limited_to(max_per_code: u64) -> Self {
        Self { list: Vec::new(), counts: Vec::new(), max_per_code }
    }

    /// Adds a finding. `location` starts at the sample's root, `/`, also inside a collection.
    pub fn report(
        &mut self,
        code: &'static Code,
        location: impl Into<String>,
        message: impl Into<String>,
    ) {
        if self.has_room_for(code) {
            let (location, message) = (location.into(), message.into());
            self.list.push(Finding { code, location, message });
        }
    }

    /// Counts one more of this code. Whether it is to be kept.
    fn has_room_for(&mut self, code: &'static Code) -> bool {
        self.count(code, 1) <= self.max_per_code
    }

    /// Counts more of this code; all of them.
    fn count(&mut self, code: &'static Code, more: u64) -> u64 {
        // Few codes are found at once: a list is smaller than a tree, and there may be one per object.
        if let Some((_, count)) = self.counts.iter_mut().find(|(known, _)| *known == code) {
            *count = count.saturating_add(more);
            *count
        } else {
            self.counts.push((code, more));
            more
        }
    }

    /// One more finding for each code of which there were more than the limit: how many are not listed. It has their code, so
    /// that it weighs what they weigh.
    pub(super) fn report_left_out(&mut self) {
        let max = self.max_per_code;
        let over = self.counts.iter().filter(|(_, count)| *count > max);
        self.list.extend(over.map(|(code, count)| Finding {
            code,
            location: "/".into(),
            message: format!(
                "{} more findings of {} are not listed: {count} is over the limit `max_findings` of {max}",
                count.saturating_sub(max),
                code.name
            ),
        }));
    }

    /// Runs `check`, whose findings all concern the object at `location`. If a read fails in it, they are replaced by one:
    /// the failure's own code, or `E001`, at that object.
    ///
    /// # Errors
    /// Only interruptions; see [`ReadError::is_interruption`].
    ///
    /// Spec: the reference's treatment of unreadable objects, object by object.
    pub fn object(
        &mut self,
        location: &str,
        check: impl FnOnce(&mut Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let mut own = Self::limited_to(self.max_per_code);
        match check(&mut own) {
            Ok(()) => self.append(own),
            Err(error) if error.is_interruption() => return Err(error),
            Err(error) => {
                let code = error.code().unwrap_or(codes::E001);
                self.report(code, location, error.sentence_at(location));
            }
        }
        Ok(())
    }

    /// Runs `check` on each object, as [`Findings::object`] does; the objects may run in parallel, the findings keep their
    /// order.
    ///
    /// # Errors
    /// Only interruptions.
    pub(crate) fn each<T: Located>(
        &mut self,
        objects: &[T],
        check: impl Fn(&T, &mut Self) -> Result<(), ReadError> + Send + Sync,
    ) -> Result<(), ReadError> {
        /// Objects whose findings are held before they are put together.
        const BATCH: usize = 1024;

        let max_per_code = self.max_per_code;
        for batch in objects.chunks(BATCH) {
            let each = in_order(batch, |object| {
                let mut own = Self::limited_to(max_per_code);
                own.object(object.location(), |out| check(object, out))?;
                Ok(own)
            })?;
            for own in each {
                self.append(own);
            }
        }
        Ok(())
    }

    /// Adds the findings of `other` after these.
    pub fn append(&mut self, other: Self) {
        self.append_below("", other);
    }

    /// Adds the findings of a sample inside a collection; `prefix` goes before their locations.
    pub(super) fn append_below(&mut self, prefix: &str, other: Self) {
        let mut left_out = other.counts;
        for mut found in other.list {
            if let Some((_, count)) = left_out.iter_mut().find(|(code, _)| *code == found.code) {
                *count = count.saturating_sub(1);
            }
            if self.has_room_for(found.code) {
                found.location.insert_str(0, prefix);
                self.list.push(found);
            }
        }
        for (code, count) in left_out {
            self.count(code, count);
        }
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether this code was found.
    pub fn contains(&self, code: &Code) -> bool {
        self.list.iter().any(|finding| finding.code == code)
    }

    /// The findings in the order in which they were made.
    pub fn as_slice(&self) -> &[Finding] {
        &self.list
    }

    /// The findings in the order in which they were made.
    pub fn iter(&self) -> core::slice::Iter<'_, Finding> {
        self.list.iter()
    }

    /// The findings in the order of a report: errors before warnings, then by code, then by location.
    pub fn into_sorted(self) -> Vec<Finding> {
        let mut list = self.list;
        list.sort_by(|a, b| {
            (a.code.severity, a.code.name, &a.location).cmp(&(
                b.code.severity,
                b.code.name,
                &b.location,
            ))
        });
        list
    }
}

impl<'a> IntoIterator for &'a Findings {
    type Item = &'a Finding;
    type IntoIter = core::slice::Iter<'a, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(findings: Findings) -> Vec<String> {
        findings
            .into_sorted()
            .iter()
            .map(|found| format!("{} @ {}", found.code.name, found.location))
            .collect()
    }

    #[test]
    fn a_failed_read_costs_only_its_object() {
        let mut out = Findings::new();
        out.object("/images/a", |out| {
            out.report(codes::E205, "/images/a", "");
            Err(ReadError::value("broken"))
        })
        .unwrap();
        out.object("/images/b", |out| {
            out.report(codes::E205, "/images/b", "");
            Ok(())
        })
        .unwrap();
        assert_eq!(shown(out), ["E001 @ /images/a", "E205 @ /images/b"]);
    }

    #[test]
    fn a_failure_may_have_a_code_of_its_own() {
        let mut out = Findings::new();
        out.object("/images/a", |_| Err(ReadError::coded(codes::E109, "no shape"))).unwrap();
        assert_eq!(shown(out), ["E109 @ /images/a"]);
    }

    #[test]
    fn an_interruption_leaves() {
        let mut out = Findings::new();
        assert_eq!(out.object("/", |_| Err(ReadError::Stopped)), Err(ReadError::Stopped));
        assert!(out.is_empty());
    }

    #[test]
    fn more_than_the_limit_of_one_code_are_counted_not_kept() {
        let mut inner = Findings::limited_to(3);
        for number in 0..5 {
            inner.report(codes::E003, format!("/images/{number}"), "");
        }
        inner.report(codes::E205, "/images/0", "");
        let mut out = Findings::limited_to(3);
        out.report(codes::E003, "/grids/x", "");
        out.append_below("/samples/k:", inner);
        out.report_left_out();
        let last = out.iter().last().unwrap();
        let rest =
            "3 more findings of E003 are not listed: 6 is over the limit `max_findings` of 3";
        assert_eq!(last.message, rest);
        let expected = [
            "E003 @ /",
            "E003 @ /grids/x",
            "E003 @ /samples/k:/images/0",
            "E003 @ /samples/k:/images/1",
            "E205 @ /samples/k:/images/0",
        ];
        assert_eq!(shown(out), expected);
    }

    #[test]
    fn errors_come_before_warnings() {
        let mut out = Findings::new();
        out.report(codes::W902, "/a", "");
        out.report(codes::E819, "/b", "");
        out.report(codes::E001, "/c", "");
        out.report(codes::E001, "/", "");
        assert_eq!(shown(out), ["E001 @ /", "E001 @ /c", "E819 @ /b", "W902 @ /a"]);
    }
}
