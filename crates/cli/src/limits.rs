//! Limits on what a file may ask of this computer, as the command line sets them.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use clap::Args;
use medh5::Limits;
use medh5::validate::Observer;

/// The limits, for every command that opens a file.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// The most memory that a single thing in a file may ask for, such as 64M or 2G
    #[arg(long, global = true, value_name = "BYTES", value_parser = bytes)]
    max_memory: Option<u64>,
    /// How deep the structures of a file may nest
    #[arg(long, global = true, value_name = "N")]
    max_depth: Option<u32>,
    /// Time for one file, in seconds, when validating, verifying or fixing
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Any limit by its name; a name that is not known lists all, with their defaults; repeatable
    #[arg(long = "limit", global = true, value_name = "NAME=N", value_parser = named)]
    named: Vec<(String, u64)>,
}

/// What is in force.
#[derive(Debug, Clone, Default)]
struct InForce {
    limits: Limits,
    timeout: Option<Duration>,
}

static IN_FORCE: OnceLock<InForce> = OnceLock::new();

impl LimitArgs {
    /// Puts the limits in force, for the rest of the run.
    pub(crate) fn put_in_force(&self) {
        let mut limits = Limits::default();
        if let Some(most) = self.max_memory {
            for (name, value) in Limits::default().list() {
                if MEMORY.contains(&name) {
                    limits.set(name, most.min(value));
                }
            }
        }
        if let Some(depth) = self.max_depth {
            limits.set("max_depth", depth.into());
        }
        for (name, value) in &self.named {
            limits.set(name, *value);
        }
        // Set once: there is one command line.
        let _ = IN_FORCE.set(InForce { limits, timeout: self.timeout });
    }
}

/// The limits that are about single pieces of memory.
const MEMORY: [&str; 6] = [
    "max_block_bytes",
    "max_chunk_bytes",
    "max_inflated_bytes",
    "max_element_bytes",
    "max_read_bytes",
    "max_variable_bytes",
];

/// The limits in force.
pub(crate) fn current() -> Limits {
    IN_FORCE.get().map(|all| all.limits.clone()).unwrap_or_default()
}

/// Stops the work on one file when its time is up.
pub(crate) struct Deadline<'a> {
    observer: &'a dyn Observer,
    timeout: Option<Duration>,
    started: Instant,
}

impl<'a> Deadline<'a> {
    /// From now on.
    pub(crate) fn new(observer: &'a dyn Observer) -> Self {
        let timeout = IN_FORCE.get().and_then(|all| all.timeout);
        Self { observer, timeout, started: Instant::now() }
    }

    /// Why the work was stopped, if it was for the time.
    pub(crate) fn excess(&self) -> Option<String> {
        let timeout = self.timeout.filter(|timeout| self.started.elapsed() > *timeout)?;
        let seconds = timeout.as_secs_f64();
        Some(format!(
            "it takes longer than the limit `timeout` of {seconds} s (refused to protect this computer)"
        ))
    }
}

impl Observer for Deadline<'_> {
    fn should_stop(&self) -> bool {
        self.excess().is_some() || self.observer.should_stop()
    }

    fn progress(&self, bytes: u64) {
        self.observer.progress(bytes);
    }
}

/// A number of bytes, with K, M or G for powers of 1024.
fn bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().find(|(_, letter)| !letter.is_ascii_digit()) {
        Some((at, _)) => text.split_at(at),
        None => (text, ""),
    };
    let factor: u64 = match unit.to_ascii_uppercase().as_str() {
        "" => 1,
        "K" | "KIB" => 1 << 10,
        "M" | "MIB" => 1 << 20,
        "G" | "GIB" => 1 << 30,
        _ => return Err(format!("`{unit}` is no unit (known: K, M, G)")),
    };
    let number: u64 = digits.parse().map_err(|_| "this is no number of bytes")?;
    number.checked_mul(factor).ok_or_else(|| "more bytes than 64 bits can count".into())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "this is no number of seconds")?;
    if seconds > 0.0 {
        Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
    } else {
        Err("a time is more than 0".into())
    }
}

fn named(text: &str) -> Result<(String, u64), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let known = Limits::default().list();
    if known.iter().any(|(known, _)| *known == name) {
        return Ok((name.to_owned(), bytes(value)?));
    }
    let known: Vec<_> = known.iter().map(|(name, value)| format!("{name}={value}")).collect();
    Err(format!(
        "there is no limit `{name}`; these are known, with their defaults:\n  {}",
        known.join("\n  ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_units() {
        assert_eq!(bytes("17"), Ok(17));
        assert_eq!(bytes("2G"), Ok(2 << 30));
        assert_eq!(bytes("64MiB"), Ok(64 << 20));
        for wrong in ["", "M", "2T", "-1", "99999999999G"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn limits_are_known_by_name() {
        assert_eq!(named("max_links=5"), Ok(("max_links".into(), 5)));
        assert!(named("max_linsk=5").unwrap_err().contains("max_links=1000000"));
        let memory = MEMORY.map(|name| Limits::default().set(name, 1));
        assert_eq!(memory, [true; 6]);
    }

    #[test]
    fn time_runs_out() {
        let silent = medh5::validate::Silent;
        let none = Deadline { observer: &silent, timeout: None, started: Instant::now() };
        assert!(!none.should_stop());
        let none = Deadline { timeout: Some(Duration::ZERO), ..none };
        assert!(none.should_stop() && none.excess().unwrap().contains("limit `timeout` of 0 s"));
    }
}
