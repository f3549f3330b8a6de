//! Samples made from volumes that people have, against what the reference makes of the same files.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use oracles::{program, reference, scratch};

#[test]
fn volumes_are_where_the_reference_puts_them() {
    let cases: [(&str, &[&str]); 8] = [
        ("CT=ct.nii.gz", &["--mask", "liver=liver.nii.gz", "--mask", "tumour=tumour.nii.gz"]),
        ("CT=ct.nii", &["--mask", "liver=liver.nii.gz"]),
        ("CT=big_endian.nii", &[]),
        ("CT=scaled.nii.gz", &[]),
        ("CT=micrometres.nii.gz", &[]),
        ("CT=turned.nii.gz", &[]),
        ("MR=cine.nii.gz", &[]),
        ("MR=values.nii.gz", &["--fourth-axis", "channel"]),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (number, (image, more)) in cases.into_iter().enumerate() {
        let ours = folder.path().join(format!("ours-{number}.medh5"));
        let theirs = folder.path().join(format!("theirs-{number}.medh5"));
        let made = create(&ours, image, more);
        assert!(made.status.success(), "{image}: {}", text(&made.stderr));
        let mut arguments: Vec<String> = ["convert", "from-nifti"].map(str::to_owned).to_vec();
        arguments.push(theirs.display().to_string());
        arguments.extend(["--image".to_owned(), in_folder(image)]);
        arguments.extend(more.iter().map(|word| in_folder(word)));
        let said = text(&reference::medh5(&arguments));
        assert!(theirs.is_file(), "{image}: the reference makes nothing of it: {said}");
        let pair = [OsString::from(&ours), OsString::from(&theirs)];
        let differences = reference::script("compare_volumes.py", &pair);
        assert!(differences.is_empty(), "{image}:\n{differences}");
        let verified = reference::medh5(&["verify".to_owned(), ours.display().to_string()]);
        assert!(text(&verified).contains(": OK"), "{image}: {}", text(&verified));
    }
}

#[test]
fn arrays_with_spacing_are_what_their_volumes_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let (array, volume) = (folder.path().join("array.medh5"), folder.path().join("volume.medh5"));
    let placed = ["--spacing", "1.5,0.9,1.0", "--mask", "liver=liver.npy", "--index"];
    let made = create(&array, "CT=ct.npy", &placed);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let made = create(&volume, "CT=ct.nii.gz", &["--mask", "liver=liver.nii.gz", "--index"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let values = |path: &Path| {
        let sample = oracles::rebuild::open(path);
        let image = sample.image("CT").expect("readable").expect("an image");
        let annotation = sample.annotation("seg").expect("readable").expect("an annotation");
        let region: Vec<_> = [11, 13, 17].map(|extent| 0..extent).to_vec();
        let masks = annotation.class_masks(&region, None).expect("readable");
        (image.data().expect("readable").expect("values").read().expect("readable"), masks)
    };
    assert_eq!(values(&array), values(&volume));
    let said =
        reference::script("judge_index.py", &[array.into_os_string(), volume.into_os_string()]);
    assert_eq!(said.trim(), "2 entries");
}

#[test]
fn what_is_not_said_is_refused_and_nothing_is_written() {
    let cases: [(&str, &[&str], &str); 8] = [
        ("CT=nowhere.nii.gz", &[], "where its voxels are"),
        ("CT=sheared.nii.gz", &[], "sheared"),
        ("CT=short.nii", &[], "bytes of voxels"),
        ("CT=ct.npy", &[], "--spacing"),
        ("CT=fortran_order.npy", &["--spacing", "1,1,1"], "Fortran"),
        ("MR=values.nii.gz", &[], "--fourth-axis"),
        ("CT=ct.nii.gz", &["--mask", "liver=moved.nii.gz"], "origin"),
        ("CT=ct.nii.gz", &["--mask", "liver=labels.nii.gz"], "one value beside 0"),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.medh5");
    for (image, more, reason) in cases {
        let made = create(&out, image, more);
        let said = text(&made.stderr);
        assert!(!made.status.success() && said.contains(reason), "{image} {more:?}: {said}");
        let left = std::fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, 0, "{image} {more:?} leaves something behind");
    }
}

fn create(out: &Path, image: &str, more: &[&str]) -> Output {
    static PROGRAM: LazyLock<std::path::PathBuf> = LazyLock::new(program::path);
    let mut command = Command::new(&*PROGRAM);
    command.arg("create").arg(out).args(["--image", &in_folder(image)]);
    command.args(more.iter().map(|word| in_folder(word)));
    command.output().expect("the program was built")
}

/// `NAME=PATH` with the path of the file; other words as they are.
fn in_folder(word: &str) -> String {
    match word.split_once('=') {
        Some((name, file)) => {
            format!("{name}={}", scratch::folder("volumes").join(file).display())
        }
        None => word.to_owned(),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
