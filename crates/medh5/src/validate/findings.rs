//! What the rules report, and what a failed read costs.

use super::codes::{self, Code};
use crate::ReadError;
use crate::parallel::in_order;

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

/// The findings of a rule, in the order in which they were made.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    list: Vec<Finding>,
}

impl Findings {
    /// No findings yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a finding. `location` starts at the sample's root, `/`, also inside a collection.
    pub fn report(
        &mut self,
        code: &'static Code,
        location: impl Into<String>,
        message: impl Into<String>,
    ) {
        self.list.push(Finding { code, location: location.into(), message: message.into() });
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
        let mut own = Self::new();
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
        let each = in_order(objects, |object| {
            let mut own = Self::new();
            own.object(object.location(), |out| check(object, out))?;
            Ok(own)
        })?;
        for own in each {
            self.append(own);
        }
        Ok(())
    }

    /// Adds the findings of `other` after these.
    pub fn append(&mut self, mut other: Self) {
        self.list.append(&mut other.list);
    }

    /// Adds the findings of a sample inside a collection; `prefix` goes before their locations.
    pub(super) fn append_below(&mut self, prefix: &str, other: Self) {
        self.list.extend(
            other
                .list
                .into_iter()
                .map(|found| Finding { location: format!("{prefix}{}", found.location), ..found }),
        );
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
    fn errors_come_before_warnings() {
        let mut out = Findings::new();
        out.report(codes::W902, "/a", "");
        out.report(codes::E819, "/b", "");
        out.report(codes::E001, "/c", "");
        out.report(codes::E001, "/", "");
        assert_eq!(shown(out), ["E001 @ /", "E001 @ /c", "E819 @ /b", "W902 @ /a"]);
    }
}
