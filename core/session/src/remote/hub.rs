//! What the controller makes of what it hears from worker processes: a state machine without I/O.

use super::{Ending, STOPPED};
use crate::progress::{Circle, LOOK, Missing, Observer, Progress};
use crate::protocol::{Failure, Order, Report};
use ringwood_base::ErrorKind;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Watches the workers of a session: who waits for whom in vain, who has died, who is silent. Time is
/// counted from the start of the session. What a method returns is to be sent.
pub(super) struct Hub {
    progress: Arc<Progress>,
    lines: Vec<Line>,
    /// How long a worker may be silent.
    silence: Duration,
    /// A failure that may be the consequence of a death that is not known yet, and until when.
    suspected: Option<(Failure, Duration)>,
    /// Workers that wait for each other, and those of them that have said that they still do.
    circle: Option<Circle>,
    confirmed: BTreeSet<usize>,
    last_tick: Duration,
    /// The workers were told to end: those that end well have not failed.
    pub(super) ending: bool,
    /// A signal to a worker has ended the session.
    pub(super) killed: bool,
}

/// What is known of one worker.
struct Line {
    /// The process, in words.
    name: String,
    heard: Duration,
    pinged: Duration,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Starting,
    Ready,
    Gone,
}

/// Workers that miss a dead one may tell so before its death is seen.
pub(super) const REASON: Duration = Duration::from_millis(50);

/// What goes to which worker.
pub(super) type Orders = Vec<(usize, Order)>;

impl Hub {
    pub(super) fn new(progress: Arc<Progress>, workers: usize, silence: Duration) -> Self {
        let line = |rank| Line {
            name: format!("worker {rank} of {workers}"),
            heard: Duration::ZERO,
            pinged: Duration::ZERO,
            state: State::Starting,
        };
        let lines = (0..workers).map(line).collect();
        let (suspected, circle, confirmed) = (None, None, BTreeSet::new());
        let (last_tick, ending, killed) = (Duration::ZERO, false, false);
        Self { progress, lines, silence, suspected, circle, confirmed, last_tick, ending, killed }
    }

    /// A worker has this name, too.
    pub(super) fn started(&mut self, worker: usize, name: &str) {
        let line = &mut self.lines[worker];
        line.name = format!("{} ({name})", line.name);
    }

    /// A worker has said why it does not start: that it ends then says less.
    pub(super) fn refused(&mut self, worker: usize) {
        self.lines[worker].state = State::Gone;
    }

    /// Something of a worker has come.
    pub(super) fn heard(&mut self, now: Duration, worker: usize) {
        let line = &mut self.lines[worker];
        line.heard = now;
        if line.state == State::Starting {
            line.state = State::Ready;
        }
    }

    /// A worker has said this.
    pub(super) fn receive(&mut self, now: Duration, worker: usize, report: Report) -> Orders {
        match report {
            // For whoever asked.
            Report::Reply(_) | Report::Done(_) => {}
            Report::Pong(wait) => {
                let Some(circle) = &self.circle else { return Vec::new() };
                if circle.members.contains(&(worker, wait)) {
                    self.confirmed.insert(worker);
                }
                if self.confirmed.len() == circle.members.len() {
                    let failure = circle.failure.clone();
                    return self.close(failure);
                }
            }
            Report::Event(event) => {
                let missing = self.progress.note(worker, event);
                if self.progress.closed().is_none() {
                    let absent = |Missing { waiter, wait, failure }| {
                        (waiter, Order::Absent { wait, failure })
                    };
                    return missing.into_iter().map(absent).collect();
                }
            }
            Report::Close(failure) if failure.kind == ErrorKind::Aborted => {
                self.suspect(now, failure);
            }
            Report::Close(failure) => return self.close(failure),
        }
        Vec::new()
    }

    /// A failure ends the session in a moment, unless the death that it may be the consequence of is known before.
    pub(super) fn suspect(&mut self, now: Duration, failure: Failure) {
        if self.progress.closed().is_none() {
            self.suspected.get_or_insert((failure, now + REASON));
        }
    }

    /// Whether the tick of this time tells such a failure.
    pub(super) fn suspects(&self, now: Duration) -> bool {
        self.suspected.as_ref().is_some_and(|(_, until)| now >= *until)
    }

    /// The process of a worker has ended, or its stream cannot be read any more.
    pub(super) fn lost(&mut self, worker: usize, how: &Ending) -> Orders {
        let line = &mut self.lines[worker];
        let before = std::mem::replace(&mut line.state, State::Gone);
        if before == State::Gone || (self.ending && matches!(how, Ending::Well(_))) {
            return Vec::new();
        }
        self.killed |= matches!(how, Ending::Killed(_)) && self.progress.closed().is_none();
        let text = match before {
            State::Starting => format!("{} {how} before it was ready", line.name),
            _ => format!("{} {how}; it {}", line.name, self.progress.activity(worker)),
        };
        self.close(Failure::closing(ErrorKind::Aborted, text))
    }

    /// Time has passed; `state` says what the system knows of a worker's process.
    pub(super) fn tick(&mut self, now: Duration, state: impl Fn(usize) -> String) -> Orders {
        if let Some((failure, _)) = self.suspected.take_if(|(_, until)| now >= *until) {
            return self.close(failure);
        }
        let interval = self.interval();
        // Who was stopped itself cannot tell how long others were silent.
        let asleep = now.saturating_sub(self.last_tick) > interval * 2;
        self.last_tick = now;
        let mut orders = self.ask_those_in_a_circle(now);
        let mut silent = None;
        for (worker, line) in self.lines.iter_mut().enumerate() {
            if line.state == State::Gone {
                continue;
            }
            if asleep {
                line.heard = now;
            }
            let since = now.saturating_sub(line.heard);
            // One that starts is silent until it is ready.
            if since >= self.silence && (line.state == State::Ready || state(worker) == STOPPED) {
                silent.get_or_insert((worker, since));
            } else if since.min(now.saturating_sub(line.pinged)) >= interval
                && line.state == State::Ready
            {
                line.pinged = now;
                orders.push((worker, Order::Ping(0)));
            }
        }
        let Some((worker, since)) = silent else { return orders };
        let text = format!(
            "{} has been silent for {:.1} s{}; it {}",
            self.lines[worker].name,
            since.as_secs_f64(),
            state(worker),
            match self.lines[worker].state {
                State::Starting => "was not ready yet".into(),
                _ => self.progress.activity(worker),
            }
        );
        self.close(Failure::closing(ErrorKind::Timeout, text))
    }

    /// Asks workers that wait for each other whether they still do: that they do not may not have come yet. Those that
    /// have said so since the same circle was seen first are not asked again.
    fn ask_those_in_a_circle(&mut self, now: Duration) -> Orders {
        let Some(circle) = self.progress.look(now) else { return Vec::new() };
        if self.circle.as_ref().is_none_or(|before| before.members != circle.members) {
            self.confirmed.clear();
        }
        let asked = circle.members.iter().filter(|(worker, _)| !self.confirmed.contains(worker));
        let orders = asked.map(|&(worker, wait)| (worker, Order::Ping(wait))).collect();
        self.circle = Some(circle);
        orders
    }

    /// Ends the session with a failure, unless one did before: every worker is told.
    pub(super) fn close(&mut self, failure: Failure) -> Orders {
        if self.progress.closed().is_some() {
            return Vec::new();
        }
        self.suspected = None;
        let failure = self.progress.close(failure).clone();
        let live = |(_, line): &(usize, &Line)| line.state != State::Gone;
        let told = self.lines.iter().enumerate().filter(live);
        told.map(|(worker, _)| (worker, Order::Close(failure.clone()))).collect()
    }

    /// After what time at most the next tick is due.
    pub(super) fn patience(&self, now: Duration) -> Duration {
        let suspicion = self.suspected.as_ref().map(|(_, until)| until.saturating_sub(now));
        let look = self.progress.is_watched().then_some(LOOK);
        self.interval().min(suspicion.unwrap_or(Duration::MAX)).min(look.unwrap_or(Duration::MAX))
    }

    /// From one ping to the next.
    fn interval(&self) -> Duration {
        (self.silence / 4).clamp(Duration::from_millis(1), Duration::from_secs(1))
    }
}

#[cfg(test)]
mod tests;
