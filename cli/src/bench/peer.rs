//! The MPI libraries of the machine: launched, measured, read back.

use super::super::launcher::Launcher;
use super::group::Member;
use super::measure::{AllReduce, Buffer, Sample, measure_all};
use crate::{Error, Result};
use clap::Args;
use ringwood_mpi::{Library, World};
use std::io::Read;
use std::process::{Child, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What the launched processes are told.
#[derive(Args)]
pub(crate) struct PeerArgs {
    /// The file name of the MPI library.
    #[arg(long)]
    library: String,
    #[arg(long, value_delimiter = ',')]
    bytes: Vec<usize>,
    #[arg(long)]
    budget: u64,
    /// Measures a group over MPI as well, before MPI itself.
    #[arg(long)]
    group: bool,
}

impl Launcher {
    /// Measures the all-reduce of this library.
    ///
    /// # Errors
    /// It is not installed ([`ErrorKind::Unavailable`]), fails, or does not end in time.
    pub(super) fn run(
        &self,
        ranks: usize,
        bytes: &[usize],
        budget: Duration,
    ) -> Result<Vec<Sample>> {
        self.figures(ranks, bytes, budget, &[])
    }

    /// Measures the all-reduce of a group over this library, and that of the library.
    pub(super) fn run_beside(
        &self,
        ranks: usize,
        bytes: &[usize],
        budget: Duration,
    ) -> Result<[Vec<Sample>; 2]> {
        let mut ours = self.figures(ranks, bytes, budget, &["--group"])?;
        let theirs = ours.split_off(bytes.len());
        Ok([ours, theirs])
    }

    fn figures(
        &self,
        ranks: usize,
        bytes: &[usize],
        budget: Duration,
        options: &[&str],
    ) -> Result<Vec<Sample>> {
        let bytes: Vec<_> = bytes.iter().map(ToString::to_string).collect();
        let program = std::env::current_exe().map_err(|e| self.failed("no path", Some(e)))?;
        let budget = budget.as_millis().to_string();
        let mut command = self.command(ranks);
        command.arg(program);
        command.args(["bench", "peer", "--library", self.library]);
        command.args(["--bytes", &bytes.join(","), "--budget", &budget]).args(options);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|cause| {
            let message = format!("{}: `{}` cannot be started", self.name, self.program);
            Error::unavailable(message).because(cause)
        })?;
        let text = self.finish(child)?;
        let line = text.lines().find(|line| line.starts_with('[')).unwrap_or_default();
        serde_json::from_str(line).map_err(|_| self.failed("printed no figures", None))
    }

    /// Waits for the processes, with a bound, and gives what they printed.
    fn finish(&self, mut child: Child) -> Result<String> {
        let stdout = child.stdout.take().map(drain);
        let stderr = child.stderr.take().map(drain);
        let deadline = Instant::now() + LIMIT;
        let status = loop {
            match child.try_wait().map_err(|e| self.failed("cannot be waited for", Some(e)))? {
                Some(status) => break status,
                None if Instant::now() < deadline => thread::sleep(Duration::from_millis(20)),
                None => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(Error::timeout(format!("{} did not end in {LIMIT:?}", self.name)));
                }
            }
        };
        let text = |reader: Option<thread::JoinHandle<String>>| {
            reader.and_then(|thread| thread.join().ok()).unwrap_or_default()
        };
        let (stdout, stderr) = (text(stdout), text(stderr));
        if status.success() {
            return Ok(stdout);
        }
        let last =
            stderr.lines().find(|l| l.starts_with("error")).unwrap_or("no error was printed");
        Err(self.failed(&format!("ended with {status}: {last}"), None))
    }

    fn failed(&self, why: &str, cause: Option<std::io::Error>) -> Error {
        let error = Error::unavailable(format!("{}: {why}", self.name));
        match cause {
            Some(cause) => error.because(cause),
            None => error,
        }
    }
}

/// How long the processes of a library may take.
const LIMIT: Duration = Duration::from_secs(180);

pub(super) fn drain(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut text = Vec::new();
        // What was read before a failure still tells something.
        let _ = from.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    })
}

/// Runs in each process that a launcher started; rank 0 prints the figures.
pub(super) fn run(args: &PeerArgs) -> Result<ExitCode> {
    let mut world = World::init(Library::open(Some(&args.library))?)?;
    let budget = Duration::from_millis(args.budget);
    world.barrier()?;
    let mut samples = Vec::new();
    if args.group {
        let mut member = Member { communicator: &world.communicator()?, algorithm: None };
        samples = measure_all(&mut member, &args.bytes, budget)?;
    }
    samples.extend(measure_all(&mut world, &args.bytes, budget)?);
    if world.rank() == 0 {
        println!("{}", serde_json::json!(samples));
    }
    Ok(ExitCode::SUCCESS)
}

impl AllReduce for World {
    fn rank(&self) -> usize {
        World::rank(self)
    }

    fn ranks(&self) -> usize {
        self.size()
    }

    fn buffer(&self, elements: usize) -> Result<Buffer> {
        Ok(Box::new(vec![0.0; elements]))
    }

    fn sum(&mut self, data: &mut [f32]) -> Result<()> {
        World::sum(self, data)
    }
}
