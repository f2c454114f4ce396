//! The processes that a launcher started together.

use crate::engine::Engine;
use crate::launch::VARIABLE;
use crate::rendezvous::{End, part};
use crate::watch::{CODE, LAST_WORDS, PATIENCE, Watch, warn};
use crate::{Launch, Library, Mpi};
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, Result};
use ringwood_collective::resolve::Resolver;
use ringwood_collective::{Communicator, Group, GroupBuilder};
use ringwood_transport::list_ranks;
use std::cell::OnceCell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Starts MPI in a process that `mpirun`, `srun` or another launcher started: finds out which one,
/// loads the library that belongs to it, or the one that the variable `RINGWOOD_MPI` names, and checks
/// that both tell the same ranks. Without a launcher the world is this process alone.
///
/// ```no_run
/// use ringwood_schedule::ReduceOp;
///
/// let world = ringwood_mpi::init()?;
/// let comm = world.communicator()?;
/// let mut sum = [world.rank() as f32];
/// comm.all_reduce(&mut sum, ReduceOp::Sum)?;
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// The variables of a launcher are set in part; there is no library ([`ErrorKind::Unavailable`](ringwood_base::ErrorKind::Unavailable)); or
/// see [`World::init`].
pub fn init() -> Result<World> {
    // What a launcher has set reaches the processes of a session, too.
    ringwood_session::serve();
    let named = std::env::var(VARIABLE).ok().filter(|name| !name.is_empty());
    let library = match &named {
        Some(name) => Library::open(Some(name)),
        None => Library::of_launcher(Launch::of_this_process()?.launcher),
    };
    World::init(library?)
}

/// The processes that a launcher started together, seen from one of them.
///
/// Dropping it ends MPI in this process, when all others come to that, too. Where one does not come
/// within [a bound](World::patience), or within a second after a group has failed, the rest of the job
/// is ended (`MPI_Abort`, exit code 71) with a line that names who did not come: over MPI a failure ends
/// the job.
pub struct World {
    engine: Arc<Engine>,
    launch: Launch,
    patience: Duration,
    /// From the first use on.
    rendezvous: OnceCell<End>,
    /// MPI ends in the thread that initialised it.
    _thread: PhantomData<*mut ()>,
}

/// Advice for a rank that ends alone: the error of `main` is printed after what `init` gave is dropped, and that ends the job.
const UNTOLD: &str = "if `main` returns an error on this rank, it is not shown: print it before what `init` gave is dropped";

/// How long a launcher has to pass on why a job ends: Hydra drops what it has not read by then.
const PASSING: Duration = Duration::from_millis(100);

impl World {
    /// Initialises MPI in this process, for calls from any thread. Equivalent to `MPI_Init_thread`. Gives this process
    /// an equal part of the processors that it may run on for threads of kernels, unless it is given a number.
    ///
    /// Where a process does not come to that within a minute, or the launcher dies later, this one ends with exit
    /// code 71.
    ///
    /// # Errors
    /// MPI is or was in use in this process, or cannot start; or the launcher started other processes
    /// than MPI sees ([`ErrorKind::Mismatch`](ringwood_base::ErrorKind::Mismatch)): the library is not the launcher's.
    pub fn init(library: Library) -> Result<Self> {
        let launch = Launch::of_this_process()?;
        let engine = Engine::init(library, Watch::start(&launch)?)?;
        let (patience, rendezvous) = (PATIENCE, OnceCell::new());
        let world = Self { engine, launch, patience, rendezvous, _thread: PhantomData };
        let Engine { rank, size, library, .. } = &*world.engine;
        launch.check(*rank, *size, &format!("{} ({})", library.name(), library.version()))?;
        Ok(world)
    }

    /// The position of this process, from 0.
    pub fn rank(&self) -> usize {
        self.engine.rank
    }

    /// The number of processes.
    pub fn size(&self) -> usize {
        self.engine.size
    }

    /// Who started them, and which of those of its machine this process is.
    pub fn launch(&self) -> Launch {
        self.launch
    }

    /// The library.
    pub fn library(&self) -> &Library {
        &self.engine.library
    }

    /// How long [`World::barrier`], [`World::sum`] and the end of MPI wait for other processes; a minute by default.
    #[must_use]
    pub fn patience(self, patience: Duration) -> Self {
        let mut world = self;
        world.patience = patience;
        world
    }

    /// A group of all processes over MPI, to add options to and then to [join](World::join_as).
    pub fn builder(&self) -> GroupBuilder {
        Group::builder(self.size()).over(&Mpi)
    }

    /// Joins the group of all processes, with all options at their defaults. Every process does.
    ///
    /// # Errors
    /// See [`World::join_as`].
    pub fn communicator(&self) -> Result<Communicator> {
        self.join_as(self.builder())
    }

    /// Joins the group of all processes with options, which are those of every process.
    ///
    /// # Errors
    /// A process does not come within the bound for arrivals, or see [`GroupBuilder::join`].
    pub fn join_as(&self, builder: GroupBuilder) -> Result<Communicator> {
        builder.join(self.rank(), "mpi:world")
    }

    /// This rank's end of the rendezvous in rank 0, with which it resolves groups, instances and steps; the same each
    /// time. Rank 0 serves the others from its own first use on until they have dropped their worlds.
    ///
    /// # Errors
    /// There is no thread for it.
    pub fn resolver(&self) -> Result<Resolver> {
        if let Some(end) = self.rendezvous.get() {
            return Ok(end.resolver());
        }
        let end = End::open(&self.engine)?;
        Ok(self.rendezvous.get_or_init(|| end).resolver())
    }

    /// Waits for all processes. Equivalent to `MPI_Barrier`. Where they do not come [in time](World::patience), the job ends
    /// with exit code 71.
    ///
    /// # Errors
    /// MPI reports a failure.
    pub fn barrier(&self) -> Result<()> {
        self.engine.barrier(self.patience)
    }

    /// Replaces the elements of every process by their sum, by MPI itself: bounded as [`World::barrier`], and without
    /// a check that all call the same. Equivalent to `MPI_Allreduce` with `MPI_IN_PLACE`, `MPI_FLOAT`
    /// and `MPI_SUM`.
    ///
    /// # Errors
    /// MPI reports a failure, or `data` has 2^31 elements or more.
    pub fn sum(&self, data: &mut [f32]) -> Result<()> {
        self.engine.sum(data, self.patience)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let end = deadline(patience(&self.engine, self.patience));
        part(&self.engine, self.rendezvous.take(), end);
        leave(&self.engine, end.saturating_duration_since(Instant::now()));
    }
}

/// How long others are waited for: not at length after a failure.
fn patience(engine: &Engine, most: Duration) -> Duration {
    let failed = thread::panicking() || engine.failure().is_some();
    if failed { LAST_WORDS.min(most) } else { most }
}

/// Ends MPI in this process, when all others come to that, or else the job.
pub(crate) fn leave(engine: &Engine, patience: Duration) {
    let (rank, size) = (engine.rank, engine.size);
    let outcome = match engine.farewell(deadline(self::patience(engine, patience))) {
        Ok(absent) if absent.is_empty() => engine.finalize(),
        Ok(absent) => {
            let who = list_ranks(&absent);
            let message = format!("{who} of {size} did not come to the end of MPI in time");
            let error = Error::timeout(message);
            Err(match engine.failure() {
                Some(cause) => error.because(cause),
                None => error.help(UNTOLD),
            })
        }
        Err(error) => Err(error),
    };
    if let Err(error) = outcome {
        warn(format_args!("rank {rank} of {size} ends the job: {error}"));
        thread::sleep(PASSING);
        engine.abort(CODE);
    }
}
