//! Execution plans as arguments: files of other systems in the place of a collective's name.

use super::named;
use super::output::Output;
use crate::collective::{CollectiveDef, Params, Schedule, Verdict};
use crate::formats::plan::Goal;
use crate::formats::{self, Imported, Model, Packets, Relaxed, Report};
use crate::{Error, ErrorKind, Result};
use serde::Serialize;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// The most ranks whose steps are all held in memory.
const MOST_RANKS: usize = 1024;

#[derive(Serialize)]
struct Outcome<'a> {
    reports: Vec<Report>,
    verdicts: Vec<&'a Verdict>,
}

#[derive(Serialize)]
struct Files {
    files: Vec<Written>,
}

/// A file that was written.
#[derive(Serialize)]
struct Written {
    file: String,
    bytes: usize,
}

/// Whether an argument is a file: names of collectives have neither dots nor slashes.
pub(super) fn is_file(name: &str) -> bool {
    name.contains(['.', '/', '\\'])
}

/// Checks a plan at the level of its file, and proves what it is lowered to.
pub(super) fn verify(path: &str, model: Model, output: &Output) -> Result<ExitCode> {
    let plan = formats::read_file(Path::new(path))?;
    let mut reports = Vec::new();
    for &mode in &plan.modes {
        let report = formats::check(&plan, mode, model)?;
        output.note(&report);
        reports.push(report);
    }
    let right = reports.iter().all(Report::ok);
    let imported = match plan.goal {
        Goal::Operation(_) if right => Some(Imported::with(&plan, model)?),
        _ => None,
    };
    let verdicts: Vec<_> = imported.iter().flat_map(Imported::verdicts).collect();
    verdicts.iter().for_each(|verdict| output.note(format_args!("as a schedule: {verdict}")));
    output.object(&Outcome { reports, verdicts })?;
    Ok(if right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The schedule of a registered collective for `ranks`, or of a plan's file for its own ranks.
pub(super) fn schedule(
    name: &str,
    ranks: Option<usize>,
    output: &Output,
) -> Result<(Schedule, Params)> {
    if !is_file(name) {
        let collective = named::find::<CollectiveDef>(name, output)?.collective;
        if let Some(ranks) = ranks.filter(|&ranks| ranks > MOST_RANKS) {
            let message = format!("a schedule of {ranks} ranks is not held in memory");
            return Err(Error::new(ErrorKind::Unsupported, message)
                .help(format!("choose at most {MOST_RANKS}; `ringwood simulate` takes more")));
        }
        let params = Params::new(&collective.describe(), ranks.unwrap_or(8))?;
        return Ok((Schedule::of(collective, &params)?, params));
    }
    let plan = Imported::new(&formats::read_file(Path::new(name))?)?;
    if let Some(ranks) = ranks.filter(|&ranks| ranks != plan.ranks()) {
        let message = format!("{name} is for {} ranks, not for {ranks}", plan.ranks());
        return Err(Error::new(ErrorKind::Unsupported, message).help("leave `--ranks` out"));
    }
    let (schedule, params) = plan.schedules().next().expect("a plan has a buffer mode");
    Ok((schedule.clone(), params.clone()))
}

/// Writes files and says so.
pub(super) fn write(files: &[(String, &[u8])], output: &Output) -> Result<ExitCode> {
    let mut written = Vec::new();
    for (file, contents) in files {
        fs::write(file, contents).map_err(|e| {
            Error::new(ErrorKind::Unavailable, format!("cannot write {file}")).because(e)
        })?;
        output.note(format_args!("wrote {file}, {} bytes", contents.len()));
        written.push(Written { file: file.clone(), bytes: contents.len() });
    }
    output.object(&Files { files: written })?;
    Ok(ExitCode::SUCCESS)
}

/// Parses what relaxed signals order.
pub(super) fn relaxed(text: &str) -> Result<Relaxed, String> {
    match text {
        "execution" => Ok(Relaxed::Execution),
        "memory" => Ok(Relaxed::Memory),
        _ => Err("it is `execution` or `memory`".into()),
    }
}

/// Parses what packets order.
pub(super) fn packets(text: &str) -> Result<Packets, String> {
    match text {
        "reads" => Ok(Packets::Reads),
        "memory" => Ok(Packets::Memory),
        _ => Err("it is `reads` or `memory`".into()),
    }
}
