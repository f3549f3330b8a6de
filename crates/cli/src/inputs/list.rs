//! Lists of paths, from a file or from standard input.

use std::io::{self, Read};
use std::path::Path;

use crate::exit::Failure;

/// The paths on standard input.
pub(super) fn from_stdin() -> Result<Vec<String>, Failure> {
    let mut bytes = Vec::new();
    io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::about("the list on standard input", error))?;
    split(&bytes)
}

/// The paths in a file; `-` is standard input.
pub(super) fn from_file(path: &Path) -> Result<Vec<String>, Failure> {
    if path == Path::new("-") {
        return from_stdin();
    }
    let bytes = std::fs::read(path).map_err(|error| {
        Failure::Usage(format!("{}: cannot read the list: {error}", path.display()))
    })?;
    split(&bytes)
}

/// One path per line, or NUL-separated when there is a NUL at all (`find -print0`).
fn split(bytes: &[u8]) -> Result<Vec<String>, Failure> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| Failure::Usage("the list of files is not UTF-8 text".into()))?;
    let separator = if text.contains('\0') { '\0' } else { '\n' };
    let paths = text.split(separator).map(|path| path.trim_end_matches('\r'));
    Ok(paths.filter(|path| !path.is_empty()).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn lists_end_in_newlines_or_nul() {
        assert_eq!(split(b"a b\r\nc\n").unwrap(), ["a b", "c"]);
        assert_eq!(split(b"a\nb\0c\0").unwrap(), ["a\nb", "c"]);
    }
}
