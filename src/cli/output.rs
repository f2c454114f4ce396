//! What a command prints: text for people, or one JSON object for programs.

use crate::{Error, ErrorKind, Result};
use serde::Serialize;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::process::ExitCode;

/// Where a command's result goes.
pub(super) struct Output {
    json: bool,
}

impl Output {
    pub(super) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Whether the result is for programs.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints a line for people on the way to the result.
    pub(super) fn note(&self, text: impl Display) {
        if !self.json {
            // If this line cannot be written, neither can the result, which says so.
            let _ = print(format_args!("{text}\n"));
        }
    }

    /// Prints the result.
    ///
    /// # Errors
    /// Standard output takes no more.
    pub(super) fn result(&self, result: &(impl Serialize + Display)) -> Result<ExitCode> {
        if self.json {
            self.object(result)?;
        } else {
            print(format_args!("{result}"))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Prints the result for programs; people have seen it as notes.
    ///
    /// # Errors
    /// Standard output takes no more.
    pub(super) fn object(&self, result: &impl Serialize) -> Result<()> {
        if !self.json {
            return Ok(());
        }
        let text = serde_json::to_string(result).map_err(|e| {
            Error::new(ErrorKind::Protocol, "the result has no JSON form").because(e)
        })?;
        print(format_args!("{text}\n"))
    }

    /// Prints a failure: text to standard error, and with `--json` an object as well.
    pub(super) fn error(&self, error: &Error) {
        eprintln!("error: {error}");
        if self.json {
            let context: serde_json::Map<_, _> = error
                .context()
                .iter()
                .map(|(key, value)| (key.to_string(), value.clone().into()))
                .collect();
            let object = serde_json::json!({
                "error": { "kind": error.kind().to_string(), "message": error.message(), "context": context }
            });
            let _ = print(format_args!("{object}\n"));
        }
    }
}

/// Writes to standard output; a reader that went away (`| head`) is no failure.
fn print(text: fmt::Arguments<'_>) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_fmt(text).and_then(|()| stdout.flush()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::new(ErrorKind::Unavailable, "cannot write the result").because(e))
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

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| {
            let cells = self.rows.iter().filter_map(|r| r.get(c));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..columns).map(width).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(["name", "kind"]);
        table.row(["saxpy".into(), "grid".into()]);
        table.row(["é".into(), "map".into()]);
        assert_eq!(table.to_string(), "name   kind\nsaxpy  grid\né      map\n");
    }
}
