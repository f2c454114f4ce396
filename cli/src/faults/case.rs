//! One case: a fault put into a session in a process of its own, and what came of it.

mod course;

use super::kind::Kind;
use super::table::{Phase, Row};
use super::{acts, system};
use crate::session::{DRef, Session, SessionBuilder};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The workers of a session that a fault is put into.
pub(super) const WORKERS: usize = 3;
/// How long a worker may be silent, and how long anything may take where no fault is waited for.
pub(super) const SILENCE: Duration = Duration::from_secs(2);
const TIMEOUT: Duration = Duration::from_secs(20);

pub(super) struct Case {
    pub(super) row: &'static Row,
    pub(super) phase: Phase,
    pub(super) kind: &'static Kind,
    /// Whom the fault hits.
    pub(super) victim: usize,
    pub(super) trial: u64,
    pub(super) long: bool,
}

/// What a fault led to.
#[derive(Default)]
pub(super) struct Seen {
    /// What was reported, all of it: to each worker in turn where each is told.
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
    /// What an outcome says: nothing, or its error.
    pub(super) fn of<T>(outcome: Result<T>, since: Instant) -> Self {
        match outcome {
            Ok(_) => Self::default(),
            Err(error) => Self { said: vec![error.to_string()], ..Self::nothing(since) },
        }
    }

    /// Nothing has gone wrong, and nothing should.
    pub(super) fn nothing(since: Instant) -> Self {
        Self { took: since.elapsed(), ..Self::default() }
    }
}

impl Case {
    pub(super) fn new(
        (number, row): (usize, &'static Row),
        phase: Phase,
        kind: &'static Kind,
        trial: u64,
        long: bool,
    ) -> Self {
        // Rows that name a worker mean that one; others hit each in turn.
        let victim = match row.name.ends_with("worker 0") {
            true => 0,
            false => (number + phase as usize + trial as usize) % WORKERS,
        };
        Self { row, phase, kind, victim, trial, long }
    }

    pub(super) fn is(&self, kind: &str) -> bool {
        self.kind.session == kind
    }

    pub(super) fn builder(&self) -> SessionBuilder {
        // Other drivers take their time to load, and handle signals.
        let builder = Session::builder().kind(self.kind.session).workers(WORKERS).devices(["cpu"]);
        builder.timeout(TIMEOUT).silence(SILENCE).output(|_, _, _| ())
    }

    pub(super) fn session(&self) -> Result<Session> {
        let session = self.builder().start()?;
        session.sync()?;
        Ok(session)
    }

    /// Does in a session what harms nobody: nothing is to be reported, and the session ends as ever.
    pub(super) fn unharmed(&self, does: impl FnOnce(&Session) -> Result<()>) -> Result<Seen> {
        let session = self.session()?;
        let start = Instant::now();
        does(&session)?;
        self.is_right(&session)?;
        session.shutdown()?;
        Ok(Seen::nothing(start))
    }

    /// What is reported of something that a session refuses, which then still works.
    pub(super) fn refused<T>(&self, asks: impl FnOnce(&Session) -> Result<T>) -> Result<Seen> {
        let session = self.session()?;
        let start = Instant::now();
        let seen = Seen::of(asks(&session), start);
        self.is_right(&session)?;
        Ok(seen)
    }

    /// Has the victim do `act` in this case's phase.
    pub(super) fn act(&self, session: &Session, act: &str) -> Result<DRef<f64>> {
        acts::act::call(session, self.victim, self.phase.to_string(), act.to_owned())
    }

    /// Puts the fault in and judges what comes of it: what was said, whether a new session works, what is left.
    pub(super) fn judge(&self) -> Verdict {
        // What is made once for all is there after the first session.
        let before = self.healthy().map(|()| system::held());
        let outcome = before.and_then(|before| {
            let seen = (self.row.inject)(self)?;
            if self.ends_job().is_none() {
                self.healthy()?;
            }
            Ok((before, seen))
        });
        let (before, seen) = match outcome {
            Ok(outcome) => outcome,
            Err(error) => return Verdict { text: error.to_string(), ..Verdict::default() },
        };
        // A launcher that ends the job gives no time to look.
        let looks = self.ends_job().is_none();
        let more = || {
            let now = system::held().into_iter().zip(before).zip(system::HELD);
            now.filter(|((now, before), _)| looks && now > before)
                .map(|((now, before), what)| format!("{now} {what} after {before}"))
                .collect::<Vec<_>>()
        };
        system::until(Duration::from_secs(2), || more().is_empty());
        let pattern = self.pattern(seen.process);
        // A collective that is refused, whoever differs, ends with an error on each worker.
        let refused = self.phase == Phase::Collective && pattern.starts_with("worker *of 3");
        let to_each = !refused || seen.said.len() % WORKERS == 0;
        Verdict {
            detected: seen.said.is_empty() == pattern.is_empty() && to_each,
            named: seen.said.iter().all(|text| matches_one(text, &pattern))
                && seen.said.chunks(WORKERS).all(have_one_cause),
            seconds: seen.took.as_secs_f64(),
            leaks: more(),
            text: {
                let mut said = seen.said;
                said.dedup();
                said.join("\n")
            },
        }
    }

    /// What is to be said where the fault ends the job of this case.
    pub(super) fn ends_job(&self) -> Option<&'static str> {
        self.row.job.filter(|_| self.kind.launcher.is_some())
    }

    /// What is to be said, with the names of this case.
    pub(super) fn pattern(&self, process: Option<u32>) -> String {
        let rank = self.victim + 1;
        let named = match (process, self.kind.launcher) {
            (Some(number), None) => format!(" (process {number})"),
            (Some(number), Some(_)) => format!(" (rank {rank}, process {number})"),
            // One that has ended before it was found has some number.
            (None, None) if self.is("processes") => " (process *)".to_owned(),
            (None, _) => String::new(),
        };
        let worker = format!("worker {} of {WORKERS}", self.victim);
        let doing = match self.phase {
            Phase::Idle => "is between two operations",
            Phase::Call => "runs `fault_act`, call ",
            _ => "",
        };
        let says = self.ends_job().unwrap_or(self.row.says);
        let says = says.replace("{worker}", &(worker + &named)).replace("{doing}", doing);
        let says = says.replace("{victim}", &self.victim.to_string());
        let number = process.unwrap_or_default().to_string();
        says.replace("{rank}", &rank.to_string()).replace("{process}", &number)
    }

    /// Whether a session without a fault gives the right bits.
    fn healthy(&self) -> Result<()> {
        let session = self.builder().workers(2).start()?;
        self.is_right(&session)?;
        session.shutdown()
    }

    pub(super) fn is_right(&self, session: &Session) -> Result<()> {
        self.are_right(&acts::sum::call(session)?.gather()?)
    }

    /// Whether the sums of `fault_sum` are.
    pub(super) fn are_right(&self, sums: &[f64]) -> Result<()> {
        let n = sums.len() as f64;
        wrong_unless(sums.iter().all(|sum| *sum == n * n / 2.0), || format!("sums are {sums:?}"))
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
    if right { Ok(()) } else { Err(Error::backend(what())) }
}

/// Whether all errors have one cause, whoever reports it: what they add says who waited for whom.
fn have_one_cause(said: &[String]) -> bool {
    let of = format!(" of {WORKERS}: ");
    let cause = |text: &'_ str| match text.split_once(&of) {
        Some((who, cause)) if who.starts_with("worker ") => cause.to_owned(),
        _ => text.to_owned(),
    };
    let causes: Vec<_> = said.iter().map(|text| cause(text)).collect();
    let shortest = causes.iter().min_by_key(|cause| cause.len());
    shortest.is_none_or(|first| causes.iter().all(|cause| cause.starts_with(&**first)))
}

/// The number in ` (process 17)`.
pub(super) fn process_in(text: &str) -> Option<u32> {
    text.split_once(" (process ")?.1.split_once(')')?.0.parse().ok()
}

/// Whether one of the patterns between bars matches a text.
pub(super) fn matches_one(text: &str, patterns: &str) -> bool {
    patterns.split('|').any(|pattern| matches(text, pattern))
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
