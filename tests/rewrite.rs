//! Files that we rewrite are to the reference what they were: recompressed, rechunked, packed, taken out again.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use medh5::storage::{ChunkBudget, Profile};
use medh5::validate::{Level, Silent};
use medh5::write::{Packed, Recompression, Unpacker, WriteError, pack};
use oracles::{program, rebuild, reference, scratch, verdicts};
use serde_json::Value;
use tempfile::TempDir;

/// Every file of the suite that may be rewritten, valid or not, and those of three writers in all profiles.
fn originals() -> Vec<PathBuf> {
    let suite = scratch::files(&scratch::folder("suite"), ".medh5");
    let written = scratch::files(&scratch::folder("reference"), ".medh5");
    suite.into_iter().chain(written).collect()
}

/// Recompresses every file under a profile of its own into the folder; gives their names.
fn recompressed(folder: &Path, profile: Profile, rechunk: Option<ChunkBudget>) -> Vec<PathBuf> {
    let how = Recompression { profile, rechunk };
    let mut done = Vec::new();
    for path in originals() {
        let out = folder.join(path.file_name().expect("a file has a name"));
        match how.run(&path, Some(&out), &Silent) {
            Ok(_) => done.push(path),
            // Broken on purpose: they do not verify, or are of no version that a writer may touch.
            Err(
                WriteError::Unverified { .. } | WriteError::Refused { .. } | WriteError::Read(_),
            ) => {
                assert!(is_broken(&path), "{}: cannot be rewritten", path.display());
                assert!(!out.exists(), "{}: something was left", path.display());
            }
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    done
}

/// Files of the suite that show a mistake are called after its code.
fn is_broken(path: &Path) -> bool {
    let name = scratch::name_of(path);
    name.starts_with('E') || name.starts_with('W')
}

/// What the judges find in every file stays the same under this profile.
fn keeps_what_is_found(profile: Profile) {
    let folder = TempDir::new().expect("a folder for a test");
    let done = recompressed(folder.path(), profile, None);
    assert!(done.len() > 60, "only {} files were rewritten", done.len());
    assert_same_findings(&done, folder.path());
}

#[test]
fn training_keeps_what_is_found() {
    keeps_what_is_found(Profile::Training);
}

#[test]
fn balanced_keeps_what_is_found() {
    keeps_what_is_found(Profile::Balanced);
}

#[test]
fn archive_keeps_what_is_found() {
    keeps_what_is_found(Profile::Archive);
}

#[test]
fn portable_keeps_what_is_found() {
    keeps_what_is_found(Profile::Portable);
}

#[test]
fn other_chunks_keep_what_the_reference_finds() {
    let folder = TempDir::new().expect("a folder for a test");
    let budget = ChunkBudget::of_cache_share(600 << 10);
    let done = recompressed(folder.path(), Profile::Balanced, Some(budget));
    assert_same_findings(&done, folder.path());
}

/// The reference and our validator find in the files of `folder` what they find in those of the same names in `originals`, at
/// the strictest level; but what they say of their storage may be settled. The reference verifies all of them.
fn assert_same_findings(originals: &[PathBuf], folder: &Path) {
    let after: Vec<PathBuf> = originals
        .iter()
        .map(|path| folder.join(path.file_name().expect("a file has a name")))
        .collect();
    let verified = verdicts_of_verify(&after);
    assert_eq!(verdicts_of_verify(originals), verified, "verified otherwise than before");
    for (original, copy) in originals.iter().zip(&after) {
        assert_eq!(ours(copy), ours(original), "{}: our validator", original.display());
    }
    let (before, after) = (findings(originals), findings(&after));
    for ((path, before), after) in originals.iter().zip(&before).zip(&after) {
        assert_eq!(before, after, "{}", path.display());
    }
}

/// What our validator finds, but for storage.
fn ours(path: &Path) -> BTreeSet<String> {
    let report = verdicts::ours(path, Level::Strict);
    let list = report["diagnostics"].as_array().expect("a list of findings");
    let found = list.iter().filter(|found| found["code"] != "W902");
    found.map(|found| format!("{} {}", found["code"], found["location"])).collect()
}

/// What the reference's `verify` says, without the names of the files.
fn verdicts_of_verify(paths: &[PathBuf]) -> Vec<Value> {
    let names = paths.iter().map(|path| path.display().to_string());
    let said: Vec<String> =
        ["verify", "--json"].map(str::to_owned).into_iter().chain(names).collect();
    let mut verdicts: Vec<Value> =
        serde_json::from_slice(&reference::medh5(&said)).expect("a list");
    for verdict in verdicts.iter_mut().filter_map(Value::as_object_mut) {
        verdict.remove("path");
        verdict.remove("error");
    }
    verdicts
}

fn findings(paths: &[PathBuf]) -> Vec<Vec<String>> {
    let names = paths.iter().map(|path| path.display().to_string());
    let arguments = ["validate", "--json", "--level", "strict"].map(str::to_owned);
    let said = reference::medh5(&arguments.into_iter().chain(names).collect::<Vec<_>>());
    let reports: Vec<Value> = serde_json::from_slice(&said).expect("a report per file");
    assert_eq!(reports.len(), paths.len());
    let finding = |found: &Value| match found["code"].as_str() {
        Some("W902") => None,
        _ => Some(format!("{} {} {}", found["code"], found["location"], found["message"])),
    };
    let of_report = |report: &Value| {
        let list = report["diagnostics"].as_array().expect("a list of findings");
        list.iter().filter_map(finding).collect()
    };
    reports.iter().map(of_report).collect()
}

/// What the reference calls each chunk after `--rechunk` on the same machine, over many grids, hints and types.
#[test]
fn chunks_are_those_of_the_reference() {
    let folder = TempDir::new().expect("a folder for a test");
    let source = folder.path().join("grids.medh5");
    reference::script("make_grids.py", &[source.clone().into()]);
    let (ours, theirs) = (folder.path().join("ours.medh5"), folder.path().join("theirs.medh5"));
    for profile in [Profile::Training, Profile::Portable] {
        let how = Recompression { profile, rechunk: Some(ChunkBudget::of_this_machine()) };
        how.run(&source, Some(&ours), &Silent).expect("a file that can be rewritten");
        let [source, out] = [&source, &theirs].map(|path| path.display().to_string());
        let command = ["recompress", &source, "--profile", profile.name(), "--rechunk", "-o", &out];
        reference::medh5(&command.map(str::to_owned));
        let (ours, theirs) = (storage(&ours), storage(&theirs));
        assert!(ours.len() >= 30, "only {} datasets in chunks", ours.len());
        assert_eq!(ours, theirs);
    }
}

/// Chunks and filters of each dataset, in h5py's words.
fn storage(path: &Path) -> BTreeMap<String, String> {
    let said = reference::script("storage_of.py", &[path.into()]);
    serde_json::from_str(&said).expect("an object of texts")
}

#[test]
fn packed_and_unpacked_by_either_side_files_stay_the_same() {
    let folder = TempDir::new().expect("a folder for a test");
    let at = |name: &str| folder.path().join(name);
    let samples: Vec<Packed> = originals()
        .into_iter()
        .filter(|path| !is_broken(path) && !scratch::name_of(path).ends_with(".medh5c"))
        .map(|path| Packed { key: scratch::name_of(&path).replace(".medh5", ""), path })
        .collect();
    let collection = at("all.medh5c");
    let packing = pack(&samples, Some(&collection), &Silent).expect("samples that can be packed");
    assert!(packing.samples > 40, "only {} samples", packing.samples);
    fs::create_dir(at("ours")).expect("room for a folder");
    let unpacker = Unpacker::open(&collection).expect("a collection");
    for sample in &samples {
        let out = at("ours").join(format!("{}.medh5", sample.key));
        unpacker.extract(&sample.key, Some(&out), &Silent).expect("a member");
    }
    let text = |path: &Path| path.display().to_string();
    reference::medh5(&["unpack".to_owned(), text(&collection), "-o".into(), text(&at("theirs"))]);
    let paths: Vec<PathBuf> = samples.iter().map(|sample| sample.path.clone()).collect();
    for side in ["ours", "theirs"] {
        assert_same_findings(&paths, &at(side));
        let folders = [
            paths[0].parent().expect("a folder"),
            paths[paths.len() - 1].parent().expect("a folder"),
        ];
        let arguments = folders.iter().map(|folder| folder.as_os_str().to_owned());
        let said = reference::script(
            "same_chunks.py",
            &[at(side).into()].into_iter().chain(arguments).collect::<Vec<_>>(),
        );
        assert_eq!(said.trim(), format!("{} files with the same chunks", samples.len()));
    }
    // Their collection by us.
    let theirs = at("theirs.medh5c");
    let names =
        paths.iter().filter(|path| path.parent() == paths[0].parent()).map(|path| text(path));
    reference::medh5(
        &["pack".to_owned(), "-o".into(), text(&theirs)]
            .into_iter()
            .chain(names)
            .collect::<Vec<_>>(),
    );
    let unpacker = Unpacker::open(&theirs).expect("a collection");
    fs::create_dir(at("again")).expect("room for a folder");
    let mut taken = Vec::new();
    for path in paths.iter().filter(|path| path.parent() == paths[0].parent()) {
        let out = at("again").join(path.file_name().expect("a file has a name"));
        let key = scratch::name_of(path).replace(".medh5", "");
        unpacker.extract(&key, Some(&out), &Silent).expect("a member");
        taken.push(path.clone());
    }
    assert_same_findings(&taken, &at("again"));
}

/// Recompressed by us, indexed, packed and unpacked by the reference, recompressed by it and by us: one `content_id` all the way.
#[test]
fn the_reference_goes_on_with_our_files() {
    let folder = TempDir::new().expect("a folder for a test");
    let others = [Profile::Portable, Profile::Training, Profile::Balanced, Profile::Archive];
    for (profile, other) in Profile::ALL.into_iter().zip(others) {
        let source = format!("medh5-2.2.3-{}.medh5", other.name());
        let source = scratch::folder("reference").join(source);
        let path = folder.path().join("a.medh5");
        let shard = folder.path().join("shard.medh5c");
        let how = Recompression { profile, rechunk: Some(ChunkBudget::of_cache_share(1 << 20)) };
        how.run(&source, Some(&path), &Silent).expect("a file that can be rewritten");
        let stated = content_id(&source);
        let [name, shard, out] =
            [&path, &shard, &folder.path().to_path_buf()].map(|path| path.display().to_string());
        for command in [
            &["index", "build", &name, "--seed", "4"][..],
            &["pack", "-o", &shard, &name],
            &["unpack", &shard, "-o", &out],
            &["recompress", &name, "--profile", other.name(), "--rechunk"],
            &["fix", &name, "--rebuild-index"],
        ] {
            let command: Vec<String> = command.iter().map(ToString::to_string).collect();
            reference::medh5(&command);
            assert_eq!(content_id(&path), stated, "{command:?}");
        }
        how.run(&path, None, &Silent).expect("a file of the reference");
        assert_eq!(content_id(&path), stated);
        assert_same_findings(std::slice::from_ref(&source), &renamed(&path, &source));
    }
}

/// The folder of a copy of `path` that has the name of `original`.
fn renamed(path: &Path, original: &Path) -> PathBuf {
    let folder = path.with_extension("renamed");
    fs::create_dir_all(&folder).expect("room for a folder");
    fs::copy(path, folder.join(original.file_name().expect("a file has a name")))
        .expect("room for a file");
    folder
}

fn content_id(path: &Path) -> Option<String> {
    rebuild::open(path).attributes().text("content_id").expect("readable")
}

/// Filters that no sample should have, and such as no profile has: their chunks are read, and become the profile's.
#[test]
fn chunks_of_other_filters_become_the_profile_s() {
    let folder = TempDir::new().expect("a folder for a test");
    let source = scratch::folder("compressible").join("filters.medh5");
    let before = storage(&source);
    assert!(before.len() >= 13, "{before:?}");
    for (profile, filter) in Profile::ALL.into_iter().zip([32_026, 32_026, 32_026, 2]) {
        let out = folder.path().join(format!("{}.medh5", profile.name()));
        let how = Recompression { profile, rechunk: None };
        let found = how.run(&source, Some(&out), &Silent).expect("filters that are read");
        assert!(found.changed.len() >= 13 && found.kept.is_empty(), "{found:?}");
        let after = storage(&out);
        assert_eq!(after.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
        for (path, stored) in after {
            assert!(stored.contains(&format!(": [({filter}, ")), "{path}: {stored}");
        }
        let name = out.display().to_string();
        let said = reference::medh5(&["verify", "--json", &name].map(str::to_owned));
        let said: Vec<Value> = serde_json::from_slice(&said).expect("a list");
        assert_eq!(said[0]["ok"], true, "{said:?}");
    }
    // What moves as bytes keeps its filters, whatever they are.
    let packed = [Packed { path: source.clone(), key: "a".into() }];
    let (collection, out) = (folder.path().join("a.medh5c"), folder.path().join("a.medh5"));
    pack(&packed, Some(&collection), &Silent).expect("chunks that move as bytes");
    Unpacker::open(&collection)
        .expect("a collection")
        .extract("a", Some(&out), &Silent)
        .expect("a member");
    assert_eq!(storage(&out), before);
}

#[test]
fn what_fails_leaves_the_file_alone() {
    let folder = TempDir::new().expect("a folder for a test");
    let path = folder.path().join("a.medh5");
    let how = Recompression { profile: Profile::Archive, rechunk: None };
    let broken =
        ["E701-object-digest.medh5", "E002-unsupported-major.medh5", "E007-unknown-profile.medh5"];
    let broken = broken.iter().map(|name| scratch::folder("suite").join(name));
    let mut seen = 0;
    for original in broken.filter(|path| path.exists()) {
        fs::copy(&original, &path).expect("room for a file");
        assert!(how.run(&path, None, &Silent).is_err(), "{}", original.display());
        assert!(fs::read(&path).expect("it is there") == fs::read(&original).expect("it is there"));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left");
        seen += 1;
    }
    assert!(seen >= 2, "the suite has other names");
}

/// However far the program has got, the file is the old one or, once complete, the new one.
#[test]
fn killed_at_any_point_the_file_is_whole() {
    let program = program::path();
    let folder = TempDir::new().expect("a folder for a test");
    let path = folder.path().join("a.medh5");
    let original = scratch::folder("reference").join("medh5-2.2.3-portable.medh5");
    let old = fs::read(&original).expect("a file of the reference");
    for milliseconds in [1, 10, 30, 60, 100, 200, 400, 800] {
        fs::write(&path, &old).expect("room for a file");
        let mut child = Command::new(&program)
            .args(["recompress", "--quiet", "--profile", "balanced"])
            .arg(&path)
            .stdout(Stdio::null())
            .spawn()
            .expect("the program runs");
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().expect("it runs or has ended");
        let ended = child.wait().expect("it was started").success();
        let now = fs::read(&path).expect("the file is there");
        if now == old {
            assert!(!ended, "it ended and did nothing");
        } else {
            let name = path.display().to_string();
            let said = reference::medh5(&["verify", "--json", &name].map(str::to_owned));
            let said: Vec<Value> = serde_json::from_slice(&said).expect("a list");
            assert_eq!(said[0]["ok"], true, "after {milliseconds} ms");
        }
    }
}
