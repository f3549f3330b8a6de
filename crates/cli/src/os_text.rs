//! Arguments and paths as the system has them: bytes on Unix, not always UTF-8.

use std::ffi::{OsStr, OsString};

/// The parts before and after the first `separator`.
#[cfg(unix)]
pub(crate) fn split_once<'a>(text: &'a OsStr, separator: &str) -> Option<(&'a OsStr, &'a OsStr)> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = text.as_bytes();
    let at = bytes.windows(separator.len()).position(|window| window == separator.as_bytes())?;
    let (before, rest) = bytes.split_at(at);
    Some((OsStr::from_bytes(before), OsStr::from_bytes(rest.get(separator.len()..)?)))
}

/// The parts before and after the first `separator`; text that is not Unicode has none.
#[cfg(not(unix))]
pub(crate) fn split_once<'a>(text: &'a OsStr, separator: &str) -> Option<(&'a OsStr, &'a OsStr)> {
    let (before, after) = text.to_str()?.split_once(separator)?;
    Some((before.as_ref(), after.as_ref()))
}

/// Bytes of a list as a path.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems cannot take any bytes")]
pub(crate) fn from_bytes(bytes: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStrExt;
    Some(OsStr::from_bytes(bytes).to_owned())
}

/// Bytes of a list as a path; nothing when they are not UTF-8.
#[cfg(not(unix))]
pub(crate) fn from_bytes(bytes: &[u8]) -> Option<OsString> {
    std::str::from_utf8(bytes).ok().map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_at_the_first_separator() {
        let split =
            |text| split_once(OsStr::new(text), "::").map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(split("a::b::c"), Some(("a".into(), "b::c".into())));
        assert_eq!(split("a:b"), None);
        assert_eq!(split("a::"), Some(("a".into(), "".into())));
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_stay_as_they_are() {
        let name = from_bytes(b"f\xfc.medh5c::k").unwrap();
        let (path, key) = split_once(&name, "::").unwrap();
        assert_eq!((path.len(), key), (9, OsStr::new("k")));
    }
}
