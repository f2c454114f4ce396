//! What is around a simulated session: the time, the channels, and who listens.

use super::made_up::{Fault, MadeUp, Op};
use crate::channel::Workers;
use crate::config::Config;
use crate::kind::SessionKind;
use crate::protocol::Report;
use crate::remote::ends::Remote;
use crate::remote::{Controller, Ending, Links, Packet, STOPPED};
use crate::serve::READY;
use ringwood_base::{Error, Result};
use ringwood_transport::{PeerMemory, Transport};
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Whoever waits longer, in microseconds, waits for ever.
const END: u64 = 500_000;

pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) % bound
    }
}

/// A worker of an epoch.
pub(super) type Id = (usize, usize);

pub(super) enum Happening {
    /// A worker goes on.
    Step,
    /// The controller hears a worker.
    Up(Packet),
    /// A worker hears the controller.
    Down(Packet),
    /// The controller sees the end of a worker's process, which may be well.
    Lost(bool),
    /// A worker sees in their shared memory that another one has died.
    Missed(usize),
    /// Time passes for a controller.
    Tick,
}

/// The workers that are started together, and their controller.
pub(super) struct Epoch {
    pub(super) controller: Arc<Controller>,
    pub(super) workers: Vec<MadeUp>,
    /// What each call does.
    pub(super) program: Vec<Vec<Op>>,
    over: bool,
}

pub(super) struct World {
    pub(super) random: Random,
    number: u64,
    queue: BinaryHeap<Reverse<(u64, u64, usize)>>,
    all: Vec<Option<(Id, Happening)>>,
    pub(super) epochs: Vec<Epoch>,
    /// When the session was last seen to go on.
    since: u64,
    trace: Option<String>,
    pub(super) wrong: Option<String>,
}

thread_local! {
    static WORLD: RefCell<Option<World>> = const { RefCell::new(None) };
    /// What was sent and has no time yet: who sends does not see the world.
    static SENT: RefCell<Vec<(Id, Happening)>> = const { RefCell::new(Vec::new()) };
    static NOW: Cell<u64> = const { Cell::new(0) };
}

pub(super) fn with<R>(act: impl FnOnce(&mut World) -> R) -> R {
    WORLD.with_borrow_mut(|world| act(world.as_mut().expect("a seed is simulated")))
}

pub(super) fn send(id: Id, what: Happening) {
    SENT.with_borrow_mut(|sent| sent.push((id, what)));
}

impl World {
    pub(super) fn begin(seed: u64, trace: bool) {
        NOW.set(0);
        let (random, trace) = (Random(seed), trace.then(String::new));
        let (queue, all, epochs) = Default::default();
        let world = Self { random, number: 0, queue, all, epochs, since: 0, trace, wrong: None };
        WORLD.set(Some(world));
    }

    /// What went wrong that no caller sees, and what happened.
    pub(super) fn end() -> (Option<String>, String) {
        let world = WORLD.take().expect("a seed is simulated");
        SENT.take();
        (world.wrong, world.trace.unwrap_or_default())
    }

    pub(super) fn note(&mut self, text: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            let _ = writeln!(trace, "{:>8} us  {}", NOW.get(), text());
        }
    }

    pub(super) fn after(&mut self, delay: u64, id: Id, what: Happening) {
        self.at(NOW.get() + delay, id, what);
    }

    fn at(&mut self, time: u64, id: Id, what: Happening) {
        self.number += 1;
        self.queue.push(Reverse((time, self.number, self.all.len())));
        self.all.push(Some((id, what)));
    }

    /// A message comes after a delay, in the order of its channel.
    fn post(&mut self) {
        let mut sent = SENT.take();
        for (id, what) in sent.drain(..) {
            let slow = if matches!(what, Happening::Lost(false)) { 30_000 } else { 3_000 };
            let time = NOW.get() + 1 + self.random.below(slow);
            let down = usize::from(matches!(what, Happening::Down(_)));
            let last = &mut self.epochs[id.0].workers[id.1].last[down];
            *last = time.max(*last + 1);
            let time = *last;
            self.at(time, id, what);
        }
        SENT.set(sent);
    }

    /// Lets the next thing happen; whether somebody may have heard it.
    fn turn(&mut self) -> bool {
        self.post();
        let Some(Reverse((time, _, index))) = self.queue.pop() else { return true };
        NOW.set(time);
        let (id, what) = self.all[index].take().expect("each happens once");
        let heard = matches!(what, Happening::Up(_) | Happening::Lost(_) | Happening::Tick);
        self.happen(id, what);
        self.post();
        heard
    }

    fn happen(&mut self, id: Id, what: Happening) {
        let (epoch, worker) = id;
        let controller = &self.epochs[epoch].controller;
        match what {
            Happening::Step => self.step(id),
            Happening::Down(packet) => self.hear(id, packet.read().expect("an order")),
            Happening::Missed(dead) => {
                self.epochs[epoch].workers[worker].misses |= 1 << dead;
                self.step(id);
            }
            Happening::Up(packet) => {
                let report: Report = packet.read().expect("a report");
                let controller = Arc::clone(controller);
                if !matches!(report, Report::Pong(_)) {
                    self.note(|| format!("epoch {epoch}: worker {worker} has said {report:?}"));
                }
                let ready = matches!(&report, Report::Reply(reply) if reply.request == READY);
                self.epochs[epoch].workers[worker].ready += usize::from(ready);
                controller.hear(worker, [report]);
            }
            Happening::Lost(well) => {
                let how = if well {
                    Ending::Well("has ended".into())
                } else {
                    Ending::Killed("signal 9".into())
                };
                let controller = Arc::clone(controller);
                self.note(|| format!("epoch {epoch}: worker {worker} {how}"));
                self.epochs[epoch].workers[worker].lost = true;
                controller.lose(worker, &how);
            }
            Happening::Tick => {
                let state = |worker: usize| {
                    let MadeUp { struck, fault, .. } = &self.epochs[epoch].workers[worker];
                    let stops = *struck && matches!(fault, Some((Fault::Stops, ..)));
                    if stops { STOPPED.to_owned() } else { String::new() }
                };
                controller.tick(controller.now(), state);
                let next = controller.patience().as_micros() as u64;
                if !self.epochs[epoch].over {
                    self.after(next.max(500), id, Happening::Tick);
                }
            }
        }
    }

    /// The caller waits: something happens that it may wait for.
    pub(super) fn go_on(&mut self) {
        while !self.turn() {}
        if NOW.get() - self.since > END {
            let waits = "somebody waits for ever".to_owned();
            self.note(|| waits.clone());
            self.wrong.get_or_insert(waits);
            self.epochs.iter().for_each(|epoch| epoch.controller.fail(&Error::aborted("it hangs")));
        }
    }

    /// The caller does something else for a time.
    pub(super) fn pass(&mut self, time: u64) {
        self.post();
        let until = NOW.get() + time;
        while self.queue.peek().is_some_and(|Reverse((time, ..))| *time < until) {
            self.turn();
        }
        NOW.set(until);
        self.since = until;
    }

    pub(super) fn epoch(&mut self) -> i64 {
        self.since = NOW.get();
        self.epochs.len() as i64
    }

    /// The registers that are not free on the workers of the last epoch.
    pub(super) fn registers(&self) -> usize {
        self.epochs.last().map_or(0, |epoch| epoch.workers.iter().map(|w| w.registers.len()).sum())
    }

    /// Whether an error names a worker of the last epoch to which something has happened: its death, if that was all.
    pub(super) fn blames(&mut self, error: &Error) -> std::result::Result<(), String> {
        self.note(|| format!("the caller is told `{error}`"));
        self.since = NOW.get();
        let epoch = self.epochs.last().expect("one was started");
        let (text, n) = (error.to_string(), epoch.workers.len());
        let struck = epoch.workers.iter().enumerate().filter(|(_, worker)| worker.struck);
        let names = |worker: usize| text.contains(&format!("worker {worker} of {n}"));
        let blamed = struck.clone().any(|(worker, _)| names(worker));
        let faults: Vec<_> = struck.map(|(_, worker)| worker.fault).collect();
        let kind = match faults[..] {
            [Some((Fault::Dies, ..))] => "was killed by signal 9",
            [Some((Fault::Stops, ..))] => "has been silent",
            _ => "",
        };
        let stays = |(worker, state): (usize, &MadeUp)| {
            state.struck && text.contains(&format!("worker {worker} "))
        };
        let stays = text.contains("did not end") && epoch.workers.iter().enumerate().any(stays);
        let right =
            (blamed && text.contains(kind)) || stays || text.contains("could not be started again");
        right.then_some(()).ok_or_else(|| format!("nobody is to blame for `{text}`"))
    }

    fn start(&mut self, controller: Arc<Controller>, config: &Config) {
        let (number, n) = (self.epochs.len(), config.workers);
        let random = &mut self.random;
        let mut workers: Vec<_> =
            (0..n).map(|worker| MadeUp::new((number, worker), config)).collect();
        for _ in 0..random.below(3) {
            workers[random.below(n as u64) as usize].fault = Some(Fault::any(random));
        }
        let call = |random: &mut Random| (0..random.below(4)).map(|_| Op::any(random, n)).collect();
        let program = (0..4).map(|_| call(random)).collect();
        self.epochs.push(Epoch { controller, workers, program, over: false });
        for worker in 0..n {
            let begin = self.random.below(1_000);
            self.after(begin, (number, worker), Happening::Step);
        }
        self.after(1_000, (number, 0), Happening::Tick);
        let all =
            |epoch: &Epoch| epoch.workers.iter().all(|w| w.lost || w.ready == w.groups.min(2));
        self.since = NOW.get();
        while self.wrong.is_none() && !all(&self.epochs[number]) {
            self.go_on();
        }
    }

    /// The end of the processes of an epoch.
    fn stop(&mut self, number: usize, at_once: bool) -> Vec<usize> {
        self.since = NOW.get();
        let ended = |epoch: &Epoch| {
            let closed = epoch.controller.failed().is_some();
            epoch.workers.iter().all(|w| w.lost || (closed && w.halted && w.struck))
        };
        while self.wrong.is_none() && !at_once && !ended(&self.epochs[number]) {
            self.go_on();
        }
        let epoch = &mut self.epochs[number];
        epoch.over = true;
        let mut left = Vec::new();
        for (rank, worker) in epoch.workers.iter_mut().enumerate().filter(|(_, w)| !w.lost) {
            worker.halted = true;
            left.push(rank);
        }
        left
    }
}

/// Sessions whose workers are made up.
pub(super) struct Simulated;

/// The channels to the workers of an epoch.
struct Lines {
    epoch: usize,
}

impl SessionKind for Simulated {
    fn start(&self, _session: u64, config: &Config) -> Result<Arc<dyn Workers>> {
        let lines = Lines { epoch: with(|world| world.epochs.len()) };
        let mut controller = Controller::new(config, Arc::new(lines));
        let start = NOW.get();
        Arc::get_mut(&mut controller).expect("nobody else has it").clock =
            Box::new(move || Duration::from_micros(NOW.get() - start));
        let remote = Remote(Arc::clone(&controller));
        with(|world| world.start(Arc::clone(&controller), config));
        controller.await_workers(config, Instant::now() + config.timeout)?;
        Ok(Arc::new(remote))
    }
}

impl Links for Lines {
    fn send(&self, worker: usize, packet: Packet) -> Result<()> {
        send((self.epoch, worker), Happening::Down(packet));
        Ok(())
    }

    fn hear(&self, _worker: usize, _controller: &Controller) -> bool {
        with(World::go_on);
        true
    }

    fn transport(&self) -> &'static dyn Transport {
        &PeerMemory
    }

    fn end(&self, deadline: Instant) -> Vec<usize> {
        with(|world| world.stop(self.epoch, deadline <= Instant::now()))
    }

    fn fate(&self) -> &'static str {
        "were killed"
    }

    fn help(&self) -> &'static str {
        ""
    }
}
