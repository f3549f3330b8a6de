//! Lists of paths, from a file or from standard input.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;

use crate::exit::Failure;
use crate::os_text;

/// The paths on standard input.
pub(super) fn from_stdin() -> Result<Vec<OsString>, Failure> {
    let mut bytes = Vec::new();
    io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::about("the list on standard input", error))?;
    split(&bytes)
}

/// The paths in a file; `-` is standard input.
pub(super) fn from_file(path: &Path) -> Result<Vec<OsString>, Failure> {
    if path == Path::new("-") {
        return from_stdin();
    }
    let bytes = std::fs::read(path).map_err(|error| {
        Failure::Usage(format!("{}: cannot read the list: {error}", path.display()))
    })?;
    split(&bytes)
}

/// One path per line, without empty lines and those that begin with `#`; or NUL-separated when there is a NUL at all
/// (`find -print0`).
fn split(bytes: &[u8]) -> Result<Vec<OsString>, Failure> {
    let is_text = !bytes.contains(&0);
    let separator = if is_text { b'\n' } else { 0 };
    let line = |line| trim_return(line);
    let is_comment = |path: &[u8]| is_text && path.starts_with(b"#");
    let is_path = |path: &&[u8]| !path.is_empty() && !is_comment(path);
    let paths = bytes.split(|byte| *byte == separator).map(line).filter(is_path);
    paths
        .map(|path| {
            os_text::from_bytes(path)
                .ok_or_else(|| Failure::Usage("the list of files is not UTF-8 text".into()))
        })
        .collect()
}

fn trim_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn lists_end_in_newlines_or_nul() {
        assert_eq!(split(b"a b\r\nc\n").unwrap(), ["a b", "c"]);
        assert_eq!(split(b"a\nb\0c\0").unwrap(), ["a\nb", "c"]);
    }

    #[test]
    fn a_list_for_people_may_have_comments() {
        assert_eq!(split(b"# train\na\n\n#b\nc # d\n").unwrap(), ["a", "c # d"]);
        assert_eq!(
            split(b"#a\0b\0").unwrap(),
            ["#a", "b"],
            "names from find are taken as they are"
        );
    }
}
