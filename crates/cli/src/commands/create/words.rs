//! What options say of single images and masks: `NAME=WORD`.

use std::path::PathBuf;

use medh5::annotations::Kind;

use super::Report;
use crate::exit::Failure;

/// A file by a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) path: PathBuf,
}

/// Names and paths, in the order in which they were given.
pub(super) fn named(options: &[String]) -> Result<Vec<Named>, Failure> {
    let one = |option: &String| match option.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok(Named { name: name.to_owned(), path: path.into() })
        }
        _ => Err(Failure::Usage(format!("`{option}` is not NAME=PATH"))),
    };
    options.iter().map(one).collect()
}

/// What the options say of `name`.
pub(super) fn of(name: &str, options: &[String]) -> Result<Option<String>, Failure> {
    for option in options {
        let pair = option.split_once('=');
        let (key, word) =
            pair.ok_or_else(|| Failure::Usage(format!("`{option}` is not NAME=WORD")))?;
        if key == name {
            return Ok(Some(word.to_owned()));
        }
    }
    Ok(None)
}

/// DICOM's codes of what images are made with, as far as they hold voxels.
const MODALITIES: [&str; 20] = [
    "CT", "MR", "PT", "NM", "US", "CR", "DX", "MG", "XA", "RF", "OCT", "OPT", "OP", "SM", "GM",
    "ES", "XC", "IVUS", "IVOCT", "RTIMAGE",
];

/// The modality of an image: what is said, or what its name begins with, or `OT`.
pub(super) fn modality(
    name: &str,
    options: &[String],
    report: &mut Report,
) -> Result<String, Failure> {
    if let Some(said) = of(name, options)? {
        return Ok(said);
    }
    let end = name.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(name.len());
    let word = name.get(..end).unwrap_or_default().to_ascii_uppercase();
    if MODALITIES.contains(&word.as_str()) {
        return Ok(word);
    }
    report.decided(name, "its modality is OT, other: --modality says which it is".into());
    Ok("OT".into())
}

/// The encoding of this name; nothing for `auto`.
pub(super) fn encoding(name: &str) -> Option<Kind> {
    Kind::parse(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modalities_come_from_names() {
        let mut report = Report::default();
        let mut modality = |name| modality(name, &["x=CT".to_owned()], &mut report).unwrap();
        assert_eq!(
            [modality("CT"), modality("mr_t1"), modality("PT2"), modality("x")],
            ["CT", "MR", "PT", "CT"]
        );
        assert_eq!(modality("scan"), "OT");
    }

    #[test]
    fn names_and_paths_come_in_pairs() {
        assert_eq!(named(&["a=b=c".into()]).unwrap()[0].path, PathBuf::from("b=c"));
        assert!(named(&["a".into()]).is_err() && named(&["=b".into()]).is_err());
    }
}
