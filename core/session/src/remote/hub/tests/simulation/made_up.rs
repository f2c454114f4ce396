//! A made-up worker: what its process does between two words of the protocol.

use super::world::{Epoch, Happening, Id, Random, World, send};
use crate::Value;
use crate::channel::WorkerEnd;
use crate::config::Config;
use crate::progress::Observer;
use crate::protocol::{Command, Direction, Event, Failure, Order, Register, Reply, Scope};
use crate::remote::worker::Remote;
use crate::remote::{Link, Packet};
use crate::serve::READY;
use ringwood_base::sync::lock;
use ringwood_base::{ErrorKind, Result};
use ringwood_transport::{PeerMemory, Transport};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// What may happen to a worker: at one of its steps, or in a call before one of its operations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    Dies,
    Stops,
    Fails,
    Panics,
    Leaves,
}

impl Fault {
    pub(super) fn any(random: &mut Random) -> (Self, usize, usize) {
        let fault = [Self::Dies, Self::Stops, Self::Fails, Self::Panics, Self::Leaves]
            [random.below(5) as usize];
        match fault {
            Self::Dies => (fault, random.below(40) as usize, 0),
            // One that is stopped before it is ready shows to the system alone.
            Self::Stops => (fault, 1 + random.below(40) as usize, 0),
            _ => (fault, random.below(3) as usize, random.below(4) as usize),
        }
    }
}

/// An operation that workers do together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Collective(Scope),
    /// Its sender goes on at once where the message is kept for the receiver.
    Message {
        from: usize,
        to: usize,
        kept: bool,
    },
}

impl Op {
    pub(super) fn any(random: &mut Random, workers: usize) -> Self {
        match random.below(4) {
            0 | 1 => Self::Collective(Scope::All),
            2 => Self::Collective(Scope::Group),
            _ => {
                let from = random.below(workers as u64) as usize;
                let to = (from + 1 + random.below(workers as u64 - 1) as usize) % workers;
                Self::Message { from, to, kept: random.below(2) == 0 }
            }
        }
    }
}

pub(super) struct MadeUp {
    end: Arc<Remote>,
    wire: Arc<Wire>,
    pub(super) groups: usize,
    pub(super) registers: BTreeMap<u32, Result<Value, Failure>>,
    unreported: Option<Failure>,
    /// The commands that it has not taken yet.
    commands: usize,
    body: Option<Body>,
    /// The operations of each call that it has entered, a bit for each, and which calls it has left.
    entered: [u32; 4],
    left: [bool; 4],
    steps: usize,
    pub(super) ready: usize,
    pub(super) fault: Option<(Fault, usize, usize)>,
    pub(super) struck: bool,
    /// It does nothing any more.
    pub(super) halted: bool,
    /// Who has what it gave to the operation that it was halted in.
    gave: u32,
    /// The dead workers that it knows of.
    pub(super) misses: u32,
    pub(super) lost: bool,
    told: usize,
    pub(super) last: [u64; 2],
}

/// A call that a worker runs.
#[derive(Clone, Copy)]
struct Body {
    call: usize,
    target: Register,
    op: usize,
    inside: bool,
}

/// A worker's end of the channel.
struct Wire {
    id: Id,
    order: Mutex<Option<Order>>,
    /// What was not flushed yet.
    kept: Mutex<Vec<Packet>>,
}

impl Link for Wire {
    fn next(&self) -> Result<Option<Order>> {
        Ok(lock(&self.order).take())
    }

    fn push(&self, packet: Packet) -> Result<()> {
        lock(&self.kept).push(packet);
        Ok(())
    }

    fn flush(&self) {
        lock(&self.kept).drain(..).for_each(|packet| send(self.id, Happening::Up(packet)));
    }

    fn transport(&self) -> &'static dyn Transport {
        &PeerMemory
    }
}

impl MadeUp {
    pub(super) fn new(id: Id, config: &Config) -> Self {
        let wire = Arc::new(Wire { id, order: Mutex::default(), kept: Mutex::default() });
        let name = format!("worker {} of {}", id.1, config.workers);
        let remote = Arc::new(Remote::new(name, Arc::clone(&wire) as Arc<dyn Link>));
        Self {
            end: remote,
            wire,
            groups: config.groups,
            registers: BTreeMap::new(),
            unreported: None,
            commands: 0,
            body: None,
            entered: [0; 4],
            left: [false; 4],
            steps: 0,
            ready: 0,
            fault: None,
            struck: false,
            halted: false,
            gave: 0,
            misses: 0,
            lost: false,
            told: 0,
            last: [0; 2],
        }
    }

    fn tell(&self, event: Event) -> Result<(), Failure> {
        self.end.tell(self.wire.id.1, event)
    }

    fn fill(&mut self, register: Register, content: Result<Value, Failure>) {
        if let Err(failure) = &content {
            self.unreported.get_or_insert_with(|| failure.clone());
        }
        self.registers.insert(register.0, content);
    }

    fn answer(&mut self, request: u64, outcome: Result<Value, Failure>) {
        self.unreported.take_if(|unreported| outcome.as_ref().err() == Some(unreported));
        self.end.send(Reply { request, outcome });
    }

    fn content(&self, register: Register) -> Result<Value, Failure> {
        let empty = || Failure {
            kind: ErrorKind::Protocol,
            text: format!("register {} is empty", register.0),
            closes: false,
        };
        self.registers.get(&register.0).cloned().unwrap_or_else(|| Err(empty()))
    }

    /// Runs a command, or begins a call.
    fn run(&mut self, command: Command) {
        match command {
            Command::Call { call, function, target, .. } => {
                if let Some(failure) = self.end.closed().cloned() {
                    self.registers.insert(target.0, Err(failure));
                    return;
                }
                let _ = self.tell(Event::Begin { call, function });
                self.body = Some(Body { call: call as usize, target, op: 0, inside: false });
            }
            Command::Set { register, value } => self.fill(register, Ok(value)),
            Command::Free { registers } => {
                registers.iter().for_each(|register| drop(self.registers.remove(&register.0)));
            }
            Command::Fetch { request, register } => self.answer(request, self.content(register)),
            Command::Await { request, register } => {
                self.answer(request, self.content(register).map(|_| Value::None));
            }
            Command::Sync { request } => {
                let outcome = self.unreported.clone().map_or(Ok(Value::None), Err);
                self.answer(request, outcome);
            }
            Command::Replace { .. } => unreachable!("no caller replaces"),
            Command::Shutdown => {
                self.wire.flush();
                self.halted = true;
                send(self.wire.id, Happening::Lost(true));
            }
        }
    }

    /// Ends a call, as [`Worker::end`](crate::Worker) does.
    fn leave(&mut self, body: Body, outcome: Result<Value, Failure>) {
        let (remote, call) = (Arc::clone(&self.end), body.call - 1);
        if let Some(left) = self.left.get_mut(call) {
            *left = true;
        }
        let missed = self.tell(Event::End { failure: outcome.as_ref().err().cloned() });
        let fatal = outcome.as_ref().err().filter(|failure| failure.closes);
        if let Some(failure) = missed.err().as_ref().or(fatal) {
            remote.close(failure.clone());
        }
        self.body = None;
        self.fill(body.target, remote.closed().cloned().map_or(outcome, Err));
    }
}

impl Epoch {
    /// Whom a worker waits for in an operation.
    fn peers(&self, worker: usize, op: Op) -> Option<u32> {
        let n = self.workers.len();
        let mask = match op {
            Op::Collective(Scope::All) => (1 << n) - 1,
            Op::Collective(Scope::Group) => {
                let size = n / self.workers[worker].groups;
                ((1 << size) - 1) << (worker / size * size)
            }
            Op::Message { from, to, .. } if worker == from || worker == to => 1 << from | 1 << to,
            Op::Message { .. } => return None,
        };
        Some(mask & !(1 << worker))
    }

    fn op(&self, body: Body) -> Option<Op> {
        self.program.get(body.call - 1)?.get(body.op).copied()
    }

    /// Those that a worker waits for, of whom this holds.
    fn awaited(&self, worker: usize, of: impl Fn(&MadeUp, usize) -> bool) -> bool {
        let Some(body) = self.workers[worker].body.filter(|body| body.inside) else { return false };
        let peers = self.op(body).and_then(|op| self.peers(worker, op)).unwrap_or(0);
        let waits = |(peer, other): (usize, &MadeUp)| {
            let come = other.entered[body.call - 1] >> body.op & 1 == 1;
            let gives =
                !other.halted || other.body.is_none_or(|b| b.call > body.call || b.op > body.op);
            let has = come && (gives || other.gave >> worker & 1 == 1);
            peers >> peer & 1 == 1 && !has && of(other, peer)
        };
        self.workers.iter().enumerate().any(waits)
    }

    /// What a worker tells before an operation that it takes part in.
    fn event(&self, worker: usize, op: Op) -> Option<Event> {
        self.peers(worker, op)?;
        Some(match op {
            Op::Collective(scope) => Event::Enter { scope, name: "all_reduce".into() },
            Op::Message { from, to, .. } if worker == from => {
                Event::Exchange { direction: Direction::Send, peer: to }
            }
            Op::Message { from, .. } => Event::Exchange { direction: Direction::Recv, peer: from },
        })
    }

    /// Whether an operation is over for a worker in it: all have come, or it has failed.
    fn has_passed(&self, worker: usize, op: Option<Op>) -> bool {
        let (n, state) = (self.workers.len(), &self.workers[worker]);
        let misses = |_: &MadeUp, peer: usize| state.misses >> peer & 1 == 1;
        let remote = &state.end;
        if self.awaited(worker, misses) {
            let text = format!("worker {worker} of {n}: message failed: a rank of {n} died");
            remote.close(Failure { kind: ErrorKind::Aborted, text, closes: true });
        }
        let kept = matches!(op, Some(Op::Message { from, kept: true, .. }) if from == worker);
        kept || remote.closed().is_some() || !self.awaited(worker, |_, _| true)
    }

    /// Whether a worker waits for one that has left the call and will not come.
    fn waits_in_vain(&self, worker: usize) -> bool {
        let call = self.workers[worker].body.map_or(0, |body| body.call - 1);
        self.awaited(worker, |other, _| other.left[call])
    }
}

impl World {
    /// A worker hears an order.
    pub(super) fn hear(&mut self, id: Id, order: Order) {
        let (epoch, worker) = id;
        if self.epochs[epoch].workers[worker].halted {
            return;
        }
        if !matches!(order, Order::Ping(_)) {
            self.note(|| format!("epoch {epoch}: worker {worker} hears {order:?}"));
        }
        let vain = self.epochs[epoch].waits_in_vain(worker);
        let state = &mut self.epochs[epoch].workers[worker];
        state.commands += usize::from(matches!(order, Order::Command(_)));
        state.told += usize::from(matches!(order, Order::Close(_)));
        let absent = matches!(order, Order::Absent { .. });
        let before = state.end.closed().is_some();
        *lock(&state.wire.order) = Some(order);
        state.end.next();
        if absent && !before && !vain && state.end.closed().is_some() {
            let wrong = format!("worker {worker} does not wait for one that has left");
            self.wrong.get_or_insert(wrong);
        } else if state.told > 1 {
            self.wrong.get_or_insert(format!("worker {worker} is told twice"));
        }
        let delay = 1 + self.random.below(50);
        self.after(delay, id, Happening::Step);
    }

    /// A worker dies or stops, wherever it is.
    fn halt(&mut self, id: Id, fault: Fault) {
        let (epoch, worker) = id;
        self.note(|| format!("epoch {epoch}: worker {worker} {fault:?}"));
        let gave = self.random.below(1 << 8) as u32;
        let state = &mut self.epochs[epoch].workers[worker];
        (state.struck, state.halted, state.gave) = (true, true, gave);
        if fault == Fault::Stops {
            return;
        }
        send(id, Happening::Lost(false));
        for other in (0..self.epochs[epoch].workers.len()).filter(|&other| other != worker) {
            let delay = 1 + self.random.below(30_000);
            self.after(delay, (epoch, other), Happening::Missed(worker));
        }
    }

    pub(super) fn step(&mut self, id: Id) {
        let state = &mut self.epochs[id.0].workers[id.1];
        if state.halted {
            return;
        }
        state.steps += 1;
        if let Some((fault @ (Fault::Dies | Fault::Stops), at, _)) = state.fault
            && state.steps > at
        {
            return self.halt(id, fault);
        }
        if state.steps == 1 {
            for _ in 0..state.groups.min(2) {
                state.end.send(Reply { request: READY, outcome: Ok(Value::None) });
            }
        } else if let Some(body) = state.body {
            return self.go_on_in(id, body);
        } else if state.commands == 0 {
            // The listener tells so.
            state.wire.flush();
            return;
        } else if let Some(command) = state.end.receive() {
            state.commands -= 1;
            state.run(command);
        }
        let delay = 1 + self.random.below(200);
        self.after(delay, id, Happening::Step);
    }

    /// A worker goes on in a call.
    fn go_on_in(&mut self, id: Id, body: Body) {
        let (epoch, worker) = (&mut self.epochs[id.0], id.1);
        let op = epoch.op(body);
        let event = op.and_then(|op| epoch.event(worker, op));
        if body.inside && !epoch.has_passed(worker, op) {
            return;
        }
        let remote = Arc::clone(&epoch.workers[worker].end);
        let left = || remote.closed().cloned().map(Err);
        let next = Body { op: body.op + 1, inside: false, ..body };
        if body.inside {
            let message = matches!(op, Some(Op::Message { .. }));
            let back = if message { Event::Exchanged } else { Event::Leave { joined: 1 } };
            let _ = epoch.workers[worker].tell(back);
            epoch.workers[worker].body = Some(next);
        } else if let Some(outcome) = left().or_else(|| self.strike(id, body)) {
            self.epochs[id.0].workers[worker].leave(body, outcome);
        } else if let Some(event) = event {
            self.enter(id, body, event);
        } else if op.is_some() {
            self.epochs[id.0].workers[worker].body = Some(next);
        } else {
            let value = (id.0 as i64 + 1) << 16 | (body.call as i64) << 8 | worker as i64;
            self.epochs[id.0].workers[worker].leave(body, Ok(Value::Int(value)));
        }
        let delay = 1 + self.random.below(200);
        self.after(delay, id, Happening::Step);
    }

    fn enter(&mut self, id: Id, body: Body, event: Event) {
        let state = &mut self.epochs[id.0].workers[id.1];
        if let Err(failure) = state.tell(event) {
            return state.leave(body, Err(failure));
        }
        state.body = Some(Body { inside: true, ..body });
        state.entered[body.call - 1] |= 1 << body.op;
        // Whoever waits may go on.
        for other in (0..self.epochs[id.0].workers.len()).filter(|&other| other != id.1) {
            let delay = 1 + self.random.below(100);
            self.after(delay, (id.0, other), Happening::Step);
        }
    }

    /// What a call comes to, if the worker's fault strikes here.
    fn strike(&mut self, (epoch, worker): Id, body: Body) -> Option<Result<Value, Failure>> {
        let n = self.epochs[epoch].workers.len();
        let state = &mut self.epochs[epoch].workers[worker];
        let (fault, call, op) = state.fault?;
        let here = matches!(fault, Fault::Fails | Fault::Panics | Fault::Leaves);
        if !here || state.struck || (call, op) != (body.call - 1, body.op) {
            return None;
        }
        state.struck = true;
        self.note(|| format!("epoch {epoch}: worker {worker} {fault:?}"));
        Some(match fault {
            Fault::Leaves => {
                let value = (epoch as i64 + 1) << 16 | (body.call as i64) << 8 | worker as i64;
                Ok(Value::Int(value))
            }
            _ => Err(Failure {
                kind: if fault == Fault::Panics { ErrorKind::Panic } else { ErrorKind::Shape },
                text: format!("worker {worker} of {n}: {fault:?}"),
                closes: fault == Fault::Panics,
            }),
        })
    }
}
