//! Writing that is cut short: whatever happens, a file is the old one or the new one, whole.
#![cfg(target_os = "linux")]

#[path = "interrupted/ctrl_c.rs"]
mod ctrl_c;
#[path = "interrupted/full_disk.rs"]
mod full_disk;
#[path = "interrupted/jobs.rs"]
mod jobs;
#[path = "interrupted/kill.rs"]
mod kill;
#[path = "interrupted/rivals.rs"]
mod rivals;
