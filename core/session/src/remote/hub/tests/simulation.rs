//! The controller's state machine among made-up workers that die, stop, fail, panic and leave calls
//! early, over channels with delays: all that happens follows from a seed.

use super::super::*;
use crate::Value;
use crate::protocol::{Event, Reply, Scope};
use crate::remote::worker::Waiting;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write;

/// A failing seed prints what happened, up to this.
const LINES: usize = 400;
const SILENCE: Duration = Duration::from_millis(40);
/// What workers that are replaced are told.
const AGAIN: &str = "session 1 was started again";
/// By then all is over, in microseconds.
const END: u64 = 1_000_000;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) % bound
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Dies,
    Stops,
    Fails,
    Panics,
    Leaves,
}

#[derive(Debug)]
enum Happening {
    /// A worker goes on.
    Step(usize),
    /// The controller hears a worker.
    Up(usize, Report),
    /// A worker hears the controller.
    Down(usize, Order),
    /// The controller sees the end of a worker's process.
    Lost(usize),
    /// A worker in a collective sees that another one has died.
    Missed(usize, usize),
    /// The caller starts the session again, whatever happens in it.
    Recover,
    Tick,
}

#[derive(Default)]
struct Worker {
    call: usize,
    /// The collectives that it has entered, in each call.
    entered: Vec<usize>,
    in_collective: bool,
    waiting: Waiting,
    closed: Option<Failure>,
    /// How often it was told the end of the session.
    told: usize,
    fault: Option<(Fault, usize, usize)>,
    struck: bool,
    halted: bool,
    done: bool,
    last: [u64; 2],
}

struct World {
    random: Random,
    now: u64,
    number: u64,
    queue: BinaryHeap<Reverse<(u64, u64, usize)>>,
    all: Vec<Option<Happening>>,
    hub: Hub,
    progress: Arc<Progress>,
    workers: Vec<Worker>,
    calls: usize,
    collectives: usize,
    trace: Option<String>,
}

impl World {
    fn new(seed: u64, trace: bool) -> Self {
        let mut random = Random(seed);
        let n = 2 + random.below(3) as usize;
        let (calls, collectives) = (1 + random.below(3) as usize, random.below(3) as usize);
        let progress = Arc::new(Progress::new(n, 1, None));
        let hub = Hub::new(Arc::clone(&progress), n, SILENCE);
        let mut workers: Vec<Worker> = (0..n).map(|_| Worker::default()).collect();
        for worker in &mut workers {
            worker.entered = vec![0; calls];
        }
        let all = [Fault::Dies, Fault::Stops, Fault::Fails, Fault::Panics, Fault::Leaves];
        for _ in 0..random.below(3) {
            let fault = all[random.below(5) as usize];
            let at = (random.below(calls as u64), random.below(collectives as u64 + 1));
            let worker = random.below(n as u64) as usize;
            workers[worker].fault = Some((fault, at.0 as usize, at.1 as usize));
        }
        let (queue, trace) = (BinaryHeap::new(), trace.then(String::new));
        let (now, number, happenings) = (0, 0, Vec::new());
        Self {
            random,
            now,
            number,
            queue,
            all: happenings,
            hub,
            progress,
            workers,
            calls,
            collectives,
            trace,
        }
    }

    fn note(&mut self, text: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            let _ = writeln!(trace, "{:>8} us  {}", self.now, text());
        }
    }

    fn at(&mut self, time: u64, what: Happening) {
        self.number += 1;
        self.queue.push(Reverse((time, self.number, self.all.len())));
        self.all.push(Some(what));
    }

    /// After a delay, in the order of its channel.
    fn send(&mut self, worker: usize, down: usize, what: Happening) {
        let time = self.now + 1 + self.random.below(3_000);
        let last = &mut self.workers[worker].last[down];
        *last = time.max(*last + 1);
        let time = *last;
        self.at(time, what);
    }

    fn tell(&mut self, worker: usize, event: Event) {
        self.workers[worker].waiting.follow(&event);
        self.send(worker, 0, Happening::Up(worker, Report::Event(event)));
    }

    fn close(&mut self, worker: usize, failure: Failure) {
        if self.workers[worker].closed.is_none() {
            self.workers[worker].closed = Some(failure.clone());
            self.send(worker, 0, Happening::Up(worker, Report::Close(failure)));
        }
    }

    fn run(&mut self) {
        for worker in 0..self.workers.len() {
            let ready = Reply { request: 0, outcome: Ok(Value::None) };
            self.send(worker, 0, Happening::Up(worker, Report::Reply(ready)));
            let begin = 4_000 + self.random.below(1_000);
            self.at(begin, Happening::Step(worker));
        }
        self.at(1_000, Happening::Tick);
        if self.random.below(4) == 0 {
            let time = 4_000 + self.random.below(20_000);
            self.at(time, Happening::Recover);
        }
        while let Some(Reverse((time, _, index))) = self.queue.pop() {
            self.now = time;
            if time > END || self.is_over() {
                return;
            }
            let what = self.all[index].take().expect("each happens once");
            use Happening::{Down, Step, Tick, Up};
            if !matches!(what, Tick | Step(_) | Up(_, Report::Pong(_)) | Down(_, Order::Ping(_))) {
                self.note(|| format!("{what:?}"));
            }
            self.happen(what);
        }
    }

    fn happen(&mut self, what: Happening) {
        let now = Duration::from_micros(self.now);
        let orders = match what {
            Happening::Step(worker) => return self.step(worker),
            Happening::Down(worker, order) => return self.hear(worker, order),
            Happening::Missed(worker, dead) => return self.miss(worker, dead),
            Happening::Up(worker, report) => {
                self.hub.heard(now, worker);
                self.hub.receive(now, worker, report)
            }
            Happening::Lost(worker) => self.hub.lost(worker, "was killed by signal 9", false),
            Happening::Recover => self.hub.close(Failure {
                kind: ErrorKind::Aborted,
                text: AGAIN.into(),
                closes: true,
            }),
            Happening::Tick => {
                let orders = self.hub.tick(now, |_| String::new());
                let next = self.hub.patience(now).as_micros() as u64;
                self.at(self.now + next.max(500), Happening::Tick);
                orders
            }
        };
        for (worker, order) in orders {
            self.send(worker, 1, Happening::Down(worker, order));
        }
    }

    fn hear(&mut self, worker: usize, order: Order) {
        if self.workers[worker].halted {
            return;
        }
        match order {
            Order::Ping(number) => {
                self.send(worker, 0, Happening::Up(worker, Report::Pong(number)));
            }
            Order::Close(failure) => {
                self.workers[worker].told += 1;
                self.workers[worker].closed.get_or_insert(failure);
                self.at(self.now + 1, Happening::Step(worker));
            }
            Order::Absent { wait, failure } => {
                if self.workers[worker].waiting.is_in(wait) {
                    self.close(worker, failure);
                }
            }
            Order::Start(_) | Order::Command(_) => unreachable!("the hub sends none"),
        }
    }

    /// A worker that waits for a dead one sees it in their shared memory.
    fn miss(&mut self, worker: usize, dead: usize) {
        let state = &self.workers[worker];
        if state.in_collective && !state.halted && state.closed.is_none() {
            let text = format!("rank {dead} of {} died", self.workers.len());
            let failure = Failure { kind: ErrorKind::Aborted, text, closes: true };
            self.close(worker, failure);
            self.at(self.now + 1, Happening::Step(worker));
        }
    }

    /// Strikes a worker with its fault, if it is there; the failure with which it leaves the call.
    fn strike(&mut self, worker: usize) -> Option<Option<Failure>> {
        let state = &mut self.workers[worker];
        let (fault, call, collective) = state.fault?;
        if state.struck || call != state.call || collective != state.entered[call] {
            return None;
        }
        state.struck = true;
        let (n, kind) = (self.workers.len(), ErrorKind::Shape);
        let closes = fault == Fault::Panics;
        let failure = Failure { kind, text: format!("worker {worker} of {n} {fault:?}"), closes };
        self.note(|| format!("worker {worker}: {fault:?}"));
        match fault {
            Fault::Dies => {
                self.workers[worker].halted = true;
                let time =
                    self.workers[worker].last[0].max(self.now) + 1 + self.random.below(30_000);
                self.at(time, Happening::Lost(worker));
                for other in (0..n).filter(|&other| other != worker) {
                    let time = self.now + 1 + self.random.below(30_000);
                    self.at(time, Happening::Missed(other, worker));
                }
                None
            }
            Fault::Stops => {
                self.workers[worker].halted = true;
                None
            }
            Fault::Panics => {
                self.close(worker, failure.clone());
                Some(Some(failure))
            }
            Fault::Fails => Some(Some(failure)),
            Fault::Leaves => Some(None),
        }
    }

    fn step(&mut self, worker: usize) {
        let state = &self.workers[worker];
        if state.halted || state.done {
            return;
        }
        if state.in_collective {
            let (call, entered) = (state.call, state.entered[state.call]);
            let come = self.workers.iter().all(|other| other.entered[call] >= entered);
            if !come && state.closed.is_none() {
                return;
            }
            self.workers[worker].in_collective = false;
            self.tell(worker, Event::Leave { joined: 1 });
        } else if state.entered[state.call] == 0 && state.closed.is_none() {
            let call = state.call as u64 + 1;
            self.tell(worker, Event::Begin { call, function: "step".into() });
        }
        let closed = self.workers[worker].closed.clone();
        let left = if closed.is_some() { Some(closed) } else { self.strike(worker) };
        if self.workers[worker].halted {
            return;
        }
        let state = &mut self.workers[worker];
        if left.is_none() && state.entered[state.call] < self.collectives {
            state.entered[state.call] += 1;
            state.in_collective = true;
            self.tell(worker, Event::Enter { scope: Scope::All, name: "all_reduce".into() });
            // Whoever waits may go on.
            for other in 0..self.workers.len() {
                let time = self.now + 1 + self.random.below(100);
                self.at(time, Happening::Step(other));
            }
            return;
        }
        self.tell(worker, Event::End { failure: left.flatten() });
        let state = &mut self.workers[worker];
        state.call += 1;
        state.done = state.call == self.calls || state.closed.is_some();
        if state.done {
            state.call = self.calls - 1;
        } else {
            let time = self.now + 1 + self.random.below(500);
            self.at(time, Happening::Step(worker));
        }
    }

    /// Whether every worker that can has done its calls, and was told if the session has ended.
    fn is_over(&self) -> bool {
        let ended = self.progress.closed().is_some();
        let over = |worker: &Worker| worker.halted || (worker.done && (!ended || worker.told > 0));
        let idle = || {
            self.queue.iter().all(|Reverse((_, _, index))| {
                let left = &self.all[*index];
                matches!(
                    left,
                    None | Some(Happening::Tick | Happening::Step(_) | Happening::Recover)
                )
            })
        };
        let struck = self.workers.iter().any(|worker| worker.halted);
        self.workers.iter().all(over) && (ended || !struck) && idle()
    }

    fn verdict(&self) -> Result<(), String> {
        if !self.is_over() {
            return Err("it hangs".into());
        }
        let n = self.workers.len();
        let struck = |worker: &Worker| worker.fault.filter(|_| worker.struck);
        // A worker that leaves a call harms nobody, unless others wait for it: then they would hang.
        let harms = |fault| matches!(fault, Fault::Dies | Fault::Stops | Fault::Panics);
        let must = self.workers.iter().filter_map(struck).any(|(fault, _, _)| harms(fault));
        match self.progress.closed() {
            None if must => Err("nobody was told".into()),
            None => Ok(()),
            Some(failure) => {
                let names =
                    |worker: usize| failure.text.contains(&format!("worker {worker} of {n}"));
                let blamed = (0..n).any(|worker| self.workers[worker].struck && names(worker));
                if failure.text != AGAIN && !blamed {
                    return Err(format!("nobody is to blame for `{}`", failure.text));
                }
                let told = |worker: &Worker| worker.halted || worker.told == 1;
                if self.workers.iter().all(told) {
                    Ok(())
                } else {
                    Err("told twice or never".into())
                }
            }
        }
    }
}

fn simulate(seed: u64, trace: bool) -> Result<(), (String, String)> {
    let mut world = World::new(seed, trace);
    world.run();
    world.verdict().map_err(|wrong| (wrong, world.trace.unwrap_or_default()))
}

#[test]
fn whatever_happens_the_culprit_is_named_and_nobody_waits_for_ever() {
    let seeds = std::env::var("RINGWOOD_SEEDS").ok().and_then(|text| text.parse().ok());
    let start = std::time::Instant::now();
    let seeds = seeds.unwrap_or(20_000);
    for seed in 0..seeds {
        if simulate(seed, false).is_err() {
            let (wrong, trace) = simulate(seed, true).unwrap_err();
            let lines: Vec<_> = trace.lines().take(LINES).collect();
            panic!("seed {seed}: {wrong}\n{}", lines.join("\n"));
        }
    }
    println!("{:.0} seeds in a second", seeds as f64 / start.elapsed().as_secs_f64());
}
