//! h5wasm, libhdf5 as WebAssembly with the Blosc2 plug-in, finds in files of ours what our reader finds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use medh5::storage::{ChunkBudget, Profile};
use medh5::validate::Silent;
use medh5::write::{Packed, Recompression, pack};
use oracles::{describe, node, open, program, scratch};
use serde_json::Value;

#[test]
fn h5wasm_reads_what_we_write() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = files_of_ours(folder.path());
    let said = node::script("describe.mjs", &files);
    let mut found: BTreeMap<(PathBuf, String), Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).expect("the script writes JSON"))
        .map(|line: Value| ((text(&line["file"]).into(), text(&line["path"])), line))
        .collect();
    let (mut datasets, mut refused) = (0, 0);
    for path in files {
        let lines = open::path(&path).and_then(|file| describe::describe(&file));
        for line in lines.unwrap_or_else(|error| panic!("{}: {error}", path.display())) {
            if line["kind"] != "dataset" {
                continue;
            }
            let shown = format!("{}: {}", path.display(), line["object"]);
            let theirs = found.remove(&(path.clone(), text(&line["object"])));
            let theirs = theirs.unwrap_or_else(|| panic!("{shown}: h5wasm does not find it"));
            datasets += 1;
            if theirs["refused"].is_string() {
                assert_eq!(line["type"], "f2<", "{shown}: {}", theirs["refused"]);
                refused += 1;
                continue;
            }
            assert_eq!(theirs["shape"], line["shape"], "{shown}");
            assert!(is_alike(&theirs, &line["digest"]), "{shown}: other values");
            for attribute in line["attributes"].as_array().expect("a list") {
                let theirs = &theirs["attributes"][text(&attribute[0])];
                assert!(is_alike(theirs, &attribute[3]), "{shown}: {}", attribute[0]);
            }
        }
    }
    assert_eq!(found.into_keys().collect::<Vec<_>>(), [], "datasets that we do not find");
    assert!(datasets > 450 && refused * 20 < datasets, "{datasets} datasets, {refused} refused");
}

/// The same digest; numbers alone have none there, and must only be there.
fn is_alike(theirs: &Value, digest: &Value) -> bool {
    theirs.is_object() && (theirs["digest"].is_null() || theirs["digest"] == *digest)
}

/// A sample of every type in every profile and other chunks, a collection, one with a new index, and one from an array.
fn files_of_ours(folder: &Path) -> Vec<PathBuf> {
    let sources = ["medh5-2.2.3-balanced.medh5", "medh5-1.0.0-portable.medh5"];
    let sources = sources.map(|name| scratch::folder("reference").join(name));
    let mut files = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        for profile in Profile::ALL {
            let out = folder.join(format!("{number}-{}.medh5", profile.name()));
            let rechunk = (number == 1).then(|| ChunkBudget::of_cache_share(600 << 10));
            let how = Recompression { profile, rechunk };
            how.run(source, Some(&out), &Silent).unwrap_or_else(|error| panic!("{error}"));
            files.push(out);
        }
    }
    let collection = folder.join("all.medh5c");
    let packed: Vec<Packed> = (0_u8..)
        .zip(scratch::files(&scratch::folder("suite"), ".medh5"))
        .filter(|(_, path)| scratch::name_of(path).starts_with("seg-"))
        .map(|(number, path)| Packed { key: format!("s{number}"), path })
        .collect();
    pack(&packed, Some(&collection), &Silent).unwrap_or_else(|error| panic!("{error}"));
    files.push(collection);
    for arguments in [
        ["index", "build", "--seed", "3", "0-training.medh5"].map(str::to_owned).to_vec(),
        [
            vec!["create".into(), "made.medh5".into(), "--image".into()],
            vec![format!("CT={}", scratch::folder("volumes").join("ct.nii.gz").display())],
            ["--subject-id", "p", "--index", "--profile", "archive", "--mask"]
                .map(str::to_owned)
                .to_vec(),
            vec![format!("liver={}", scratch::folder("volumes").join("liver.nii.gz").display())],
        ]
        .concat(),
    ] {
        let run = Command::new(program::path()).args(&arguments).current_dir(folder).output();
        let run = run.unwrap_or_else(|error| panic!("{error}"));
        assert!(run.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    }
    files.push(folder.join("made.medh5"));
    files
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
