//! Groups: the ranks that call collectives together.

mod model;
mod split;
mod text;

use super::calibration::cost_model;
use super::communicator::{Parts, Shared};
use super::{Communicator, Turns};
use ringwood_base::registry::Registry;
use ringwood_base::sync::cores;
use ringwood_base::{Error, Result};
use ringwood_schedule::{Arrangement, CostModel, Order, Rank, Selector, Setting};
use ringwood_transport::{Bootstrap, Bounds, Failure, PeerMemory, Transport, TransportDef};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// Groups of ranks: threads of this process, or processes.
pub struct Group;

/// The largest group inside a process: each of its ranks is a thread.
const MOST_RANKS: usize = 1 << 16;

impl Group {
    /// One communicator for each of `n` ranks, to be moved to their threads, with all options at
    /// their defaults.
    ///
    /// # Errors
    /// See [`GroupBuilder::open`].
    pub fn in_process(n: usize) -> Result<Vec<Communicator>> {
        Self::builder(n).open()
    }

    /// A group of `n` ranks with options.
    pub fn builder(n: usize) -> GroupBuilder {
        GroupBuilder {
            ranks: n,
            registry: None,
            transport: Choice::Default,
            bounds: Bounds::default(),
            model: None,
            agreed: false,
            order: None,
            arrangement: Arrangement::default(),
            whole: None,
        }
    }
}

/// The options of a group; see [`Group::builder`].
#[derive(Clone)]
#[must_use]
pub struct GroupBuilder {
    ranks: usize,
    registry: Option<Arc<Registry>>,
    transport: Choice,
    bounds: Bounds,
    model: Option<CostModel>,
    /// All ranks have the model already.
    agreed: bool,
    order: Option<Order>,
    arrangement: Arrangement,
    /// The failure of the group that this one is a part of, and which ranks it has there.
    whole: Option<(Arc<Failure>, String)>,
}

/// The transport asked for.
#[derive(Clone)]
enum Choice {
    Default,
    Named(String),
    Given(&'static dyn Transport),
}

impl GroupBuilder {
    /// Where algorithms, merge kernels and transports are looked up; [`Registry::global`] by
    /// default.
    pub fn registry(self, registry: impl Into<Arc<Registry>>) -> Self {
        Self { registry: Some(registry.into()), ..self }
    }

    /// The registered transport of this name; peer memory by default.
    pub fn transport(self, name: &str) -> Self {
        Self { transport: Choice::Named(name.to_owned()), ..self }
    }

    /// This transport, registered or not.
    pub fn over(self, transport: &'static dyn Transport) -> Self {
        Self { transport: Choice::Given(transport), ..self }
    }

    /// How long a call waits for all ranks to arrive, and how long it may take from then on; one
    /// minute each by default.
    pub fn timeout(self, timeout: Duration) -> Self {
        self.bounds(Bounds { arrival: timeout, execution: timeout })
    }

    /// [`GroupBuilder::timeout`] with two different bounds.
    pub fn bounds(self, bounds: Bounds) -> Self {
        Self { bounds, ..self }
    }

    /// What steps cost, by which calls choose their algorithm; by default what was measured on this
    /// machine, or else assumed: see [`calibrate`](super::calibrate). That of rank 0 holds for the group:
    /// ranks in other processes get it as they join, unless their transport, which is none of this
    /// crate's, has no messages between two ranks; then all must have the same.
    pub fn cost_model(self, model: CostModel) -> Self {
        Self { model: Some(model), ..self }
    }

    /// What calls of a group over this transport choose by, as text: for [`GroupBuilder::agreed_model`].
    ///
    /// # Errors
    /// See [`GroupBuilder::open`].
    #[doc(hidden)]
    pub fn model_text(self) -> Result<String> {
        let (_, _, shared) = self.begin(false)?;
        serde_json::to_string(&*shared.selector.setting().model)
            .map_err(|cause| Error::invalid("no text of a cost model").because(cause))
    }

    /// The cost model that whoever starts the ranks has given to each of them: they need not agree on it.
    ///
    /// # Errors
    /// The text is none of a cost model.
    #[doc(hidden)]
    pub fn agreed_model(self, text: &str) -> Result<Self> {
        let model = model::read(text.as_bytes())?;
        Ok(Self { model: Some(model), agreed: true, ..self })
    }

    /// Fixes the order of merges for all calls; see [`Call::order`](super::Call::order).
    pub fn order(self, order: Order) -> Self {
        Self { order: Some(order), ..self }
    }

    /// In which tasks and on which rings the ranks are, for the algorithms that heed it. All ranks must
    /// have the same. By default what the transport knows: over MPI, which ranks share a machine.
    pub fn arrangement(self, arrangement: Arrangement) -> Self {
        Self { arrangement, ..self }
    }

    /// One communicator for each rank, to be moved to their threads.
    ///
    /// # Errors
    /// There are no ranks or more than 65,536 or not as many as arranged, the transport is unknown or cannot connect them, or the linked crates
    /// register two items under one name.
    pub fn open(self) -> Result<Vec<Communicator>> {
        let (n, transport, shared) = self.begin(true)?;
        let endpoints = transport.connect(n, &shared.failure)?;
        let shared = Arc::new(shared);
        let communicator = |(r, end)| Communicator::new(Rank::new(r, n), Arc::clone(&shared), end);
        Ok(endpoints.into_iter().enumerate().map(communicator).collect())
    }

    /// Joins, as `rank`, the group whose other ranks are in other processes, at its address over this
    /// transport: a [`Bootstrap::address`](ringwood_transport::Bootstrap::address), or for `socket`
    /// `unix:PATH` or `tcp:HOST:PORT#TOKEN`. [`Processes`](super::Processes) starts such processes on this
    /// machine. It returns when this rank has the cost model of rank 0; on rank 0, when all others
    /// have it.
    ///
    /// # Errors
    /// `rank` is not in the group, the transport is for threads only, or see [`Transport::join`]; or
    /// the cost model of rank 0 does not come within the bound for arrivals, or is none.
    pub fn join(self, rank: usize, address: &str) -> Result<Communicator> {
        self.join_in_order(rank, address, None)
    }

    /// [`GroupBuilder::join`], where submitted calls get their order from `turns`.
    pub(super) fn join_in_order(
        self,
        rank: usize,
        address: &str,
        turns: Option<Arc<dyn Turns>>,
    ) -> Result<Communicator> {
        let (within, agreed) = (self.bounds.arrival, self.agreed);
        let (n, transport, mut shared) = self.begin(false)?;
        if rank >= n {
            return Err(Error::invalid(format!("rank {rank} is not in a group of {n}")));
        }
        let rank = Rank::new(rank, n);
        let mut endpoint = transport.join(rank, address, within, &shared.failure)?;
        if shared.arrangement == Arrangement::default() {
            shared.arrangement = endpoint.arrangement();
        }
        if !agreed {
            let own = &shared.selector.setting().model;
            let model = model::agree(&mut *endpoint, rank, own, within)?;
            shared.selector = shared.selector.with_model(model);
        }
        shared.selector = shared.selector.sharing(endpoint.answers(within));
        shared.turns = turns;
        Ok(Communicator::new(rank, Arc::new(shared), endpoint))
    }

    /// A place where the ranks of this group find each other if each is a process of this machine.
    ///
    /// # Errors
    /// The transport is for threads only, or see [`Transport::bootstrap`].
    pub fn bootstrap(self) -> Result<Bootstrap> {
        let (n, transport, _) = self.begin(false)?;
        transport.bootstrap(n)
    }

    /// Where its items are looked up.
    pub(super) fn items(&self) -> Result<Arc<Registry>> {
        let global = || Registry::global().map(|global| Arc::new(global.clone()));
        self.registry.clone().map_or_else(global, Ok)
    }

    /// How long a call waits for all ranks to arrive.
    pub(super) fn arrival(&self) -> Duration {
        self.bounds.arrival
    }

    /// The size and the name of the transport, for processes that look it up.
    pub(super) fn named(&self) -> Result<(usize, String)> {
        match &self.transport {
            Choice::Named(name) => Ok((self.ranks, name.clone())),
            _ => {
                let message = "processes find their transport by name, and the group names none";
                Err(Error::invalid(message).help("add `.transport(\"arena\")`"))
            }
        }
    }

    /// What a group starts from; `here` says whether all ranks are in this process.
    fn begin(self, here: bool) -> Result<(usize, &'static dyn Transport, Shared)> {
        let n = self.ranks;
        if n == 0 {
            return Err(Error::invalid("a group needs at least one rank"));
        }
        if n > MOST_RANKS {
            let message = format!("a group of {n} ranks is too large");
            return Err(Error::unsupported(message).help(format!("ask for at most {MOST_RANKS}")));
        }
        self.arrangement.check(n)?;
        let registry = self.items()?;
        let transport = find_transport(&registry, &self.transport)?;
        let of_part = |(whole, ranks)| Failure::of_part(whole, ranks);
        let failure = Arc::new(self.whole.map_or_else(Failure::default, of_part));
        let capabilities = transport.capabilities();
        let known = || match capabilities.peer_load {
            true => cost_model().0.clone(),
            false => transport.costs(cores()),
        };
        let model = self.model.unwrap_or_else(known);
        let setting = Setting { order: self.order, ..Setting::new(model, capabilities) };
        let Self { bounds, arrangement, .. } = self;
        let selector = Selector::new(setting);
        let seats = here.then(OnceLock::new);
        let (turns, parts) = (None, Parts::default());
        let shared = Shared {
            registry,
            transport,
            failure,
            bounds,
            arrangement,
            selector,
            seats,
            turns,
            parts,
        };
        Ok((n, transport, shared))
    }

    /// Runs `body` once for each rank, each on a thread of its own, and returns the results in the
    /// order of the ranks.
    ///
    /// # Errors
    /// The group cannot be opened, or a rank fails or panics: the first failure, which the other
    /// ranks get from their calls too.
    pub fn spmd<R: Send>(self, body: impl Fn(&Communicator) -> Result<R> + Sync) -> Result<Vec<R>> {
        let communicators = self.open()?;
        let failure = Arc::clone(&communicators[0].shared.failure);
        let results = thread::scope(|scope| spawn_ranks(scope, communicators, &body));
        results.into_iter().collect::<Result<_>>().map_err(|e| failure.get().unwrap_or(e))
    }
}

fn find_transport(registry: &Registry, choice: &Choice) -> Result<&'static dyn Transport> {
    let name = match choice {
        Choice::Default => return Ok(&PeerMemory),
        Choice::Given(transport) => return Ok(*transport),
        Choice::Named(name) => name,
    };
    Ok(registry.find::<TransportDef>(name)?.transport)
}

/// Runs `body` once for each of `n` ranks, each on a thread of its own, and returns the results in
/// the order of the ranks.
///
/// ```
/// let ranks = ringwood_collective::spmd(3, |comm| Ok(comm.rank()))?;
/// assert_eq!(ranks, [0, 1, 2]);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// See [`GroupBuilder::spmd`].
pub fn spmd<R: Send>(n: usize, body: impl Fn(&Communicator) -> Result<R> + Sync) -> Result<Vec<R>> {
    Group::builder(n).spmd(body)
}

fn spawn_ranks<'scope, R: Send + 'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    communicators: Vec<Communicator>,
    body: &'scope (impl Fn(&Communicator) -> Result<R> + Sync),
) -> Vec<Result<R>> {
    let failure = Arc::clone(&communicators[0].shared.failure);
    let spawn = |comm: Communicator| {
        let (rank, size) = (comm.rank(), comm.size());
        let builder = thread::Builder::new().name(format!("rank {rank}"));
        builder.spawn_scoped(scope, move || run_rank(&comm, body)).map_err(|cause| {
            // At once: the ranks that run already may wait for this one.
            let message = format!("cannot start a thread for rank {rank} of {size}");
            failure.raise(Error::unavailable(message).because(cause))
        })
    };
    let threads: Result<Vec<_>> = communicators.into_iter().map(spawn).collect();
    let join = |thread: thread::ScopedJoinHandle<'_, Result<R>>| {
        thread.join().unwrap_or_else(|payload| Err(Error::from_panic("a rank", payload)))
    };
    match threads {
        Ok(threads) => threads.into_iter().map(join).collect(),
        Err(error) => vec![Err(error)],
    }
}

fn run_rank<R>(comm: &Communicator, body: impl Fn(&Communicator) -> Result<R>) -> Result<R> {
    let result = catch_unwind(AssertUnwindSafe(|| body(comm))).unwrap_or_else(|payload| {
        let rank = format!("rank {} of {}", comm.rank(), comm.size());
        Err(Error::from_panic(rank, payload))
    });
    result.map_err(|error| comm.abort(error))
}
