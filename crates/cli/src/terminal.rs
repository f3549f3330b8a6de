//! Standard output and standard error: colour, width, and the one place that writes to them.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use clap::ValueEnum;

/// When to colour the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What the options for all commands say about the terminal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    /// Whether standard output takes colour.
    pub(crate) paint: Paint,
    /// Whether to keep standard error to failures.
    pub(crate) quiet: bool,
    /// Whether standard error is a terminal and may show progress.
    pub(crate) shows_progress: bool,
}

impl Terminal {
    /// Looks at the environment, once.
    pub(crate) fn new(color: Color, quiet: bool) -> Self {
        let paint = Paint(match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => wants_color(io::stdout().is_terminal()),
        });
        Self { paint, quiet, shows_progress: !quiet && io::stderr().is_terminal() }
    }

    /// One line on standard error, unless quiet. A closed standard error is no reason to fail.
    pub(crate) fn note(self, line: &str) {
        if !self.quiet {
            say(line);
        }
    }
}

/// Standard output, buffered.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// One line on standard error.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Columns of the terminal, at most 100: longer lines are hard to read.
pub(crate) fn width() -> usize {
    let columns = terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0));
    columns.clamp(40, 100)
}

fn wants_color(is_terminal: bool) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    if set("NO_COLOR") {
        return false;
    }
    set("CLICOLOR_FORCE")
        || (is_terminal && std::env::var_os("TERM").is_none_or(|term| term != "dumb"))
}

/// Whether to colour, and how each thing is coloured. Words never depend on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint(pub(crate) bool);

impl Paint {
    /// Something wrong.
    pub(crate) fn error(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// Something that deserves a look.
    pub(crate) fn warning(self, text: &str) -> String {
        self.wrap("1;33", text)
    }

    /// Something in order.
    pub(crate) fn good(self, text: &str) -> String {
        self.wrap("1;32", text)
    }

    /// A heading or a name.
    pub(crate) fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Something of less weight.
    pub(crate) fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }

    fn wrap(self, style: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
