//! The controller's links to the workers.

use super::home::{Home, ends};
use super::link;
use super::post::{Said, Word};
use crate::engine::{ORDERS, Pause};
use crate::life::Life;
use crate::transport::Mpi;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result, counted};
use ringwood_device::device::Runtime;
use ringwood_session::__private::{enter, spawn};
use ringwood_session::remote::{Controller, Ending, Links, Packet, Report, give_up};
use ringwood_session::{Config, Workers};
use ringwood_transport::Transport;
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The ranks that are the workers of a session.
pub(super) struct Ranks {
    home: Arc<Home>,
    session: u64,
    /// The process of worker 0.
    first: usize,
    /// The processes of the workers.
    lives: Vec<Life>,
    /// Whether a worker was sent anything.
    told: AtomicBool,
    /// A worker was lost, or one of another machine did not end and may have died: nothing replaces a rank.
    lost: AtomicBool,
    /// By when the session has to be over for the workers.
    end: Mutex<Option<Instant>>,
    /// Of the one that hears the workers.
    keeper: Mutex<Option<JoinHandle<Left>>>,
    /// Of the worker that is a thread of this process.
    worker: Mutex<Option<JoinHandle<()>>>,
}

/// The workers for which a session was not over in time, and what worker 0 does, if it is one of them.
type Left = (Vec<usize>, Option<String>);

impl Ranks {
    /// Starts a session on the ranks from `first`; `program` is its number among all sessions of the program.
    ///
    /// # Errors
    /// There are not so many, they are in a session already, or do not start.
    pub(super) fn start(
        home: &Arc<Home>,
        first: usize,
        program: u64,
        config: &Config,
    ) -> Result<Arc<dyn Workers>> {
        static SESSIONS: AtomicU64 = AtomicU64::new(1);
        let workers = config.workers();
        check(first, workers, home.engine.size)?;
        home.await_left()?;
        let session = SESSIONS.fetch_add(1, Ordering::Relaxed);
        if !home.enter(session) {
            return Err(Error::invalid(
                "the processes of MPI are in another session of this program",
            )
            .help("shut it down before"));
        }
        let nodes = &home.engine.nodes;
        let (told, lost, end, keeper, worker) = Default::default();
        let lives = (first..first + workers).map(|rank| nodes.life(rank as c_int)).collect();
        let home = Arc::clone(home);
        let ranks = Arc::new(Self { home, session, first, lives, told, lost, end, keeper, worker });
        let controller = Controller::new(config, Arc::clone(&ranks) as Arc<dyn Links>);
        for worker in 0..workers {
            let rank = first + worker;
            let number = nodes.number(rank as c_int);
            controller.started(worker, &format!("rank {rank}, process {number}"));
        }
        ranks.begin(&controller, program, config.runtime()).inspect_err(|_| {
            // Another session may begin.
            ranks.end(Instant::now());
        })?;
        controller.begin(config)
    }

    /// Hears the workers, of which this process may have one.
    fn begin(
        self: &Arc<Self>,
        controller: &Arc<Controller>,
        program: u64,
        runtime: Result<Runtime>,
    ) -> Result<()> {
        let (controller, ranks) = (Arc::clone(controller), Arc::clone(self));
        let keeper = Keeper { controller, ranks, over: vec![false; self.lives.len()] };
        let failed = "cannot start the thread `keeper` of a session";
        *lock(&self.keeper) = Some(spawn("keeper", failed, move || keeper.run())?);
        if self.first == super::CONTROLLER {
            let (home, only) = (Arc::clone(&self.home), Some(self.session));
            let failed = "cannot start the thread `worker-0` of a session";
            *lock(&self.worker) = Some(spawn("worker-0", failed, move || {
                enter(program);
                link::serve(&home, runtime, only).unwrap_or_else(|error| give_up(&error));
            })?);
        }
        Ok(())
    }

    fn say(&self, worker: usize, packet: &Packet) -> Result<()> {
        self.home.say((worker + self.first, ORDERS), self.session, packet)
    }
}

/// # Errors
/// MPI has fewer processes than a session of so many workers from process `first` on needs.
pub(super) fn check(first: usize, workers: usize, size: usize) -> Result<()> {
    let needs = workers + first;
    if needs <= size {
        return Ok(());
    }
    let workers = counted(workers, "worker");
    let what = match first {
        0 => format!("{workers}, of which rank 0 is one"),
        _ => format!("a controller and {workers}"),
    };
    let size = counted(size, "process");
    Err(Error::invalid(format!("MPI has {size}, too few for {what}"))
        .help(format!("start the program with `mpirun -n {needs}`")))
}

impl Links for Ranks {
    /// The end of a worker is no failure of MPI, which may see it first.
    fn send(&self, worker: usize, packet: Packet) -> Result<()> {
        self.told.store(true, Ordering::Relaxed);
        let said = self.say(worker, &packet);
        said.or_else(|error| if self.lives[worker].ends() { Ok(()) } else { Err(error) })
    }

    fn transport(&self) -> &'static dyn Transport {
        &Mpi
    }

    fn end(&self, deadline: Instant) -> Vec<usize> {
        lock(&self.end).get_or_insert(deadline);
        let keeper = lock(&self.keeper).take();
        let (left, runs) = keeper.and_then(|keeper| keeper.join().ok()).unwrap_or_default();
        let worker = lock(&self.worker).take();
        if let Some(worker) = worker.filter(|worker| !ends(worker, deadline)) {
            self.home.leave_behind(worker, runs);
        }
        self.home.exit(self.session);
        left
    }

    fn come_again(&self) -> bool {
        !self.lost.load(Ordering::Relaxed) && !self.lives.iter().any(Life::is_over)
    }

    fn help(&self) -> &'static str {
        match self.come_again() {
            true => "every process of MPI must come to this session, and may do so once",
            false => "nothing replaces a rank that has died: start the program again",
        }
    }
}

/// How long the others of a session that fails while it ends get to end.
const REST: Duration = Duration::from_millis(500);
/// How long words that come one after the other put off the look at who is silent.
const BUSY: Duration = Duration::from_millis(500);

/// The thread that hears the workers.
struct Keeper {
    controller: Arc<Controller>,
    ranks: Arc<Ranks>,
    /// For which workers the session is over.
    over: Vec<bool>,
}

impl Keeper {
    /// Hears the workers until the session is over for all of them, or a time.
    fn run(mut self) -> Left {
        let (mut pause, mut ticked) = (Pause::default(), Instant::now());
        let mut works = true;
        let home = Arc::clone(&self.ranks.home);
        let mut post = lock(&home.reports);
        loop {
            let said = post.take(&home.engine).unwrap_or_else(|error| {
                self.fail(&error);
                None
            });
            match said.map(|said| self.said(said)) {
                Some(()) => pause.reset(),
                None => pause.wait(),
            }
            // What has come counts before what follows from silence.
            if !post.words.is_empty() && ticked.elapsed() < BUSY {
                continue;
            }
            if ticked.elapsed() >= Duration::from_millis(1) {
                ticked = Instant::now();
                // A death that is seen now counts before what follows from it.
                let now = self.controller.now();
                self.look();
                self.controller.tick(now, |_| String::new());
            }
            let mut end = lock(&self.ranks.end);
            if works && self.controller.failed().is_some() {
                works = false;
                *end = end.map(|by| by.min(Instant::now() + REST));
            }
            let by = *end;
            drop(end);
            if by.is_some_and(|by| Instant::now() >= by || self.over.iter().all(|&over| over)) {
                return self.end();
            }
        }
    }

    /// Dismisses those for which the session is not over.
    fn end(&self) -> Left {
        let left: Vec<_> = (0..self.over.len()).filter(|&w| !self.over[w]).collect();
        let runs = (left.first() == Some(&0)).then(|| self.controller.activity(0));
        left.iter().for_each(|&worker| self.dismiss(worker));
        let unseen =
            |&worker: &usize| worker + self.ranks.first > 0 && !self.ranks.lives[worker].is_seen();
        self.ranks.lost.fetch_or(left.iter().any(unseen), Ordering::Relaxed);
        // Workers that were told nothing wait for the next session, as they did before.
        if !left.is_empty() && self.ranks.told.load(Ordering::Relaxed) {
            let late = || Error::timeout("workers did not end");
            self.ranks.home.engine.fail(self.controller.failed().unwrap_or_else(late));
        }
        (left, runs)
    }

    /// Takes what a process has said, which may be of a session before.
    fn said(&mut self, Said { rank, word }: Said) {
        let worker = rank.checked_sub(self.ranks.first).filter(|worker| *worker < self.over.len());
        let Some(worker) = worker else { return };
        let Some((session, word)) = word else {
            return self.lose(worker, "says what nobody says in a session");
        };
        match word {
            _ if session != self.ranks.session => {}
            Word::Packet(packet) => match packet.read() {
                Ok(report) => self.controller.hear(worker, [report]),
                Err(error) => self.lose(worker, &format!("speaks another language: {error}")),
            },
            Word::Part => self.controller.hear(worker, [Report::Pong(0)]),
            Word::Over => {
                self.over[worker] = true;
                self.dismiss(worker);
                self.controller.lose(worker, &Ending::Well("has left the session".into()));
            }
        }
    }

    /// Tells a worker that no more orders come: not before it has ended, or is not waited for any more, since it may need
    /// to hear of a failure until then.
    fn dismiss(&self, worker: usize) {
        // Who is not told is lost.
        let _ = self.ranks.say(worker, &Packet::default());
    }

    /// Looks whether the processes live.
    fn look(&mut self) {
        for worker in 0..self.over.len() {
            // What a process has said before its end is heard before that is told.
            if !self.over[worker] && self.ranks.lives[worker].is_over_again() {
                self.lose(worker, "has died");
            }
        }
    }

    /// MPI has failed: no worker can be heard any more.
    fn fail(&mut self, error: &Error) {
        // Set first: whether the session can be started again is asked as soon as the failure is known.
        self.ranks.lost.store(true, Ordering::Relaxed);
        // Who has died is the reason, and no other one.
        let lives = &self.ranks.lives;
        Life::one_ends(lives);
        let (dead, others): (Vec<_>, Vec<_>) =
            (0..lives.len()).partition(|&worker| lives[worker].is_over());
        dead.into_iter().for_each(|worker| self.lose(worker, "has died"));
        self.controller.fail(error);
        others.into_iter().for_each(|worker| self.lose(worker, &error.to_string()));
    }

    fn lose(&mut self, worker: usize, how: &str) {
        self.over[worker] = true;
        self.ranks.lost.store(true, Ordering::Relaxed);
        self.controller.lose(worker, &Ending::Failed(how.to_owned()));
    }
}
