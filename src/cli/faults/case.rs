//! One case: a fault put into a session in a process of its own, and what came of it.

use super::table::{Phase, Row};
use super::{acts, system};
use crate::session::{HostTensor, Session, SessionBuilder};
use crate::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The workers of a session that a fault is put into.
pub(super) const WORKERS: usize = 3;
/// How long a worker may be silent, and how long anything may take where no fault is waited for.
pub(super) const SILENCE: Duration = Duration::from_secs(2);
const TIMEOUT: Duration = Duration::from_secs(20);

pub(super) struct Case {
    pub(super) row: &'static Row,
    pub(super) phase: Phase,
    pub(super) kind: &'static str,
    /// Whom the fault hits.
    pub(super) victim: usize,
    pub(super) trial: u64,
    pub(super) long: bool,
}

/// What a fault led to.
#[derive(Default)]
pub(super) struct Seen {
    /// What was reported, all of it.
    pub(super) said: Vec<String>,
    /// From the fault to the last report.
    pub(super) took: Duration,
    /// The victim's process, if it has one of its own.
    pub(super) process: Option<u32>,
}

/// What is made of it.
#[derive(Default, Deserialize, Serialize)]
pub(super) struct Verdict {
    pub(super) detected: bool,
    pub(super) named: bool,
    pub(super) seconds: f64,
    pub(super) leaks: Vec<String>,
    pub(super) text: String,
}

impl Seen {
    pub(super) fn of(error: &Error, since: Instant) -> Self {
        Self { said: vec![error.to_string()], took: since.elapsed(), process: None }
    }

    /// Nothing has gone wrong, and nothing should.
    pub(super) fn nothing(since: Instant) -> Self {
        Self { took: since.elapsed(), ..Self::default() }
    }
}

impl Case {
    pub(super) fn new(
        row: &'static Row,
        phase: Phase,
        kind: &'static str,
        trial: u64,
        long: bool,
    ) -> Self {
        // Rows that name a worker mean that one; others hit each in turn.
        let victim = match row.name.ends_with("worker 0") {
            true => 0,
            false => (row.bound as usize + phase as usize + trial as usize) % WORKERS,
        };
        Self { row, phase, kind, victim, trial, long }
    }

    pub(super) fn is(&self, kind: &str) -> bool {
        self.kind == kind
    }

    pub(super) fn builder(&self) -> SessionBuilder {
        // Other drivers take their time to load, and handle signals.
        let builder = Session::builder().kind(self.kind).workers(WORKERS).devices(["cpu"]);
        builder.timeout(TIMEOUT).silence(SILENCE).output(|_, _, _| ())
    }

    pub(super) fn session(&self) -> Result<Session> {
        let session = self.builder().start()?;
        session.sync()?;
        Ok(session)
    }

    /// Puts the fault in and judges what comes of it: what was said, whether a new session works, what is left.
    pub(super) fn judge(&self) -> Verdict {
        // What is made once for all is there after the first session.
        let before = self.healthy().map(|()| system::held());
        let outcome = before.and_then(|before| {
            let seen = (self.row.inject)(self)?;
            self.healthy()?;
            Ok((before, seen))
        });
        let (before, seen) = match outcome {
            Ok(outcome) => outcome,
            Err(error) => return Verdict { text: error.to_string(), ..Verdict::default() },
        };
        let more = || {
            let now = system::held().into_iter().zip(before).zip(system::HELD);
            now.filter(|((now, before), _)| now > before)
                .map(|((now, before), what)| format!("{now} {what} after {before}"))
                .collect::<Vec<_>>()
        };
        system::until(Duration::from_secs(2), || more().is_empty());
        let harmless = self.row.says.is_empty();
        let pattern = self.pattern(seen.process);
        let names = |text: &String| pattern.split('|').any(|pattern| matches(text, pattern));
        Verdict {
            detected: seen.said.is_empty() == harmless,
            named: seen.said.iter().all(names),
            seconds: seen.took.as_secs_f64(),
            leaks: more(),
            text: {
                let mut said = seen.said;
                said.dedup();
                said.join("\n")
            },
        }
    }

    /// What is to be said, with the names of this case.
    fn pattern(&self, process: Option<u32>) -> String {
        let process = process.map_or(String::new(), |number| format!(" (process {number})"));
        let worker = format!("worker {} of {WORKERS}", self.victim);
        let doing = match self.phase {
            Phase::Idle => "is between two operations",
            Phase::Call => "runs `fault_act`, call ",
            _ => "",
        };
        let filled = self.row.says.replace("{worker}", &(worker + &process));
        filled.replace("{victim}", &self.victim.to_string()).replace("{doing}", doing)
    }

    /// Whether a session without a fault gives the right bits.
    fn healthy(&self) -> Result<()> {
        let session = self.builder().workers(2).start()?;
        self.is_right(&session)?;
        session.shutdown()
    }

    pub(super) fn is_right(&self, session: &Session) -> Result<()> {
        let sums = acts::sum::call(session)?.gather()?;
        let n = sums.len() as f64;
        wrong_unless(sums.iter().all(|sum| *sum == n * n / 2.0), || format!("sums are {sums:?}"))
    }

    /// Brings a session to this case's phase, strikes there (given the victim's process, if it has one), and gives
    /// what is reported.
    pub(super) fn struck(
        &self,
        builder: SessionBuilder,
        strike: impl FnOnce(u32) + Send,
    ) -> Result<Seen> {
        let struck = Mutex::new(None);
        let strike_after = |ms, process: u32| {
            std::thread::sleep(Duration::from_millis(ms));
            *struck.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
            strike(process);
        };
        let error = std::thread::scope(|scope| {
            if self.phase == Phase::Start {
                scope.spawn(|| strike_after(0, self.await_victim()));
                let started = builder.start().and_then(|session| first_failure(&session, TIMEOUT));
                return Ok((started.err(), None));
            }
            let session = builder.start()?;
            self.is_right(&session)?;
            let process = self.await_victim();
            let doing = self.doing(&session)?;
            scope.spawn(move || strike_after(20 + 13 * (self.trial % 5), process));
            let outcome = match self.phase {
                Phase::Transfer => self.transfer(&session),
                Phase::End => session.shutdown(),
                _ => first_failure(&session, TIMEOUT),
            };
            drop(doing);
            Ok::<_, Error>((outcome.err(), Some(process)))
        });
        let (error, process) = error?;
        let since = struck.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut seen = match error {
            Some(error) => Seen::of(&error, since.unwrap_or_else(Instant::now)),
            None => Seen::default(),
        };
        seen.process = process.or_else(|| seen.said.first().and_then(|said| process_in(said)));
        Ok(seen)
    }

    /// What the workers do in this phase.
    fn doing(&self, session: &Session) -> Result<Option<crate::session::DRef>> {
        let sleep = |ms: u64, who: usize| {
            let act = format!("sleep:{ms}");
            acts::act::call(session, who, "in a call".to_owned(), act).map(|d| Some(d.typed()))
        };
        match self.phase {
            Phase::Call => sleep(15_000, self.victim),
            Phase::End => (0..WORKERS).try_fold(None, |_, who| sleep(150, who)),
            Phase::Collective => acts::meet::call(session, self.victim).map(|d| Some(d.typed())),
            _ => Ok(None),
        }
    }

    /// Sends tensors to the workers and back until something fails.
    fn transfer(&self, session: &Session) -> Result<()> {
        let elements = vec![1.0_f32; 1 << 18];
        let tensor = HostTensor::new(&[1 << 18], &elements)?;
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            let back = acts::echo::call(session, tensor.clone(), acts::MARK.to_owned())?;
            let same = back.gather()?.iter().all(|back| *back == tensor);
            wrong_unless(same, || "a tensor came back changed".into())?;
        }
        Ok(())
    }

    /// The process of the victim, once it is there.
    pub(super) fn await_victim(&self) -> u32 {
        let name = format!("ringwood-worker {} of {WORKERS}", self.victim);
        let find = || system::children_of(std::process::id(), &name).first().copied();
        system::until(Duration::from_secs(10), || !self.is("processes") || find().is_some());
        find().unwrap_or(0)
    }

    /// The victim does `act` in this case's phase; what is reported of it.
    pub(super) fn acted(&self, builder: SessionBuilder, act: &str) -> Result<Seen> {
        let session = builder.start()?;
        self.is_right(&session)?;
        let process = self.await_victim();
        let place = self.phase.to_string();
        let start = Instant::now();
        let result = acts::act::call(&session, self.victim, place, act.to_owned())?;
        let outcomes: Vec<_> = (0..WORKERS).map(|worker| result.get(worker)).collect();
        let took = start.elapsed();
        let right = match self.phase {
            Phase::Call => 0.0,
            _ => WORKERS as f64,
        };
        let failed = |outcome: &Result<f64>| outcome.as_ref().err().map(ToString::to_string);
        let said: Vec<_> = outcomes.iter().filter_map(failed).collect();
        if said.is_empty() {
            let right = outcomes.iter().flatten().all(|sum| *sum == right);
            wrong_unless(right, || format!("results are {outcomes:?}"))?;
        }
        let goes_on = |said: &String| said.contains("the group is still usable");
        if self.phase == Phase::Collective && said.iter().all(goes_on) {
            self.is_right(&session)?;
        }
        let process = (process != 0).then_some(process);
        Ok(Seen { said, took, process })
    }
}

/// Waits until the session has failed, at most for a time.
pub(super) fn first_failure(session: &Session, within: Duration) -> Result<()> {
    let start = Instant::now();
    while start.elapsed() < within {
        session.sync()?;
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

pub(super) fn wrong_unless(right: bool, what: impl FnOnce() -> String) -> Result<()> {
    if right { Ok(()) } else { Err(Error::new(ErrorKind::Backend, what())) }
}

/// The number in ` (process 17)`.
pub(super) fn process_in(text: &str) -> Option<u32> {
    text.split_once(" (process ")?.1.split_once(')')?.0.parse().ok()
}

/// Whether the pieces of a pattern between its stars come in a text one after the other, the first one at
/// its start.
fn matches(text: &str, pattern: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    pieces.all(|piece| match rest.split_once(piece) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests;
