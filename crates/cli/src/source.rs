//! Opening a file, with plain words for what goes wrong before a byte of it is read.

use std::fs::File;
use std::io;
use std::path::Path;

use hdf5::FileSource;

/// Opens a regular file.
///
/// # Errors
/// A phrase about the path, without the path: that it is missing, a folder, empty, not a file, or what the system says.
pub(crate) fn open(path: &Path) -> Result<FileSource, String> {
    let metadata = std::fs::metadata(path).map_err(|error| say(&error))?;
    if metadata.is_dir() {
        return Err(match std::fs::read_dir(path) {
            Ok(_) => "this is a folder, not a file".into(),
            Err(error) => unreadable_folder(&error),
        });
    }
    if !metadata.is_file() {
        return Err("this is not a regular file".into());
    }
    if metadata.len() == 0 {
        return Err("the file is empty".into());
    }
    File::open(path).and_then(FileSource::new).map_err(|error| say(&error))
}

/// Why nothing is known of what is in a folder.
fn unreadable_folder(error: &io::Error) -> String {
    format!("what is in this folder is not known: {}", say(error))
}

fn say(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "reading it is not permitted".into(),
        _ => format!("it cannot be opened: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_opened_is_said_plainly() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |path: &Path| open(path).unwrap_err();
        assert_eq!(refused(folder.path()), "this is a folder, not a file");
        assert_eq!(refused(&folder.path().join("gone")), "there is no such file");
        let empty = folder.path().join("empty");
        std::fs::write(&empty, "").unwrap();
        assert_eq!(refused(&empty), "the file is empty");
        let denied = unreadable_folder(&io::ErrorKind::PermissionDenied.into());
        assert_eq!(denied, "what is in this folder is not known: reading it is not permitted");
    }
}
