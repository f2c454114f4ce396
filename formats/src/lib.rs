//! Execution plans in and out: MSCCL XML, MSCCL++ JSON, Chakra traces, and drawings of schedules.
//!
//! | format | in | out |
//! |---|---|---|
//! | MSCCL XML | [`msccl::read`] | [`msccl::write`] |
//! | MSCCL++ JSON | [`mscclpp::read`] | |
//! | Chakra execution traces | | [`chakra::write`] |
//! | SVG | | [`draw::svg`] |
//!
//! What is read becomes an [`ExecutionPlan`]: several lanes for each rank, with everything that
//! orders them. [`check`] proves it at that level, [`lower()`] makes it a schedule, and
//! [`Imported`] is a collective that any group runs.

#![forbid(unsafe_code)]

pub mod chakra;
#[doc(hidden)]
pub mod doc;
pub mod draw;
mod error;
mod imported;
mod lower;
mod moves;
pub mod msccl;
pub mod mscclpp;
mod text;
mod timeline;
mod touched;

pub use imported::Imported;
pub use lower::lower;
pub use ringwood_schedule::plan::{self, ExecutionPlan, Goal};
pub use ringwood_schedule::{Model, Packets, Relaxed, Report, verify_plan as check};

use ringwood_base::{Error, Result};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads a plan from a file; see [`read`].
///
/// # Errors
/// The file cannot be read, or the error of [`read`], with the path.
pub fn read_file(path: &Path) -> Result<ExecutionPlan> {
    read(&read_bytes(path)?).map_err(|e| e.with("file", path.display()))
}

/// The bytes of a file, up to one more than a plan may have.
///
/// # Errors
/// The file cannot be read, or is none: a pipe may have nobody who ever writes to it.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let unreadable = |e| Error::not_found(format!("cannot read {}", path.display())).because(e);
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(Error::unsupported(format!("{} is not a file", path.display()))
            .help("plans are read from regular files: write what a pipe has to one"));
    }
    let most = text::MOST_BYTES as u64;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

/// Reads a plan in any format that can be read; the first character tells which it is.
///
/// # Errors
/// The file is neither XML nor JSON, or the error of its reader.
pub fn read(bytes: &[u8]) -> Result<ExecutionPlan> {
    text::check_length(bytes.len())?;
    let text = std::str::from_utf8(bytes)
        .map_err(|e| Error::invalid("a plan file is UTF-8 text").because(e))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.trim_start().chars().next() {
        Some('<') => msccl::read(text),
        Some('{') => mscclpp::read(text),
        _ => Err(Error::invalid("a plan file begins with `<` or `{`")
            .help("plans are MSCCL XML or MSCCL++ JSON")),
    }
}
