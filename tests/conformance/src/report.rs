//! The matrix of outcomes.

use serde::Serialize;
use std::fmt;

/// What came of one case on one device and kind of stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "outcome", content = "reason")]
pub enum Outcome {
    /// The device did what the case asks for.
    Passed,
    /// The case does not apply, for this reason.
    Skipped(String),
    /// The case fails and always will, for this reason.
    Unsupported(String),
    /// The case fails for now, for this reason.
    ExpectedFailure(String),
    /// The case failed, with this text.
    Failed(String),
}

/// One cell of the matrix.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// The group of the case.
    pub suite: &'static str,
    /// The case.
    pub case: &'static str,
    /// The device, as in `mychip:0`.
    pub device: String,
    /// The kind of stream; empty on a device without streams.
    pub stream: String,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// How long it took.
    pub seconds: f64,
}

/// The matrix of outcomes. `Display` prints it as a table, with the reasons below.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The cells, by device, kind of stream, suite and case.
    pub cells: Vec<Cell>,
    /// The backends that were not run, each with the reason.
    pub absent: Vec<(String, String)>,
    /// What failed outside of the cells: a required backend, a list that names no case.
    pub problems: Vec<String>,
}

impl Outcome {
    fn mark(&self) -> &'static str {
        match self {
            Outcome::Passed => "ok",
            Outcome::Skipped(_) => "skip",
            Outcome::Unsupported(_) => "unsup",
            Outcome::ExpectedFailure(_) => "xfail",
            Outcome::Failed(_) => "FAIL",
        }
    }

    fn reason(&self) -> Option<&str> {
        match self {
            Outcome::Passed => None,
            Outcome::Skipped(reason)
            | Outcome::Unsupported(reason)
            | Outcome::ExpectedFailure(reason)
            | Outcome::Failed(reason) => Some(reason),
        }
    }
}

impl Report {
    /// Whether nothing failed.
    pub fn passed(&self) -> bool {
        self.problems.is_empty() && self.count("FAIL") == 0
    }

    /// The counts in one line.
    pub fn summary(&self) -> String {
        let counts = [
            ("ok", "passed"),
            ("skip", "skipped"),
            ("unsup", "unsupported"),
            ("xfail", "expected failures"),
            ("FAIL", "failed"),
        ];
        let counts = counts.map(|(mark, name)| format!("{} {name}", self.count(mark)));
        let absent = self.absent.iter().map(|(name, why)| format!("; {name} skipped: {why}"));
        counts.join(", ") + &absent.collect::<String>()
    }

    fn count(&self, mark: &str) -> usize {
        self.cells.iter().filter(|c| c.outcome.mark() == mark).count()
    }

    fn fmt_matrix(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = unique(self.cells.iter().map(column));
        let rows = unique(self.cells.iter().map(|c| (c.suite, c.case)));
        let width = rows.iter().map(|(_, case)| case.len() + 2).max().unwrap_or(0);
        writeln!(f, "{:width$}  {}", "", columns.join("  "))?;
        let mut suite = "";
        for (of, case) in rows {
            if of != suite {
                writeln!(f, "{of}")?;
                suite = of;
            }
            let mut line = format!("  {case:<w$}", w = width - 2);
            for title in &columns {
                let cell = self.cells.iter().find(|c| c.case == case && column(c) == *title);
                let mark = cell.map_or("", |c| c.outcome.mark());
                line += &format!("  {mark:<w$}", w = title.len());
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Each reason once, with the cells that it belongs to.
    fn fmt_reasons(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = |c: &Cell| (c.outcome.mark(), c.outcome.reason().map(String::from));
        for (mark, reason) in unique(self.cells.iter().map(key)) {
            let Some(reason) = reason else { continue };
            let same = |c: &&Cell| c.outcome.mark() == mark && c.outcome.reason() == Some(&reason);
            let names = unique(self.cells.iter().filter(same).map(|c| {
                let mut of_suite = self.cells.iter().filter(|other| other.suite == c.suite);
                if of_suite.all(|other| same(&other)) { c.suite } else { c.case }
            }));
            let columns = unique(self.cells.iter().filter(same).map(column));
            writeln!(f, "{mark}: {} on {}: {reason}", names.join(", "), columns.join(", "))?;
        }
        Ok(())
    }
}

/// The title of a cell's column.
fn column(cell: &Cell) -> String {
    format!("{} {}", cell.device, cell.stream).trim_end().into()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.cells.is_empty() {
            self.fmt_matrix(f)?;
            self.fmt_reasons(f)?;
        }
        for problem in &self.problems {
            writeln!(f, "FAIL: {problem}")?;
        }
        writeln!(f, "{}", self.summary())
    }
}

/// The different values, in order of first appearance.
fn unique<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut unique = Vec::new();
    for value in values {
        if !unique.contains(&value) {
            unique.push(value);
        }
    }
    unique
}
