//! The commands that write, each with files to write from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use oracles::chance::Chance;
use oracles::{program, scratch};

/// A command that writes one file.
pub(crate) struct Job {
    pub(crate) name: &'static str,
    /// Its arguments; files are named within the folder it runs in.
    pub(crate) arguments: &'static [&'static str],
    /// Copied into the folder before.
    pub(crate) inputs: &'static [&'static str],
    /// What it writes: one of the inputs, or new.
    pub(crate) target: &'static str,
}

const SAMPLE: &str = "medh5-2.2.3-balanced.medh5";
const OTHER: &str = "medh5-2.2.3-training.medh5";
/// A digest of it does not match.
const WRONG: &str = "findings.medh5";
/// In no corpus: [`noise`] makes it.
const NOISE: &str = "noise.npy";

pub(crate) const ALL: &[Job] = &[
    Job {
        name: "recompress",
        arguments: &["recompress", "--profile", "training", SAMPLE],
        inputs: &[SAMPLE],
        target: SAMPLE,
    },
    Job {
        name: "recompress elsewhere",
        arguments: &["recompress", "--profile", "training", "--out", "new.medh5", SAMPLE],
        inputs: &[SAMPLE],
        target: "new.medh5",
    },
    Job {
        name: "index build",
        arguments: &["index", "build", "--seed", "9", SAMPLE],
        inputs: &[SAMPLE],
        target: SAMPLE,
    },
    Job {
        name: "fix",
        arguments: &[
            "fix",
            "--rewrite-digests",
            "--reason",
            "a voxel was redrawn",
            "--by",
            "us",
            WRONG,
        ],
        inputs: &[WRONG],
        target: WRONG,
    },
    Job {
        name: "create",
        arguments: &[
            "create",
            "--image",
            "CT=noise.npy",
            "--spacing",
            "1,1,1",
            "--sample-id",
            "s",
            "--subject-id",
            "p",
            "new.medh5",
        ],
        inputs: &[NOISE],
        target: "new.medh5",
    },
    Job {
        name: "pack",
        arguments: &["pack", "--out", "shard.medh5c", "--key", "a", "--key", "b", SAMPLE, OTHER],
        inputs: &[SAMPLE, OTHER],
        target: "shard.medh5c",
    },
];

impl Job {
    /// Puts the inputs into `folder`, as they were.
    pub(crate) fn prepare(&self, folder: &Path) {
        let _ = fs::remove_file(self.target(folder));
        for input in self.inputs {
            if *input == NOISE {
                fs::write(folder.join(input), noise()).expect("a folder that can be written");
                continue;
            }
            let from =
                [scratch::folder("reference"), scratch::workspace().join("tests/fixtures/samples")]
                    .map(|corpus| corpus.join(input));
            let from = from.iter().find(|path| path.is_file()).expect("a file of a corpus");
            fs::copy(from, folder.join(input)).expect("a file that can be copied");
        }
    }

    /// The command, to be run in `folder`, quietly.
    pub(crate) fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(program::path());
        command.args(self.arguments).current_dir(folder);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    pub(crate) fn target(&self, folder: &Path) -> PathBuf {
        folder.join(self.target)
    }
}

/// A NumPy array of 64 x 128 x 128 numbers that do not compress.
fn noise() -> Vec<u8> {
    const ELEMENTS: usize = 64 * 128 * 128;
    let description = "{'descr': '<i2', 'fortran_order': False, 'shape': (64, 128, 128), }";
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend_from_slice(format!("{description:<117}\n").as_bytes());
    let mut chance = Chance::new(3);
    bytes.extend((0..ELEMENTS / 4).flat_map(|_| chance.bits().to_le_bytes()));
    bytes
}

/// The bytes of a file, if it is there.
pub(crate) fn content(path: &Path) -> Option<Vec<u8>> {
    fs::read(path).ok()
}

/// Names in a folder that no input and no target has.
pub(crate) fn strangers(folder: &Path, job: &Job) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let names = entries.map(|entry| scratch::name_of(&entry.expect("a readable entry").path()));
    names.filter(|name| name != job.target && !job.inputs.contains(&name.as_str())).collect()
}
