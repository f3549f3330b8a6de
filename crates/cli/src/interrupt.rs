//! Ctrl-C: the first time, finish what is at hand and report; the second time, leave.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::INTERRUPTED;

static STOP: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C asks to stop instead of ending the program.
pub(crate) fn listen() {
    // Without a handler Ctrl-C ends the program as usual: nothing worth a message.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
}

/// Whether somebody pressed Ctrl-C.
pub(crate) fn requested() -> bool {
    STOP.load(Ordering::Relaxed)
}
