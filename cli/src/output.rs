//! What a command prints: text for people, or one JSON object for programs.

pub(super) use crate::counted;
use crate::{Error, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::cell::{OnceCell, RefCell};
use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

/// Where a command's result goes.
pub(super) struct Output {
    json: bool,
    /// Why a note could not be written.
    lost: OnceCell<Error>,
    warnings: RefCell<Vec<String>>,
}

impl Output {
    pub(super) fn new(json: bool) -> Self {
        Self { json, lost: OnceCell::new(), warnings: RefCell::default() }
    }

    /// Prints a line for people on the way to the result, which tells of one that could not be written.
    pub(super) fn note(&self, text: impl Display) {
        if !self.json
            && let Err(error) = print(format_args!("{text}\n"))
        {
            let _ = self.lost.set(error);
        }
    }

    /// Prints what should be known of the result, on standard error; programs find it in the result.
    pub(super) fn warn(&self, text: impl Display) {
        if !self.json {
            // Who closes standard error does not want to know.
            let _ = writeln!(io::stderr(), "warning: {text}");
        }
        self.warnings.borrow_mut().push(text.to_string());
    }

    /// What was warned of until now, for the result.
    pub(super) fn warnings(&self) -> Vec<String> {
        self.warnings.borrow().clone()
    }

    /// A bar of `steps` steps for what may take over a second, or of none for what does not tell how
    /// far it is; seen by people at a terminal only.
    pub(super) fn progress(&self, steps: usize) -> ProgressBar {
        if self.json {
            return ProgressBar::hidden();
        }
        let (bar, template) = match steps {
            0 => (ProgressBar::new_spinner(), "{spinner} {elapsed}"),
            _ => (ProgressBar::new(steps as u64), "{bar:40} {pos}/{len}  {elapsed}  {msg}"),
        };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is a valid one"));
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }

    /// Prints the result.
    ///
    /// # Errors
    /// Standard output takes no more, or took a note not.
    pub(super) fn result(&self, result: &(impl Serialize + Display)) -> Result<ExitCode> {
        self.object(result)?;
        if !self.json {
            print(format_args!("{result}"))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Prints the result for programs; people have seen it as notes.
    ///
    /// # Errors
    /// Standard output takes no more, or took a note not.
    pub(super) fn object(&self, result: &impl Serialize) -> Result<()> {
        if !self.json {
            return self.lost.get().map_or(Ok(()), |error| Err(error.clone()));
        }
        let text = serde_json::to_string(result)
            .map_err(|e| Error::protocol("the result has no JSON form").because(e))?;
        print(format_args!("{text}\n"))
    }

    /// Prints a failure: text to standard error, or with `--json` an object to standard output, where
    /// that takes it.
    pub(super) fn error(&self, error: &Error) {
        if !self.json || Self::error_object(error).is_err() {
            // The exit code says it as well.
            let _ = writeln!(io::stderr(), "error: {error}");
        }
    }

    fn error_object(error: &Error) -> Result<()> {
        let context = error.context().iter();
        let context: serde_json::Map<_, _> =
            context.map(|(key, value)| (key.to_string(), value.clone().into())).collect();
        let object = serde_json::json!({ "error": {
            "kind": error.kind().to_string(), "message": error.message(), "context": context,
            "text": error.to_string()
        } });
        print(format_args!("{object}\n"))
    }

    /// Prints what is wrong with the arguments, as [`Output::error`] does.
    pub(super) fn usage(&self, usage: &clap::Error) -> ExitCode {
        if self.json && usage.use_stderr() {
            let text = usage.render().to_string();
            let message = message(text.trim_start_matches("error: "));
            let object = serde_json::json!({ "error": { "kind": "usage", "message": message, "text": text } });
            let _ = print(format_args!("{object}\n"));
        } else if usage.print().is_err_and(|e| e.kind() != io::ErrorKind::BrokenPipe) {
            return ExitCode::FAILURE;
        }
        // Help and version are such errors too; they go to standard output and exit with 0.
        ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(2))
    }
}

/// The first line of a text, and those below it that it announces.
fn message(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let announced: Vec<_> = lines.filter(|_| first.ends_with(':')).collect();
    format!("{first} {}", announced.join(", ")).trim_end().to_owned()
}

/// Writes to standard output; a reader that went away (`| head`) is no failure.
fn print(text: fmt::Arguments<'_>) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_fmt(text).and_then(|()| stdout.flush()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::unavailable("cannot write the result").because(e))
        }
        _ => Ok(()),
    }
}

/// Rows of text in aligned columns.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column heads.
    pub(super) fn new<const N: usize>(head: [&str; N]) -> Self {
        Self { rows: vec![head.map(str::to_owned).to_vec()] }
    }

    /// Adds a row.
    pub(super) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.to_vec());
    }
}

/// The columns of a screen; what programs and files get is not broken.
fn screen() -> usize {
    if io::stdout().is_terminal() { 100 } else { usize::MAX }
}

impl Table {
    /// The width of each column: its widest cell, where the widest columns give way until all fit
    /// `screen` columns.
    fn widths(&self, screen: usize) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |c: usize| {
            let cells = self.rows.iter().filter_map(|r| r.get(c));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let mut widths: Vec<_> = (0..columns).map(widest).collect();
        let room = screen.saturating_sub(2 * columns.saturating_sub(1)).max(columns);
        while widths.iter().sum::<usize>() > room {
            let widest = widths.iter().max().copied().unwrap_or(0);
            if let Some(width) = widths.iter_mut().find(|width| **width == widest) {
                *width -= 1;
            }
        }
        widths
    }

    fn text(&self, screen: usize) -> String {
        let widths = self.widths(screen);
        let row = |row: &Vec<String>| {
            let cells: Vec<_> =
                row.iter().zip(&widths).map(|(cell, width)| wrapped(cell, *width)).collect();
            let line = |line: usize| {
                let cells = cells.iter().zip(&widths).map(|(lines, width)| {
                    format!("{:width$}", lines.get(line).map_or("", |line| line.trim_end()))
                });
                cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
            };
            (0..cells.iter().map(Vec::len).max().unwrap_or(0).max(1)).map(line).collect::<String>()
        };
        self.rows.iter().map(row).collect()
    }
}

/// A text in lines of at most `width` characters, broken after spaces and slashes where there are any.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive([' ', '/']) {
        let last = lines.last_mut().expect("there is a line");
        if last.chars().count() + word.trim_end().chars().count() <= width {
            last.push_str(word);
            continue;
        }
        let letters: Vec<char> = word.chars().collect();
        lines.extend(letters.chunks(width.max(1)).map(|part| part.iter().collect::<String>()));
    }
    lines.retain(|line| !line.trim().is_empty());
    lines
}

/// The lines of a text, broken to fit a screen.
pub(super) fn on_screen(text: &str) -> String {
    let screen = screen();
    let lines = text.lines().flat_map(|line| wrapped(line, screen));
    lines.map(|line| line.trim_end().to_owned() + "\n").collect()
}

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(screen()))
    }
}

#[cfg(test)]
mod tests;
