//! Progress on standard error, for people who wait.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
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
    bytes: Mutex<u64>,
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
            bytes: Mutex::new(0),
            started: Instant::now(),
            may_show: terminal.shows_progress,
            shown: AtomicBool::new(false),
            abandoned: AtomicBool::new(false),
        }
    }

    /// A file is being looked at.
    pub(crate) fn start_file(&self, name: &str) {
        self.bar.set_message(name.to_owned());
        self.show();
    }

    /// A file is done.
    pub(crate) fn finish_file(&self) {
        self.bar.inc(1);
    }

    /// Runs something that writes to the terminal.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Makes the workers stop: nobody wants the rest any more.
    pub(crate) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self) {
        let is_late = || self.started.elapsed() > PATIENCE;
        if self.may_show && is_late() && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
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
        if let Ok(mut total) = self.bytes.lock() {
            *total += bytes;
            self.bar.set_prefix(HumanBytes(*total).to_string());
        }
        self.show();
    }
}
