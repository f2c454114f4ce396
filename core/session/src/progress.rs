//! Where every worker is: its call, its collective.
//!
//! Workers of one process share a [`Progress`]. It sees at once what would otherwise be a hang: a
//! worker that has left a call, by an error or after fewer collectives than its peers, will not
//! come to the collective that they wait in. What takes a clock, it finds where it is asked to [look](Progress::look).

mod look;

pub(super) use look::{Circle, LOOK};

use super::answers::Answers;
use super::channel::GLANCE;
use super::protocol::{Direction, Event, Failure, Reply, Scope};
use ringwood_base::sync::lock;
use ringwood_base::{ErrorKind, Result};
use ringwood_collective::AbortHandle;
use ringwood_transport::flight::{Entry, Flight, Snapshot};
use ringwood_transport::list_numbers;
use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// What the workers of a session do, as far as is known.
pub struct Progress {
    tracks: Mutex<Vec<Track>>,
    /// The latest call that a worker has ended.
    ended: AtomicU64,
    looked: Mutex<look::Looked>,
    closing: OnceLock<Failure>,
    /// What releases the workers that wait in a collective.
    group: Option<AbortHandle>,
    /// What the workers record.
    flight: OnceLock<Arc<Flight>>,
    /// What the workers answer.
    pub(super) answers: Answers,
}

/// Who watches the workers, as a worker sees it.
pub(super) trait Observer: Send + Sync {
    /// Tells what a worker does.
    ///
    /// # Errors
    /// A wait that cannot end, of this worker or of another one: the failure that ends the session.
    fn tell(&self, rank: usize, event: Event) -> Result<(), Failure>;

    /// The failure that ended the session, if one did.
    fn closed(&self) -> Option<&Failure>;

    /// Ends the session with a failure, unless one did before, and releases the workers that wait in a
    /// collective; gives the failure that did, as far as this worker knows.
    fn close(&self, failure: Failure) -> &Failure;

    /// From where to know that a worker is in a message of a communicator: the messages begun.
    fn follow(&self, rank: usize, scope: Scope, begun: Arc<AtomicU64>);
}

/// A worker whose wait cannot end.
#[derive(Debug)]
pub(super) struct Missing {
    /// The worker.
    pub(super) waiter: usize,
    /// Which of its waits.
    pub(super) wait: u64,
    /// What ends the session.
    pub(super) failure: Failure,
}

/// What one worker does.
#[derive(Clone, Default)]
pub(super) struct Track {
    reached: Reached,
    function: Cow<'static, str>,
    running: bool,
    /// The group of workers that it is in.
    group: usize,
    /// The collectives that the worker has entered in all calls.
    collectives: u64,
    waiting: Option<Cow<'static, str>>,
    /// The waits so far, and the one that a look saw first, when it did.
    waits: u64,
    seen: (u64, Duration),
    /// Whom it waits for in a collective.
    scope: Scope,
    /// Where it waits in a message: the direction and the other worker.
    message: Option<(Direction, usize)>,
    /// The messages that the worker's communicators have begun: now, and when it last entered a
    /// collective, in the scope of that.
    begun: [Arc<AtomicU64>; 2],
    begun_before: u64,
    departures: VecDeque<Departure>,
}

/// How far a worker has come in one call.
#[derive(Clone, Default)]
struct Reached {
    call: u64,
    /// The collectives that it has entered, of each scope.
    collectives: [u64; 2],
    /// Its messages, by the other worker: to it and from it.
    messages: BTreeMap<usize, [u64; 2]>,
}

/// The end of one call on one worker.
#[derive(Clone)]
struct Departure {
    reached: Reached,
    failure: Option<Failure>,
}

impl Progress {
    /// For `groups` groups of equal numbers of workers, whose collectives end with `group`.
    pub(super) fn new(workers: usize, groups: usize, group: Option<AbortHandle>) -> Self {
        let track = |rank| Track { group: rank * groups / workers, ..Track::default() };
        let tracks = Mutex::new((0..workers).map(track).collect());
        let (ended, looked, closing, flight) = Default::default();
        let answers = Answers::new(workers);
        Self { tracks, ended, looked, closing, group, flight, answers }
    }

    /// The workers record in this memory.
    pub(super) fn record(&self, flight: Arc<Flight>) {
        let _ = self.flight.set(flight);
    }

    /// The last operations of all workers.
    pub(super) fn snapshot(&self) -> Snapshot {
        self.flight.get().map_or_else(Snapshot::default, |flight| flight.snapshot())
    }

    /// The reply of a worker; `None` if it did not come until the deadline or until the session ended. `hear` is
    /// [`Workers::hear`](crate::Workers::hear).
    ///
    /// # Errors
    /// The worker is gone.
    pub(super) fn receive(
        &self,
        worker: usize,
        request: u64,
        deadline: Instant,
        hear: impl Fn(usize) -> bool,
    ) -> Result<Option<Reply>> {
        let mut by = Instant::now();
        loop {
            let reply = self.answers.take(worker, request, by)?;
            let now = Instant::now();
            if reply.is_some() || now >= deadline || self.closed().is_some() {
                return Ok(reply);
            }
            by = if hear(worker) { now } else { deadline.min(now + GLANCE) };
        }
    }

    /// Notes what a worker does; the waits, of this worker or of others, that cannot end.
    pub(super) fn note(&self, rank: usize, event: Event) -> Vec<Missing> {
        let mut tracks = lock(&self.tracks);
        match event {
            Event::Begin { call, function } => begin(&mut tracks, rank, call, function),
            Event::End { failure } => return self.depart(&mut tracks, rank, failure),
            event => {
                let waits = matches!(event, Event::Enter { .. } | Event::Exchange { .. });
                tracks[rank].note(event, self.closed().is_some());
                if waits {
                    return self.check(&tracks, rank);
                }
            }
        }
        Vec::new()
    }

    /// The wait of `rank`, if it cannot end.
    fn check(&self, tracks: &[Track], rank: usize) -> Vec<Missing> {
        let ended = self.ended.load(Ordering::Relaxed) >= tracks[rank].reached.call;
        let absent = || absent_peer(tracks, rank, 0..if ended { tracks.len() } else { 0 });
        let failure = self.closed().cloned().or_else(absent);
        let missing = |failure| Missing { waiter: rank, wait: tracks[rank].waits, failure };
        failure.map(missing).into_iter().collect()
    }

    /// Notes that a worker has ended its call; the peers that wait in a collective of it that the worker has not
    /// joined. One may have left that already, and not told so yet.
    fn depart(&self, tracks: &mut [Track], rank: usize, failure: Option<Failure>) -> Vec<Missing> {
        let track = &mut tracks[rank];
        let (reached, call) = (track.reached.clone(), track.reached.call);
        track.note(Event::End { failure: None }, self.closed().is_some());
        track.running = false;
        track.departures.push_back(Departure { reached, failure });
        self.ended.fetch_max(call, Ordering::Relaxed);
        let waits =
            |peer: &usize| tracks[*peer].waiting.is_some() && tracks[*peer].reached.call == call;
        // They have been told of those that ended before.
        let missing = |waiter: usize| {
            let failure = absent_peer(tracks, waiter, rank..rank + 1)?;
            Some(Missing { waiter, wait: tracks[waiter].waits, failure })
        };
        (0..tracks.len()).filter(waits).filter_map(missing).collect()
    }

    /// What a worker does now, in words.
    pub(super) fn activity(&self, rank: usize) -> String {
        self.doing(rank).1
    }

    /// Whether a worker waits, and what it does now, in words.
    fn doing(&self, rank: usize) -> (bool, String) {
        let track = &lock(&self.tracks)[rank];
        if let Some(call) = self.unheard(rank, track.reached.call) {
            return (false, format!("runs `{}`, call {}", call.name, call.number));
        }
        let Track { function, reached: Reached { call, .. }, .. } = track;
        match track.place() {
            Some(place) => (true, format!("waits in {place} of `{function}`, call {call}")),
            None if track.running => (false, format!("runs `{function}`, call {call}")),
            None => (false, "is between two operations".into()),
        }
    }

    /// What workers do now, in words; of many, those that do the same together, and of many such groups those first that
    /// do not wait, since they hold up the others.
    pub(super) fn activities(&self, workers: &[usize]) -> String {
        if workers.len() <= GROUPS {
            let one = |&worker: &usize| together(&self.activity(worker), &[worker]);
            return workers.iter().map(one).collect::<Vec<_>>().join("; ");
        }
        let mut groups = Vec::<((bool, String), Vec<usize>)>::new();
        for &worker in workers {
            let doing = self.doing(worker);
            match groups.iter_mut().find(|(known, _)| *known == doing) {
                Some((_, same)) => same.push(worker),
                None => groups.push((doing, vec![worker])),
            }
        }
        if groups.len() > GROUPS {
            groups.sort_by_key(|((waits, _), _)| *waits);
        }
        let rest = groups.split_off(groups.len().min(GROUPS));
        let more = rest.iter().map(|(_, same)| same.len()).sum::<usize>();
        let more = (more > 0).then(|| format!("{more} more do something else"));
        let told = groups.iter().map(|((_, activity), workers)| together(activity, workers));
        told.chain(more).collect::<Vec<_>>().join("; ")
    }

    /// The call that a worker runs, if it has not told so yet.
    fn unheard(&self, rank: usize, told: u64) -> Option<Entry> {
        let call = self.flight.get()?.call(rank)?;
        (call.number > told).then_some(call)
    }
}

impl Observer for Progress {
    fn tell(&self, rank: usize, event: Event) -> Result<(), Failure> {
        match self.note(rank, event).into_iter().next() {
            Some(missing) => Err(missing.failure),
            None => Ok(()),
        }
    }

    fn closed(&self) -> Option<&Failure> {
        self.closing.get()
    }

    fn close(&self, failure: Failure) -> &Failure {
        let failure = self.closing.get_or_init(|| {
            self.flight.get().into_iter().for_each(|flight| flight.close());
            Failure { closes: true, ..failure }
        });
        if let Some(group) = &self.group {
            group.abort(failure.clone().into());
        }
        self.answers.close();
        failure
    }

    fn follow(&self, rank: usize, scope: Scope, begun: Arc<AtomicU64>) {
        lock(&self.tracks)[rank].follow(scope, begun);
    }
}

/// A worker begins a call; departures that nobody can miss any more are forgotten.
fn begin(tracks: &mut [Track], rank: usize, call: u64, function: Cow<'static, str>) {
    let track = &mut tracks[rank];
    (track.running, track.function) = (true, function);
    track.reached = Reached { call, ..Reached::default() };
    let oldest = tracks.iter().map(|t| t.reached.call).min().unwrap_or(0);
    for track in tracks {
        while track.departures.front().is_some_and(|d| d.reached.call < oldest) {
            track.departures.pop_front();
        }
    }
}

impl Track {
    /// From where to know the messages that a communicator has begun.
    pub(super) fn follow(&mut self, scope: Scope, begun: Arc<AtomicU64>) {
        self.begun[scope as usize] = begun;
    }

    /// Notes what the worker waits in, and that it does no more: one that the end of the session (`closed`) releases
    /// stays listed as waiting. The worker and who watches it count its waits alike.
    pub(super) fn note(&mut self, event: Event, closed: bool) {
        match event {
            Event::Enter { scope, name } => {
                self.begun_before = self.begun[scope as usize].load(Ordering::Relaxed);
                self.reached.collectives[scope as usize] += 1;
                self.collectives += 1;
                self.waits += 1;
                (self.waiting, self.scope) = (Some(name), scope);
            }
            Event::Exchange { direction, peer } => {
                self.reached.messages.entry(peer).or_default()[direction as usize] += 1;
                self.waits += 1;
                (self.waiting, self.message) =
                    (Some(direction.name().into()), Some((direction, peer)));
            }
            _ if closed => {}
            Event::Leave { joined } => {
                let entered = &mut self.reached.collectives[self.scope as usize];
                *entered = entered.saturating_add(joined).saturating_sub(1);
                self.waiting = None;
            }
            Event::Begin { .. } | Event::Exchanged | Event::End { .. } => {
                (self.waiting, self.message) = (None, None);
            }
        }
    }

    /// Whether it still is in this wait, for all workers or for the one of a message.
    pub(super) fn is_in(&self, wait: u64) -> bool {
        let in_vain = self.message.is_some() || !self.exchanges();
        self.waits == wait && self.waiting.is_some() && in_vain
    }

    /// What it waits in: `all_reduce #41`, `recv #1 from worker 2`.
    fn place(&self) -> Option<String> {
        let name = self.waiting.as_deref()?;
        Some(match self.message {
            Some((direction, peer)) => {
                let number = self.reached.messages(peer, direction as usize);
                format!("{name} #{number} {} worker {peer}", direction.way())
            }
            None => format!("{name} #{}", self.collectives),
        })
    }

    /// Whether the body of the collective exchanges messages: it waits for one worker, not for all.
    fn exchanges(&self) -> bool {
        self.begun[self.scope as usize].load(Ordering::Relaxed) > self.begun_before
    }

    /// Whether what it waits in lacks a worker that has come only so `far`; `rank` is its own number.
    fn lacks(&self, rank: usize, peer: usize, far: &Reached) -> bool {
        let (own, scope) = (&self.reached, self.scope as usize);
        let behind = match self.message {
            Some((direction, _)) => {
                let direction = direction as usize;
                far.messages(rank, 1 - direction) < own.messages(peer, direction)
            }
            None => far.collectives[scope] < own.collectives[scope],
        };
        far.call < own.call || (far.call == own.call && behind)
    }

    /// Whether it waits for a worker: the other one of a message, or whoever takes part in the collective.
    fn waits_for(&self, peer: usize, group: usize) -> bool {
        match self.message {
            Some((_, partner)) => partner == peer,
            None => !self.exchanges() && (self.scope == Scope::All || self.group == group),
        }
    }
}

impl Reached {
    /// The messages in one direction, to or from a worker.
    fn messages(&self, peer: usize, direction: usize) -> u64 {
        self.messages.get(&peer).map_or(0, |counts| counts[direction])
    }
}

/// So many workers, or groups of those that do the same, are told apart.
const GROUPS: usize = 16;

/// ``worker 3 runs `f`, call 2``, ``workers 0, 1 run `f`, call 2``.
fn together(activity: &str, workers: &[usize]) -> String {
    if let [one] = workers {
        return format!("worker {one} {activity}");
    }
    let (verb, rest) = activity.split_once(' ').unwrap_or((activity, ""));
    let verb = if verb == "is" { "are" } else { verb.trim_end_matches('s') };
    format!("workers {} {verb} {rest}", list_numbers(workers))
}

/// Why what `rank` waits in cannot complete: the first of these peers that has left the call without it has failed, or
/// else the workers disagree.
fn absent_peer(tracks: &[Track], rank: usize, mut peers: Range<usize>) -> Option<Failure> {
    let waiting = &tracks[rank];
    let Reached { call, collectives, .. } = &waiting.reached;
    let (peer, departure) = peers.find_map(|peer| {
        let Track { group, departures, .. } = &tracks[peer];
        let mut left = departures.iter().filter(|_| waiting.waits_for(peer, *group));
        let without =
            |d: &&Departure| d.reached.call == *call && waiting.lacks(rank, peer, &d.reached);
        left.find(without).map(|departure| (peer, departure))
    })?;
    if let Some(failure) = &departure.failure {
        return Some(Failure { closes: true, ..failure.clone() });
    }
    let (after, place) = match waiting.message {
        Some((direction, _)) => {
            (String::new(), format!("{} {} it", direction.name(), direction.way()))
        }
        None => {
            let scope = waiting.scope as usize;
            let of = if waiting.scope == Scope::Group { " of its group" } else { "" };
            let name = waiting.waiting.as_deref().unwrap_or("a collective");
            let after = format!(" after {} collectives{of}", departure.reached.collectives[scope]);
            (after, format!("{name}, its number {} of this call", collectives[scope]))
        }
    };
    let (function, n) = (&waiting.function, tracks.len());
    let text = format!(
        "workers disagree in `{function}`: worker {peer} of {n} returned{after}, worker {rank} waits in {place}"
    );
    Some(Failure::closing(ErrorKind::Mismatch, text))
}

#[cfg(test)]
mod tests;
