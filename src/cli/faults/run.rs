//! The processes of the cases.

use super::case::{Case, Verdict};
use super::table::Row;
use super::{FaultsArgs, KINDS, ROWS, system};
use crate::cli::output::Output;
use crate::{Error, ErrorKind, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// One case as its parent sees it.
pub(super) struct Outcome {
    pub(super) row: usize,
    pub(super) phase: usize,
    pub(super) kind: usize,
    pub(super) hung: bool,
    pub(super) verdict: Verdict,
}

/// The variable that says where a case writes what came of it.
const RESULT: &str = "RINGWOOD_FAULT_RESULT";
/// What a case takes beside its fault: the sessions before and after it.
const BESIDE: Duration = Duration::from_secs(60);

/// Is a case: what came of it goes to the file that its parent reads.
pub(super) fn serve(case: &Case) -> Result<ExitCode> {
    let verdict = serde_json::to_string(&case.judge()).unwrap_or_default();
    let place = std::env::var_os(RESULT).unwrap_or_default();
    fs::write(place, verdict).map_err(|cause| unwritable("what came of a case", cause))?;
    Ok(ExitCode::SUCCESS)
}

fn unwritable(what: &str, cause: std::io::Error) -> Error {
    Error::new(ErrorKind::Unavailable, format!("cannot write {what}")).because(cause)
}

/// Runs all cases of some rows, side by side, as most of them wait.
pub(super) fn all(
    rows: &[&'static Row],
    args: &FaultsArgs,
    output: &Output,
) -> Result<Vec<Outcome>> {
    let mut cases = Vec::new();
    for trial in 0..args.repeat {
        for (number, row) in ROWS.iter().enumerate() {
            let kinds = KINDS.iter().enumerate().filter(|(_, kind)| {
                args.sessions.iter().any(|s| s == *kind) && row.not_on(kind).is_none()
            });
            if rows.iter().any(|chosen| std::ptr::eq(*chosen, row)) {
                cases.extend(kinds.flat_map(|(kind, _)| {
                    (0..row.phases.len()).map(move |phase| (number, phase, kind, trial))
                }));
            }
        }
    }
    // Those that wait longest begin first.
    cases.sort_by_key(|&(row, ..)| std::cmp::Reverse(ROWS[row].bound));
    let cores = thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let jobs = args.jobs.unwrap_or(3 * cores).max(1).min(cases.len());
    let folder = std::env::temp_dir().join(format!("ringwood-faults-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|cause| unwritable("temporary files", cause))?;
    let bar = output.progress(cases.len());
    let (next, outcomes) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(&what) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = one(what, args, &folder);
                    outcomes.lock().unwrap_or_else(PoisonError::into_inner).push(outcome);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let _ = fs::remove_dir_all(&folder);
    Ok(outcomes.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Runs one case in a process of its own, and counts what it leaves.
fn one(what: (usize, usize, usize, u64), args: &FaultsArgs, folder: &Path) -> Outcome {
    let (row, phase, kind, trial) = what;
    let name = format!("{row}|{phase}|{kind}|{trial}");
    let mark = format!("{}|{name}", std::process::id());
    let (result, own) = (folder.join(format!("{name}.json")), folder.join(&name));
    let mut outcome = Outcome { row, phase, kind, hung: false, verdict: Verdict::default() };
    let started =
        fs::create_dir(&own).and_then(|()| start(&ROWS[row], &name, &mark, &own, &result, args));
    let mut child = match started {
        Ok(child) => child,
        Err(cause) => {
            outcome.verdict.text = format!("the case does not start: {cause}");
            return outcome;
        }
    };
    let until = Instant::now() + Duration::from_millis(ROWS[row].bound) + BESIDE;
    let status = loop {
        match child.try_wait() {
            Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(5)),
            Ok(None) => {
                outcome.hung = true;
                system::marked(&mark)
                    .into_iter()
                    .for_each(|process| system::signal(process, "KILL"));
                let _ = child.wait();
                break "it did not end".to_owned();
            }
            Ok(Some(status)) => break status.to_string(),
            Err(cause) => break cause.to_string(),
        }
    };
    let verdict = fs::read_to_string(result).ok().and_then(|text| serde_json::from_str(&text).ok());
    outcome.verdict = verdict.unwrap_or_else(|| Verdict { text: status, ..Verdict::default() });
    outcome.verdict.leaks.extend(left(&mark, own));
    outcome
}

fn start(
    row: &Row,
    name: &str,
    mark: &str,
    own: &Path,
    result: &Path,
    args: &FaultsArgs,
) -> std::io::Result<Child> {
    // Limits are those of the shell that becomes the case.
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{} exec \"$0\" \"$@\"", row.limits)]);
    command.arg(std::env::current_exe()?).args(["faults", "--threads", "1", "--case", name]);
    command.args(args.long.then_some("--long"));
    command.env(system::MARKED, mark).env("TMPDIR", own).env(RESULT, result);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// What a case has left, in words; processes are ended.
fn left(mark: &str, own: PathBuf) -> Vec<String> {
    system::until(Duration::from_secs(2), || system::marked(mark).is_empty());
    let processes = system::marked(mark);
    for &process in &processes {
        system::signal(process, "KILL");
    }
    let processes = processes.iter().map(|process| format!("process {process}"));
    let files = fs::read_dir(own).into_iter().flatten().flatten();
    let files = files.map(|file| format!("file {}", file.file_name().display()));
    processes.chain(files).collect()
}
