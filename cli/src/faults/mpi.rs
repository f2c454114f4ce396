//! Cases over MPI: jobs of a launcher, whose rank 0 puts the fault in and whose other ranks are the workers.
//!
//! A fault that ends the job may end rank 0 before it has said anything: what the launcher prints counts then.

use super::case::{Case, Seen, Verdict, WORKERS, matches_one};
use super::run::RESULT;
use super::system::{self, MARKED};
use crate::Result;
use crate::launcher::Launcher;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, SystemTime};
use std::{fs, io};

/// The ranks of a job: the controller and its workers.
pub(super) const RANKS: usize = WORKERS + 1;

impl Launcher {
    /// Whether it is installed.
    pub(super) fn is_there(&self) -> bool {
        Command::new(self.program).arg("--version").output().is_ok()
    }
}

/// The variables by which launchers tell a rank.
const RANK: [&str; 2] = ["OMPI_COMM_WORLD_RANK", "PMI_RANK"];

/// The process of a rank of this job.
pub(super) fn process_of(rank: usize) -> Option<u32> {
    let is = |process: &u32| RANK.iter().any(|name| system::has(*process, name, &rank.to_string()));
    let job = std::env::var(MARKED).unwrap_or_default();
    // What a rank has started has its variables, too.
    let program = |process: &u32| system::runs(*process, "--case");
    system::marked(&job).into_iter().filter(is).find(program)
}

/// The process that has started this job.
pub(super) fn launcher() -> u32 {
    let job = system::marked(&std::env::var(MARKED).unwrap_or_default());
    let above = |process: &u32| system::parent(*process).filter(|parent| job.contains(parent));
    std::iter::successors(Some(std::process::id()), above).last().unwrap_or(0)
}

/// Does something while the workers are at work; what is to be said names a process.
pub(super) fn at_work(case: &Case, strike: impl FnOnce(), process: u32) -> Result<Seen> {
    let session = case.session()?;
    let doing = case.doing(&session)?;
    std::thread::sleep(Duration::from_millis(300));
    case.strikes(process);
    strike();
    // Rank 0 ends with the job.
    std::thread::sleep(Duration::from_secs(60));
    drop(doing);
    Ok(Seen::default())
}

/// Variables of ranks begin so.
const OF_RANKS: [&str; 5] = ["OMPI_", "PMI", "PRTE_", "MPI_LOCAL", "HYD"];

/// What a launcher starts a job with, also where this process is a rank itself. It keeps its own files in a folder: what
/// one leaves that was killed is not of the case, and another launcher's is not removed by it.
///
/// # Errors
/// The folder cannot be made.
pub(super) fn prepare(command: &mut Command, folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)?;
    let of_ranks = |name: &String| OF_RANKS.iter().any(|start| name.starts_with(start));
    for name in std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()) {
        if of_ranks(&name) {
            command.env_remove(name);
        }
    }
    for name in ["OMPI_MCA_orte_tmpdir_base", "OMPI_MCA_btl_vader_backing_directory"] {
        command.env(name, folder);
    }
    Ok(())
}

/// Where a job notes that the fault was put in, and what is to be said.
fn note(result: &Path) -> PathBuf {
    result.with_extension("struck")
}

/// The fault is put in now.
pub(super) fn strikes(says: &str) {
    // Without a note the case counts as one that was never struck.
    let _ = fs::write(note(Path::new(&std::env::var_os(RESULT).unwrap_or_default())), says);
}

/// What came of a job that was to end: what rank 0 says of it, else its launcher.
pub(super) fn ended(
    said: Option<Verdict>,
    status: ExitStatus,
    printed: &str,
    result: &Path,
) -> Verdict {
    let text = format!("{status}\n{printed}");
    let note = note(result);
    let Ok(says) = fs::read_to_string(&note) else { return Verdict { text, ..Verdict::default() } };
    let struck = fs::metadata(note).and_then(|note| note.modified()).ok();
    let took = struck.and_then(|struck| SystemTime::now().duration_since(struck).ok());
    let named = matches_one(&text, &says);
    let failed = !status.success();
    let said = said.map(|said| Verdict { detected: said.detected && failed, ..said });
    // A launcher that was told to end may call that a success.
    let detected = failed || named;
    let said = said.unwrap_or(Verdict { detected, named, text, ..Verdict::default() });
    Verdict { seconds: took.unwrap_or(Duration::MAX).as_secs_f64(), ..said }
}
