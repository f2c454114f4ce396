//! How a session comes to the phase of a case, and what comes of the fault there.

use super::{Case, Seen, TIMEOUT, WORKERS, first_failure, wrong_unless};
use crate::faults::table::Phase;
use crate::faults::{acts, mpi, system};
use crate::session::{DRef, HostTensor, Session, SessionBuilder};
use crate::{Error, Result};
use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

impl Case {
    /// Brings a session to this case's phase, strikes there (given the victim's process, if it has one), and gives
    /// what is reported.
    pub(in crate::faults) fn struck(
        &self,
        builder: SessionBuilder,
        strike: impl FnOnce(u32) + Send,
    ) -> Result<Seen> {
        let struck = Mutex::new(None);
        let strike_after = |ms, process: u32| {
            std::thread::sleep(Duration::from_millis(ms));
            self.strikes(process);
            *struck.lock().unwrap_or_else(PoisonError::into_inner) =
                Some((Instant::now(), process));
            strike(process);
        };
        let mut others = Vec::new();
        let outcome = std::thread::scope(|scope| {
            if self.phase == Phase::Start {
                scope.spawn(|| strike_after(0, self.await_victim()));
                let started = builder.start().and_then(|session| first_failure(&session, TIMEOUT));
                return Ok(started);
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
            // The calls in progress end with the same error, on every worker that has not answered.
            let told = doing.filter(|_| outcome.is_err() && self.phase != Phase::End);
            let told = told.map(|doing| (0..WORKERS).filter_map(move |who| doing.get(who).err()));
            others.extend(told.into_iter().flatten().map(|error| error.to_string()));
            Ok::<_, Error>(outcome)
        });
        let struck = struck.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (since, process) = struck.unwrap_or_else(|| (Instant::now(), 0));
        let process = Some(process).filter(|process| *process != 0);
        let mut seen = Seen { process, ..Seen::of(outcome?, since) };
        seen.said.extend(others);
        Ok(seen)
    }

    /// What the workers do in this phase.
    pub(in crate::faults) fn doing(&self, session: &Session) -> Result<Option<DRef>> {
        let sleep = |ms: u64, who: usize| {
            let act = format!("sleep:{ms}");
            acts::act::call(session, who, "in a call".to_owned(), act).map(|d| Some(d.typed()))
        };
        match self.phase {
            Phase::Call => sleep(15_000, self.victim),
            // For longer than until the strike, also on a busy machine.
            Phase::End => (0..WORKERS).try_fold(None, |_, who| sleep(2_000, who)),
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
    pub(in crate::faults) fn await_victim(&self) -> u32 {
        let found = Cell::new(None);
        system::until(Duration::from_secs(10), || {
            found.set(self.process_of(self.victim));
            self.is("threads") || found.get().is_some()
        });
        found.get().unwrap_or(0)
    }

    pub(in crate::faults) fn process_of(&self, worker: usize) -> Option<u32> {
        if self.kind.launcher.is_some() {
            return mpi::process_of(worker + 1);
        }
        let name = format!("ringwood-worker {worker} of {WORKERS}");
        system::children_of(std::process::id(), &name).first().copied()
    }

    /// The fault is put in now, into this process.
    pub(in crate::faults) fn strikes(&self, process: u32) {
        if self.ends_job().is_some() {
            mpi::strikes(&self.pattern(Some(process)));
        }
    }

    /// The victim does `act` in this case's phase; what is reported of it.
    pub(in crate::faults) fn acted(&self, builder: SessionBuilder, act: &str) -> Result<Seen> {
        let session = builder.start()?;
        self.is_right(&session)?;
        let process = self.await_victim();
        self.strikes(process);
        let start = Instant::now();
        let result = self.act(&session, act)?;
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
