//! The processes of the cases.

use super::case::{Case, Verdict};
use super::keeper::Keeper;
use super::kind::{KINDS, Kind};
use super::table::Row;
use super::{FaultsArgs, ROWS, mpi, system};
use crate::output::Output;
use crate::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use std::{fs, io};

/// One case as its parent sees it.
pub(super) struct Outcome {
    pub(super) row: usize,
    pub(super) phase: usize,
    pub(super) kind: &'static Kind,
    pub(super) hung: bool,
    pub(super) verdict: Verdict,
}

/// The variable that says where a case writes what came of it.
pub(super) const RESULT: &str = "RINGWOOD_FAULT_RESULT";
/// What a case takes beside its fault: the sessions before and after it.
const BESIDE: Duration = Duration::from_secs(60);

/// Is a case: what came of it goes to the file that its parent reads.
pub(super) fn serve(case: &Case) -> Result<ExitCode> {
    // A fault of the case's limits is there from the start.
    case.strikes(0);
    // It ends the job where the fault does.
    let world = case.kind.launcher.map(|_| ringwood_mpi::init()).transpose()?;
    if world.as_ref().is_some_and(|world| world.rank() > 0) {
        // A worker ends in there.
        return case.session().map(|_| ExitCode::FAILURE);
    }
    let verdict = serde_json::to_string(&case.judge()).unwrap_or_default();
    let place = std::env::var_os(RESULT).unwrap_or_default();
    let failed = |cause| Error::unavailable("cannot write what came of a case").because(cause);
    fs::write(place, verdict).map_err(failed)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs all cases of some rows, side by side, as most of them wait.
pub(super) fn all(
    rows: &[&'static Row],
    kinds: &[&'static Kind],
    args: &FaultsArgs,
    output: &Output,
) -> Result<Vec<Outcome>> {
    let mut cases = Vec::new();
    for trial in 0..args.repeat {
        for (number, row) in ROWS.iter().enumerate() {
            let chosen = |kind: &Kind| kinds.iter().any(|one| std::ptr::eq(*one, kind));
            let kinds = KINDS.iter().enumerate();
            let kinds = kinds.filter(|(_, kind)| chosen(kind) && row.not_on(kind).is_none());
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
    // Ranks that wait take a core each.
    let each = if kinds.iter().any(|kind| kind.launcher.is_some()) { 1 } else { 3 };
    let jobs = args.jobs.map_or(each * cores, |jobs| jobs as usize).min(cases.len());
    let keeper = Keeper::start()?;
    let bar = output.progress(cases.len());
    let (next, outcomes) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(&what) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = one(what, args, keeper.folder());
                    outcomes.lock().unwrap_or_else(PoisonError::into_inner).push(outcome);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    Ok(outcomes.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Runs one case in a process of its own, and counts what it leaves.
fn one(what: (usize, usize, usize, u64), args: &FaultsArgs, folder: &Path) -> Outcome {
    let (row, phase, kind, trial) = what;
    let name = format!("{row}|{phase}|{kind}|{trial}");
    let (row_number, kind) = (row, &KINDS[kind]);
    let row = &ROWS[row];
    let mark = format!("{}|{name}|", std::process::id());
    let place = Place { result: folder.join(format!("{name}.json")), own: folder.join(&name) };
    let started = place.start(row, kind, &name, &mark, args);
    let (verdict, hung) = match started {
        Ok(child) => place.verdict(child, &mark, row, kind),
        Err(cause) => {
            let text = format!("the case does not start: {cause}");
            (Verdict { text, ..Verdict::default() }, false)
        }
    };
    Outcome { row: row_number, phase, kind, hung, verdict }
}

/// Where a case writes.
struct Place {
    result: PathBuf,
    /// Its temporary files.
    own: PathBuf,
}

impl Place {
    fn start(
        &self,
        row: &Row,
        kind: &Kind,
        name: &str,
        mark: &str,
        args: &FaultsArgs,
    ) -> io::Result<Child> {
        fs::create_dir(&self.own)?;
        let printed = fs::File::create(self.printed())?;
        // Limits are those of the shell that becomes the case, or a rank of it.
        let mut command = match kind.launcher {
            None => Command::new("sh"),
            Some(launcher) => {
                let mut command = launcher.command(mpi::RANKS);
                mpi::prepare(&mut command, &self.result.with_extension("mpi"))?;
                command.arg("sh");
                command
            }
        };
        command.args(["-c", &format!("{} exec \"$0\" \"$@\"", row.limits)]);
        command.arg(std::env::current_exe()?).args(["faults", "--threads", "1", "--case", name]);
        command.args(args.long.then_some("--long"));
        // What a program shows of its stack as it ends takes longer than its end.
        command.env("RUST_BACKTRACE", "0");
        command.env(system::MARKED, mark).env("TMPDIR", &self.own).env(RESULT, &self.result);
        command.stdin(Stdio::null()).stdout(printed.try_clone()?).stderr(printed).spawn()
    }

    fn printed(&self) -> PathBuf {
        self.result.with_extension("txt")
    }

    /// What came of it when it has ended, and whether it had to be ended.
    fn verdict(&self, mut child: Child, mark: &str, row: &Row, kind: &Kind) -> (Verdict, bool) {
        let until = Instant::now() + row.bound_on(kind) + BESIDE;
        let mut hung = false;
        let status = loop {
            match child.try_wait() {
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(5)),
                Ok(None) => {
                    hung = true;
                    kill(&system::marked(mark));
                    break child.wait();
                }
                Ok(Some(status)) => break Ok(status),
                Err(cause) => break Err(cause),
            }
        };
        let said = fs::read_to_string(&self.result).ok();
        let said: Option<Verdict> = said.and_then(|text| serde_json::from_str(&text).ok());
        let printed = fs::read_to_string(self.printed()).unwrap_or_default();
        let mut verdict = match status {
            Ok(status) if kind.launcher.is_some() && row.job.is_some() => {
                mpi::ended(said, status, &printed, &self.result)
            }
            status => said.unwrap_or_else(|| Verdict {
                text: status.map_or_else(|cause| cause.to_string(), |s| format!("{s}\n{printed}")),
                ..Verdict::default()
            }),
        };
        verdict.leaks.extend(left(mark, &self.own));
        (verdict, hung)
    }
}

/// Ends processes.
pub(super) fn kill(processes: &[u32]) {
    processes.iter().for_each(|&process| system::signal(process, "KILL"));
}

/// What a case has left, in words; processes are ended.
fn left(mark: &str, own: &Path) -> Vec<String> {
    system::until(Duration::from_secs(2), || system::marked(mark).is_empty());
    let processes = system::marked(mark);
    kill(&processes);
    let processes = processes.iter().map(|process| format!("process {process}"));
    let files = fs::read_dir(own).into_iter().flatten().flatten();
    let files = files.map(|file| format!("file {}", file.file_name().display()));
    processes.chain(files).collect()
}
