//! Files that are changed in place, judged by the reference: what was asked for is there, everything else is what it was.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use hdf5::NumberType;
use medh5::annotations::Kind;
use medh5::geometry::Grid;
use medh5::sample::Chapter;
use medh5::validate::Silent;
use medh5::write::{
    Edit, Encoding, Header, Map, Masks, NewAnnotation, NewArray, NewImage, NewTransform, PerObject,
};
use oracles::{program, rebuild, reference, scratch, verdicts};
use tempfile::TempDir;

#[test]
fn an_index_of_ours_is_current_for_the_reference() {
    let (folder, files) =
        copies(&["seg-", "longitudinal", "integrity-", "W905", "W918", "clinical-worked"]);
    let before: Vec<_> = files.iter().map(|path| outline(path)).collect();
    let found = verdicts::strict(&files);
    let built = run(&["index".as_ref(), "build".as_ref(), folder.path().as_os_str()]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let arguments: Vec<OsString> = files.iter().map(|path| path.clone().into_os_string()).collect();
    let said = reference::script("judge_index.py", &arguments);
    assert_eq!(said.lines().count(), 1, "{said}");
    let entries: usize = said.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    assert!(entries > 60, "{said}");
    for (path, before) in files.iter().zip(before) {
        assert_eq!(outline(path), before, "{}: something beside the index changed", path.display());
    }
    assert_verified(&files);
    assert_nothing_new(&files, &found);
}

#[test]
fn repairs_satisfy_the_reference() {
    let (_folder, files) = copies(&["W905-", "E701-digest-mismatch", "E702-content-id"]);
    let mut arguments: Vec<OsString> =
        ["fix", "--rebuild-index", "--rewrite-digests", "--reason", "a test", "--by", "RAD-07"]
            .map(OsString::from)
            .to_vec();
    arguments.extend(files.iter().map(|path| path.clone().into_os_string()));
    let fixed = run(&arguments);
    assert!(fixed.status.success(), "{}{}", text(&fixed.stdout), text(&fixed.stderr));
    assert_verified(&files);
    let mut judged = vec!["validate".to_owned(), "--level".to_owned(), "integrity".to_owned()];
    judged.extend(files.iter().map(|path| path.display().to_string()));
    let said = text(&reference::medh5(&judged));
    for fault in ["WARNING W905", "ERROR", "FAILED"] {
        assert!(!said.contains(fault), "{said}");
    }
    let meta = run(&["meta".as_ref(), files[0].as_os_str()]);
    let meta = text(&meta.stdout);
    assert!(meta.contains("RAD-07") && meta.contains("a test"), "{meta}");
}

#[test]
fn an_amendment_is_the_reference_s_and_carries_everything_else() {
    let (folder, files) = copies(&["seg-partial-coverage"]);
    let [ours] = files.as_slice() else { panic!("one sample: {files:?}") };
    let (theirs, before) = (folder.path().join("theirs.medh5"), folder.path().join("before.medh5"));
    fs::copy(ours, &theirs).expect("room for a file");
    reference::script("amend_sample.py", &["amend".into(), theirs.clone().into_os_string()]);
    reference::script("amend_sample.py", &["extend".into(), ours.clone().into_os_string()]);
    fs::copy(ours, &before).expect("room for a file");
    let boxes = [[[0.5, 3.5], [1.0, 2.0], [3.0, 4.0]], [[2.0, 4.0], [0.0, 5.0], [1.0, 6.0]]];
    let more = PerObject { scores: Some(vec![0.5, 1.0]), ..PerObject::default() };
    let header =
        Header { grid: Some("ct".into()), space: Some("index".into()), ..Header::default() };
    let found = verdicts::strict(std::slice::from_ref(ours));
    let built = NewAnnotation::boxes(header, &boxes.map(|one| one.to_vec()), &[1, 2], &more);
    let mut edit = Edit::open(ours).expect("a sound sample");
    edit.put_annotation("found", &built.expect("sound boxes")).expect("room for it");
    let id = edit.commit(&Silent).expect("a sound amendment").expect("a content_id");
    let expected = rebuild::open(&theirs).attributes().text("content_id").expect("readable");
    assert_eq!(Some(id.to_string()), expected);
    let pair = [before.into_os_string(), ours.clone().into_os_string()];
    let differences = reference::script("compare_content.py", &pair);
    let other: Vec<&str> = differences
        .lines()
        .filter(|line| {
            !line.starts_with("annotations/found") && !line.starts_with("medh5_profiles")
        })
        .collect();
    assert!(other.is_empty(), "{other:#?}");
    assert_verified(std::slice::from_ref(ours));
    assert_nothing_new(std::slice::from_ref(ours), &found);
    refuses_what_would_be_in_error(ours);
}

fn refuses_what_would_be_in_error(path: &Path) {
    let before = fs::read(path).expect("a file");
    let mut edit = Edit::open(path).expect("a sound sample");
    edit.remove(Chapter::Grids, "ct").expect("it is there");
    let refused = edit.commit(&Silent).expect_err("images need their grid").to_string();
    assert!(refused.contains("E1"), "{refused}");
    assert_eq!(fs::read(path).expect("a file"), before);
    let mut edit = Edit::open(path).expect("a sound sample");
    assert!(edit.remove(Chapter::Images, "nothing").is_err());
    let header = Header { grid: Some("nowhere".into()), ..Header::default() };
    let none = NewAnnotation::boxes(header, &[], &[], &PerObject::default()).expect("no boxes");
    assert!(edit.put_annotation("found", &none).is_err());
}

/// Extents of a volume that takes more than one look.
const EXTENTS: [u64; 3] = [20, 180, 300];

/// The voxels of a box, as a mask.
fn box_mask(low: [u64; 3], high: [u64; 3]) -> Vec<u8> {
    let [z, y, x] = EXTENTS;
    let is_in = |at: u64| {
        let place = [at / (y * x), at / x % y, at % x];
        place.iter().zip(low.iter().zip(high)).all(|(at, (low, high))| low <= at && *at < high)
    };
    (0..z * y * x).map(|at| u8::from(is_in(at))).collect()
}

fn array(mask: &[u8]) -> NewArray {
    NewArray::numbers(NumberType::U8, &EXTENTS, mask.to_vec()).expect("as many bytes as voxels")
}

#[test]
fn masks_come_out_of_every_encoding_as_they_went_in() {
    let (_folder, files) = copies(&["seg-partial-coverage"]);
    let [path] = files.as_slice() else { panic!("one sample: {files:?}") };
    let small = box_mask([3, 20, 30], [9, 40, 60]);
    let large = box_mask([2, 10, 100], [20, 180, 290]);
    let beside = [(1, small.clone()), (3, large.clone())];
    let across = [(2, box_mask([0, 0, 0], [12, 100, 200])), (4, large.clone())];
    // Voxels that no class is in, and voxels that some are in.
    let outside = box_mask([0, 0, 0], [2, 180, 300]);
    let inside = box_mask([4, 30, 40], [20, 150, 250]);
    let cases = [
        (Kind::Labelmap, &beside, Some(&outside)),
        (Kind::Labelmap, &beside, Some(&inside)),
        (Kind::Layers, &across, Some(&outside)),
        (Kind::Bitmask, &across, Some(&inside)),
        (Kind::Probmap, &across, None),
        (Kind::Instances, &beside, Some(&inside)),
        (Kind::Instances, &across, None),
    ];
    let found = verdicts::strict(&files);
    let mut edit = Edit::open(path).expect("a sound sample");
    let mut grid = Grid::read(&edit.sample().grid("ct").expect("readable").expect("a grid"));
    let grid = grid.as_mut().expect("a sound grid");
    grid.patch_hint = None;
    grid.frame_uid = Some("wide".into());
    for (axis, extent) in grid.axes.iter_mut().zip(EXTENTS) {
        axis.extent = extent;
    }
    edit.put_grid("wide", grid).expect("a sound grid");
    edit.put_image("WIDE", &NewImage::new("wide", "CT", array(&small))).expect("room for it");
    for (at, (kind, masks, ignored)) in cases.iter().enumerate() {
        let masks = masks.iter().map(|(class, mask)| (*class, array(mask))).collect();
        let header = Header { grid: Some("wide".into()), ..Header::default() };
        let ignored = ignored.map(|mask| array(mask));
        let name = format!("case{at}");
        let encoded = Masks::new(masks).expect("masks of one shape").encode(
            &name,
            header,
            Encoding::As(*kind),
            ignored.as_ref(),
            10 * at as u64 + 1,
        );
        let encoded = encoded.unwrap_or_else(|error| panic!("{kind:?}: {error}"));
        if let Some(ignore) = &encoded.ignore {
            edit.put_annotation(&format!("{name}_ignore"), ignore).expect("room for it");
        }
        edit.put_annotation(&name, &encoded.annotation).expect("room for it");
    }
    let moved = NewTransform {
        from_frame: grid.frame_uid.clone().expect("a frame"),
        to_frame: "atlas".into(),
        map: Map::Identity,
        units: grid.units.clone(),
        from_grid: Some("wide".into()),
        to_grid: None,
        invertible: None,
        inverse_id: None,
        prov: None,
        metrics: None,
    };
    edit.put_transform("to_atlas", &moved).expect("room for it");
    edit.commit(&Silent).expect("a sound amendment");
    assert_verified(&files);
    assert_nothing_new(&files, &found);
    let sample = rebuild::open(path);
    let all = EXTENTS.map(|extent| 0..extent);
    for (at, (kind, masks, ignored)) in cases.iter().enumerate() {
        let view = sample.annotation(&format!("case{at}")).expect("readable").expect("it is there");
        let read = view.class_masks(&all, None).expect("readable");
        for (class, mask) in *masks {
            let of_class =
                read.iter().find(|(found, _)| *found == i64::from(*class)).expect("its class").1;
            assert!(of_class == *mask, "{kind:?}, class {class}");
        }
        let marked = view.ignored(&all).expect("readable");
        assert!(marked.as_ref() == *ignored, "{kind:?}: other voxels are ignored");
    }
}

#[test]
fn masks_that_no_annotation_can_be_are_refused() {
    let mask = || array(&box_mask([0; 3], [1; 3]));
    let refused =
        |masks: Vec<(u16, NewArray)>| Masks::new(masks).expect_err("no masks").to_string();
    assert!(refused(vec![]).contains("no mask"));
    assert!(refused(vec![(1, mask()), (1, mask())]).contains("two masks"));
    let flat = NewArray::numbers(NumberType::U8, &[2, 2], vec![1; 4]).expect("four bytes");
    assert!(refused(vec![(1, mask()), (2, flat.clone())]).contains("shape"));
    let encode = |kind, ignore: Option<&NewArray>| {
        let masks = Masks::new(vec![(1, mask()), (2, mask())]).expect("masks of one shape");
        let encoded = masks.encode("a", Header::default(), Encoding::As(kind), ignore, 1);
        encoded.map(drop).map_err(|error| error.to_string())
    };
    assert!(encode(Kind::Labelmap, None).is_err_and(|text| text.contains("share voxels")));
    assert!(encode(Kind::Boxes, None).is_err_and(|text| text.contains("no classes of voxels")));
    assert!(encode(Kind::Layers, Some(&flat)).is_err_and(|text| text.contains("shape")));
}

/// Here the reference digests what it does not know; we leave that to whoever does (decision 0074). It finds both in order.
#[test]
fn extensions_without_digests_keep_none() {
    let declare = ["index", "build", "--declare-training"];
    let restate = ["fix", "--rewrite-digests", "--reason", "a test"];
    for (command, beginning) in [(&declare[..], "seg-partial-"), (&restate, "E701-digest-mismatch")]
    {
        let (folder, files) = copies(&[beginning]);
        let [path] = files.as_slice() else { panic!("one sample: {files:?}") };
        reference::script("amend_sample.py", &["extend".into(), path.clone().into_os_string()]);
        let before = folder.path().join("before.medh5");
        fs::copy(path, &before).expect("room for a file");
        let mut arguments: Vec<OsString> = command.iter().map(OsString::from).collect();
        arguments.push(path.clone().into_os_string());
        let done = run(&arguments);
        assert!(done.status.success(), "{}{}", text(&done.stdout), text(&done.stderr));
        let pair = [before.into_os_string(), path.clone().into_os_string()];
        let differences = reference::script("compare_content.py", &pair);
        assert!(!differences.contains("x_"), "{command:?}: {differences}");
        assert!(!differences.is_empty(), "{command:?} changed nothing");
        assert_verified(&files);
        let meta = run(&["meta".as_ref(), path.as_os_str()]);
        assert!(!text(&meta.stdout).contains("x_org_example_notes/"), "it is recorded as digested");
    }
}

#[test]
fn one_failure_leaves_its_file_and_stops_nothing() {
    let (folder, files) = copies(&["seg-layers", "W913-higher", "seg-labelmap"]);
    let damaged = folder.path().join("damaged.medh5");
    let mut bytes = fs::read(&files[0]).expect("a copy");
    bytes.truncate(bytes.len() / 2);
    fs::write(&damaged, &bytes).expect("room for a file");
    let later = fs::read(folder.path().join("W913-higher-minor-projection.medh5")).expect("a copy");
    let built = run(&["index".as_ref(), "build".as_ref(), folder.path().as_os_str()]);
    let said = text(&built.stdout);
    assert_eq!(built.status.code(), Some(1), "{said}");
    assert_eq!(said.matches("FAILED").count(), 2, "{said}");
    assert_eq!(said.matches("built index").count(), 2, "{said}");
    assert_eq!(fs::read(&damaged).expect("still there"), bytes);
    let path = folder.path().join("W913-higher-minor-projection.medh5");
    assert_eq!(fs::read(path).expect("still there"), later);
    let left = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 4, "nothing half-written is left behind");
}

/// Copies of the suite's and the reference's samples whose names begin with one of these.
fn copies(beginnings: &[&str]) -> (TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Vec::new();
    let suite = scratch::files(&scratch::folder("suite"), ".medh5");
    let with_others = beginnings.len() > 3;
    let others = if with_others {
        scratch::files(&scratch::folder("reference"), ".medh5")
    } else {
        Vec::new()
    };
    let is_wanted = |path: &PathBuf| {
        let name = scratch::name_of(path);
        name.strip_suffix(".medh5").is_some()
            && beginnings.iter().any(|beginning| name.starts_with(beginning))
    };
    for path in suite.into_iter().filter(is_wanted).chain(others) {
        let copy = folder.path().join(scratch::name_of(&path));
        fs::copy(&path, &copy).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        files.push(copy);
    }
    (folder, files)
}

/// Everything of a file but its index, as our own listing of it reads.
fn outline(path: &Path) -> String {
    let tree = run(&["tree".as_ref(), path.as_os_str(), "--json".as_ref()]);
    let tree: serde_json::Value = serde_json::from_slice(&tree.stdout).expect("JSON");
    let mut kept = tree;
    drop_index(&mut kept);
    kept.to_string()
}

/// Removes every object whose path lies in the index.
fn drop_index(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Array(items) => {
            items.retain(|item| {
                let path = item["path"].as_str().unwrap_or_default().trim_start_matches('/');
                path != "index" && !path.starts_with("index/")
            });
            items.iter_mut().for_each(drop_index);
        }
        serde_json::Value::Object(members) => members.values_mut().for_each(drop_index),
        _ => {}
    }
}

/// Neither judge finds anything in the files that was not there before, at the strictest level.
fn assert_nothing_new(files: &[PathBuf], before: &[BTreeSet<String>]) {
    for ((path, before), after) in files.iter().zip(before).zip(verdicts::strict(files)) {
        let new: Vec<_> = after.difference(before).collect();
        assert!(new.is_empty(), "{}: {new:?}", path.display());
    }
}

/// The reference finds every digest and `content_id` in order.
fn assert_verified(files: &[PathBuf]) {
    let mut arguments = vec!["verify".to_owned()];
    arguments.extend(files.iter().map(|path| path.display().to_string()));
    let said = text(&reference::medh5(&arguments));
    let bad: Vec<&str> = said.lines().filter(|line| !line.contains(": OK")).collect();
    assert!(bad.is_empty() && said.lines().count() == files.len(), "{bad:#?}");
}

fn run(arguments: &[impl AsRef<std::ffi::OsStr>]) -> Output {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(program::path);
    Command::new(&*PROGRAM).args(arguments).output().expect("the program was built")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
