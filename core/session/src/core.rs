//! The controller: what a session and its handles share.

mod exchange;
mod question;

pub(super) use question::Question;

use super::channel::Workers;
use super::config::Config;
use super::kind::SessionKind;
use super::progress::Observer;
use super::protocol::{Command, Failure, MAX_ARGUMENTS, Operand, Register, check_argument};
use super::registers::Registers;
use super::threads::is_worker_of;
use super::{Argument, DRef, GlobalFn, Value};
use ringwood_base::deadline::deadline;
use ringwood_base::sync::lock;
use ringwood_base::{Error, ErrorKind, Result};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A register of every worker, freed when this is dropped.
pub(super) struct Handle {
    pub(super) core: Arc<Core>,
    generation: u32,
    pub(super) register: Register,
    /// Whether it is computed, once somebody has asked that without waiting.
    question: Mutex<Option<Question>>,
    /// Somebody has waited for it.
    waited: AtomicBool,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.core.release(self.generation, self.register);
    }
}

pub(super) struct Core {
    id: u64,
    kind: &'static dyn SessionKind,
    config: Config,
    state: Mutex<State>,
    /// Registers whose last handle is gone, until the workers are told.
    released: Mutex<Vec<(u32, Register)>>,
}

struct State {
    generation: u32,
    workers: Arc<dyn Workers>,
    registers: Registers,
    calls: u64,
    requests: u64,
    /// Why the session takes no commands any more.
    ended: Option<Error>,
    /// Whether the workers were told to stop.
    stopped: bool,
}

/// How long the workers of a session that a failure closed get to end.
const GRACE: Duration = Duration::from_secs(2);

impl Core {
    pub(super) fn start(kind: &'static dyn SessionKind, config: Config) -> Result<Arc<Self>> {
        static SESSIONS: AtomicU64 = AtomicU64::new(1);
        let id = SESSIONS.fetch_add(1, Ordering::Relaxed);
        let state = Mutex::new(State::new(1, kind.start(id, &config)?));
        Ok(Arc::new(Self { id, kind, config, state, released: Mutex::default() }))
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    pub(super) fn size(&self) -> usize {
        self.config.workers
    }

    fn all(&self) -> Range<usize> {
        0..self.size()
    }

    /// The number of registers in use.
    pub(super) fn live(&self) -> usize {
        let state = lock(&self.state);
        let released = lock(&self.released);
        let waiting = released.iter().filter(|(generation, _)| *generation == state.generation);
        state.registers.live() - waiting.count()
    }

    /// Submits a call to all workers.
    pub(super) fn call(self: &Arc<Self>, name: &str, args: &[Argument]) -> Result<Handle> {
        let mut state = self.open()?;
        let runtime = self.config.runtime()?;
        let entry = runtime.registry().entry::<GlobalFn>(name)?;
        let function = entry.item::<GlobalFn>().expect("an entry holds an item of its kind");
        let operands = self.operands(&state, function, args)?;
        state.calls += 1;
        let (call, function) = (state.calls, entry.meta().full_name().into());
        self.fill(state, |workers, target, deadline| {
            workers.send(self.all(), Command::Call { call, function, operands, target }, deadline)
        })
    }

    fn operands(
        &self,
        state: &State,
        function: &GlobalFn,
        args: &[Argument],
    ) -> Result<Vec<Operand>> {
        if args.len() > MAX_ARGUMENTS {
            return Err(Error::invalid(format!("a call has at most {MAX_ARGUMENTS} arguments")));
        }
        function.check(args.iter().map(|argument| match argument {
            Argument::Value(value) => Some(value),
            Argument::Register(_) => None,
        }))?;
        let operand = |argument: &Argument| match argument {
            Argument::Value(value) => check_argument(value).map(|()| Operand::Value(value.clone())),
            Argument::Register(DRef { handle, .. }) => {
                self.check_handle(state, handle).map(|()| Operand::Register(handle.register))
            }
        };
        args.iter().map(operand).collect()
    }

    /// Puts a value into one register of every worker.
    pub(super) fn set_all(self: &Arc<Self>, value: Value) -> Result<Handle> {
        self.fill(self.open()?, |workers, register, deadline| {
            workers.send(self.all(), Command::Set { register, value }, deadline)
        })
    }

    /// Puts a value of its own into one register of every worker.
    pub(super) fn set_each(self: &Arc<Self>, values: Vec<Value>) -> Result<Handle> {
        self.fill(self.open()?, |workers, register, deadline| {
            values.into_iter().enumerate().try_for_each(|(worker, value)| {
                workers.send(worker..worker + 1, Command::Set { register, value }, deadline)
            })
        })
    }

    /// Replaces the content of a register on one worker by one of its kind.
    pub(super) fn replace(&self, handle: &Handle, worker: usize, value: Value) -> Result<()> {
        self.check_worker(worker)?;
        // The worker puts the elements onto its own device.
        let value = value.on_host()?;
        let (register, one) = (handle.register, worker..worker + 1);
        let replace = |request| Command::Replace { request, register, value };
        self.ask(Some(handle), one, replace).map(drop)
    }

    /// Waits until a register is computed on all workers.
    pub(super) fn wait_for(&self, handle: &Handle) -> Result<()> {
        // A wait that is refused says nothing of the register.
        self.check_reentry()?;
        let register = handle.register;
        let command = |request| Command::Await { request, register };
        let outcome = self.ask(Some(handle), self.all(), command);
        handle.waited.store(true, Ordering::Relaxed);
        outcome.map(drop)
    }

    /// The content of a register on some workers.
    pub(super) fn fetch(&self, handle: &Handle, workers: Range<usize>) -> Result<Vec<Value>> {
        let register = handle.register;
        self.ask(Some(handle), workers, |request| Command::Fetch { request, register })
    }

    /// Waits until some workers have done all that was submitted.
    pub(super) fn sync(&self, workers: Range<usize>) -> Result<()> {
        self.ask(None, workers, |request| Command::Sync { request }).map(drop)
    }

    /// Notes that the last handle of a register is gone, and tells the workers if that needs no
    /// waiting; otherwise the next command does.
    fn release(&self, generation: u32, register: Register) {
        lock(&self.released).push((generation, register));
        let Ok(mut state) = self.state.try_lock() else { return };
        if state.ended.is_none() && state.workers.progress().closed().is_none() {
            let _ = self.free(&mut state, Instant::now());
        }
    }

    /// Ends the workers after all that was submitted.
    pub(super) fn shutdown(&self) -> Result<()> {
        self.check_reentry()?;
        let mut state = lock(&self.state);
        if state.stopped {
            return Ok(());
        }
        // A failure that no caller has met.
        let workers = Arc::clone(&state.workers);
        let untold = workers.progress().closed().filter(|_| state.ended.is_none());
        state.ended = Some(self.shut_down().into());
        state.stopped = true;
        let stopped = self.stop(&workers);
        untold.map_or(stopped, |failure| Err(self.closing(&workers, failure)))
    }

    /// Tells the workers to end without waiting for it: a worker that drops its own session cannot
    /// wait for itself.
    pub(super) fn abandon(&self) {
        let mut state = lock(&self.state);
        state.ended.get_or_insert_with(|| self.shut_down().into());
        state.workers.close(self.shut_down());
        for worker in 0..self.size() {
            let _ = state.workers.send(worker..worker + 1, Command::Shutdown, Instant::now());
        }
    }

    /// Why calls that were submitted to a session that has ended do not begin.
    fn shut_down(&self) -> Failure {
        let text = format!("session {} has been shut down", self.id);
        Failure::closing(ErrorKind::Aborted, text)
    }

    /// Starts new workers in place of the present ones.
    pub(super) fn recover(&self) -> Result<()> {
        self.check_reentry()?;
        let mut state = lock(&self.state);
        let text = format!("session {} was ended, to be started again", self.id);
        state.workers.close(Failure::closing(ErrorKind::Aborted, text));
        // Workers that do not end are left to themselves: that is what they are replaced for.
        let _ = self.stop(&state.workers);
        state.stopped = true;
        lock(&self.released).clear();
        let generation = state.generation + 1;
        match self.kind.start(self.id, &self.config) {
            Ok(workers) => *state = State::new(generation, workers),
            Err(error) => {
                let again = state.workers.come_again();
                state.ended = Some(self.not_recovered(&error, again));
                return Err(error);
            }
        }
        Ok(())
    }

    /// Why a session that could not be started again takes no commands.
    fn not_recovered(&self, error: &Error, again: bool) -> Error {
        let text = format!("session {} could not be started again", self.id);
        let help = if again { "`recover` tries once more" } else { "start the program again" };
        Error::new(error.kind(), text).help(help).because(error.clone())
    }

    /// Tells workers to stop and waits for their end.
    fn stop(&self, workers: &Arc<dyn Workers>) -> Result<()> {
        let works = workers.progress().closed().is_none();
        let patience = if works { self.config.timeout } else { self.config.timeout.min(GRACE) };
        let deadline = deadline(patience);
        let mut behind: Vec<_> = (0..self.size()).collect();
        // Workers that are behind keep no other one waiting; one that takes no command any more shows below.
        for by in [Instant::now(), deadline] {
            behind
                .retain(|&worker| workers.send(worker..worker + 1, Command::Shutdown, by).is_err());
        }
        let left = workers.join(deadline);
        if let Some(failure) = workers.progress().closed().filter(|_| works) {
            return Err(self.closing(workers, failure));
        }
        if left.is_empty() {
            return Ok(());
        }
        let running = workers.progress().activities(&left);
        // A worker that is left to itself ends its call, and begins none.
        workers.close(self.shut_down());
        Err(Error::timeout(format!(
            "{} of {} workers did not end within {patience:?} and {}: {running}",
            left.len(),
            self.size(),
            workers.fate(),
        )))
    }
}

impl Core {
    /// The state of a session that takes commands.
    fn open(&self) -> Result<MutexGuard<'_, State>> {
        self.check_reentry()?;
        let mut state = lock(&self.state);
        self.told(&mut state).map_or(Ok(state), Err)
    }

    /// Why the session takes no commands any more, if it does not, for a caller who is told.
    fn told(&self, state: &mut State) -> Option<Error> {
        let State { workers, ended, .. } = state;
        if ended.is_none() {
            *ended = workers.progress().closed().map(|failure| self.closing(workers, failure));
        }
        ended.clone()
    }

    /// The error of a session that a failure ended.
    fn closing(&self, workers: &Arc<dyn Workers>, failure: &Failure) -> Error {
        let snapshot = workers.progress().snapshot();
        let text = match snapshot.blocked() {
            Some(blocked) => format!("{}; {blocked}", failure.text),
            None => failure.text.clone(),
        };
        let help = match workers.come_again() {
            true => "the session is closed; `recover` starts it again, without its registers",
            false => {
                "the session is closed: nothing replaces a rank that has died; start the program again"
            }
        };
        Error::new(failure.kind, text).with("session", self.id).help(help).because(snapshot)
    }

    fn check_reentry(&self) -> Result<()> {
        if is_worker_of(self.id) {
            return Err(Error::invalid(
                "a global function called back into the session that runs it",
            )
            .with("session", self.id)
            .help("return a value, and let the controller make the next call"));
        }
        Ok(())
    }

    fn check_handle(&self, state: &State, handle: &Handle) -> Result<()> {
        let message = if handle.core.id != self.id {
            format!("the handle belongs to session {}, not to {}", handle.core.id, self.id)
        } else if handle.generation != state.generation {
            "the handle is stale: its session was started again and has no registers of before"
                .to_owned()
        } else {
            return Ok(());
        };
        Err(Error::invalid(message)
            .with("register", handle.register.0)
            .with("generation", handle.generation))
    }

    pub(super) fn check_worker(&self, worker: usize) -> Result<()> {
        if worker >= self.size() {
            return Err(Error::invalid(format!(
                "no worker {worker}; the session has {}",
                self.size()
            )));
        }
        Ok(())
    }
}

impl State {
    fn new(generation: u32, workers: Arc<dyn Workers>) -> Self {
        let (registers, calls, requests, ended, stopped) = Default::default();
        Self { generation, workers, registers, calls, requests, ended, stopped }
    }
}
