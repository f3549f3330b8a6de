//! Progress on standard error, for people who wait.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use medh5::validate::Observer;

use crate::interrupt;
use crate::terminal::Terminal;

/// Runs that are over sooner show nothing.
const PATIENCE: Duration = Duration::from_millis(400);

/// Counts files and bytes, and shows them when standard error is a terminal and the run takes a while.
pub(crate) struct Progress {
    bar: ProgressBar,
    files: AtomicU64,
    bytes: AtomicU64,
    started: Instant,
    may_show: bool,
    shown: AtomicBool,
    abandoned: AtomicBool,
}

impl Progress {
    /// For a run over `files` files.
    pub(crate) fn new(files: usize, terminal: Terminal) -> Self {
        let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::hidden());
        bar.set_style(style(
            "{bar:24} {pos}/{len} files, {prefix} looked at, {elapsed}, {wide_msg}",
        ));
        Self::showing(bar, terminal)
    }

    /// For a run that makes one file.
    pub(crate) fn of_one(name: &str, terminal: Terminal) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style("{spinner} {prefix} read and written, {elapsed}, {wide_msg}"));
        bar.set_message(name.to_owned());
        Self::showing(bar, terminal)
    }

    fn showing(bar: ProgressBar, terminal: Terminal) -> Self {
        Self {
            bar,
            files: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            started: Instant::now(),
            may_show: terminal.shows_progress,
            shown: AtomicBool::new(false),
            abandoned: AtomicBool::new(false),
        }
    }

    /// A file is being looked at.
    pub(crate) fn start_file(&self, name: &str) {
        if self.is_shown() {
            self.bar.set_message(name.to_owned());
        }
    }

    /// A file is done.
    pub(crate) fn finish_file(&self) {
        let files = self.files.fetch_add(1, Ordering::Relaxed) + 1;
        if self.is_shown() {
            self.bar.set_position(files);
        }
    }

    /// Runs something that writes to the terminal.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        if self.shown.load(Ordering::Relaxed) { self.bar.suspend(write) } else { write() }
    }

    /// Makes the workers stop: nobody wants the rest any more.
    pub(crate) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Whether there is a bar to bring up to date; it costs more than a small file, so only then.
    fn is_shown(&self) -> bool {
        if !self.may_show || self.started.elapsed() <= PATIENCE {
            return false;
        }
        if !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        true
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Observer for Progress {
    fn should_stop(&self) -> bool {
        interrupt::requested() || self.abandoned.load(Ordering::Relaxed)
    }

    fn progress(&self, bytes: u64) {
        let total = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if self.is_shown() {
            self.bar.set_prefix(HumanBytes(total).to_string());
        }
    }
}
