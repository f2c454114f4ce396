//! A worker as a state machine: a command in, at most one reply out, no I/O.

use super::protocol::{Command, Failure, Operand, Register, Reply};
use super::{Arguments, GlobalFn, Value, Worker, panic};
use ringwood_base::registry::Registry;
use ringwood_base::{ErrorKind, Result};
use ringwood_graph::engine::with_engine;
use ringwood_transport::flight::{self, Kind, Open};
use std::collections::HashMap;
use std::rc::Rc;

/// A worker with its registers.
pub(super) struct Machine {
    worker: Rc<Worker>,
    registry: Registry,
    registers: HashMap<Register, Result<Value, Failure>>,
    unreported: Option<Failure>,
}

impl Machine {
    pub(super) fn new(worker: Worker, registry: Registry) -> Self {
        Self { worker: Rc::new(worker), registry, registers: HashMap::new(), unreported: None }
    }

    /// Runs one command; its answer, where it asks for one.
    pub(super) fn step(&mut self, command: Command) -> Option<Reply> {
        if !matches!(command, Command::Sync { .. }) {
            self.renew_stream(None);
        }
        match self.worker.stream() {
            Some(stream) => stream.scope(|| self.run_command(command)),
            None => self.run_command(command),
        }
    }

    fn run_command(&mut self, command: Command) -> Option<Reply> {
        let name = command.name();
        let recorded = name.map(|name| flight::begin(Kind::Command, name, 0, None));
        let reply = self.answer_command(command);
        recorded.into_iter().for_each(Open::end);
        reply
    }

    fn answer_command(&mut self, command: Command) -> Option<Reply> {
        let (request, outcome) = match command {
            Command::Call { call, function, operands, target } => {
                self.call(call, &function, operands, target);
                return None;
            }
            Command::Set { register, value } => {
                let placed = self.on_device(|worker| worker.place(value));
                self.fill(register, placed);
                return None;
            }
            Command::Free { registers } => {
                registers.iter().for_each(|register| drop(self.registers.remove(register)));
                return None;
            }
            // Whoever takes the commands takes no more.
            Command::Shutdown => return None,
            Command::Fetch { request, register } => {
                let value = self.content(register);
                (request, value.and_then(|v| self.on_device(|w| w.snapshot(v))))
            }
            Command::Await { request, register } => {
                let value = self.content(register);
                let settled = value.and_then(|v| self.on_device(|w| w.settle(v)));
                (request, settled.map(|_| Value::None))
            }
            Command::Replace { request, register, value } => {
                (request, self.replace(register, value).map(|()| Value::None))
            }
            Command::Sync { request } => {
                let synchronized = match &self.unreported {
                    Some(failure) => Err(failure.clone()),
                    None => self.on_device(Worker::synchronize),
                };
                (request, synchronized.map(|()| Value::None))
            }
        };
        // A failure that is reported here is not reported by the next sync again.
        if let Err(failure) = &outcome {
            self.unreported.take_if(|unreported| unreported == failure);
            self.renew_stream(Some(failure));
        }
        Some(Reply { request, outcome })
    }

    /// Replaces the worker's stream if it has failed, so that the next call can run. Its failure is
    /// left to the next sync, unless it is what was just `reported`.
    fn renew_stream(&mut self, reported: Option<&Failure>) {
        if let Some(error) = self.worker.renew_stream() {
            let text = error.to_string();
            if reported.is_none_or(|failure| !failure.text.contains(&text)) {
                let failure = self.failure(error.kind(), &text, false);
                self.unreported.get_or_insert(failure);
            }
        }
    }

    fn call(&mut self, call: u64, name: &str, operands: Vec<Operand>, target: Register) {
        if let Some(failure) = self.worker.observer.closed() {
            self.registers.insert(target, Err(failure.clone()));
            return;
        }
        let outcome = self.run(call, name, operands);
        self.fill(target, outcome);
    }

    fn fill(&mut self, register: Register, outcome: Result<Value, Failure>) {
        if let Err(failure) = &outcome {
            self.unreported.get_or_insert_with(|| failure.clone());
        }
        self.registers.insert(register, outcome);
    }

    fn run(&mut self, call: u64, name: &str, operands: Vec<Operand>) -> Result<Value, Failure> {
        let found = self.registry.find::<GlobalFn>(name).copied();
        // The peers of a worker that lacks the function hear that it has left the call.
        let shown = found.as_ref().map_or_else(|_| name.to_owned().into(), |f| f.name.into());
        self.worker.begin(call, shown);
        let outcome = match found {
            Ok(function) => {
                let values = self.operands(&function, operands);
                values.and_then(|values| self.invoke(&function, values))
            }
            Err(error) => Err(self.failure(error.kind(), &error.to_string(), false)),
        };
        self.worker.end(outcome)
    }

    fn operands(&self, function: &GlobalFn, operands: Vec<Operand>) -> Result<Vec<Value>, Failure> {
        let value = |(index, operand): (usize, Operand)| {
            let value = match operand {
                Operand::Value(value) => value,
                Operand::Register(register) => self.content(register)?,
            };
            match function.parameters.get(index) {
                Some(parameter) if parameter.on_device => self.on_device(|w| w.place(value)),
                _ => Ok(value),
            }
        };
        operands.into_iter().enumerate().map(value).collect()
    }

    fn invoke(&self, function: &GlobalFn, values: Vec<Value>) -> Result<Value, Failure> {
        let name = format_args!("global function `{}`", function.name);
        let run = || {
            let arguments = Arguments::new(function, values)?;
            with_engine(self.worker.clone(), || (function.run)(&self.worker, arguments))
        };
        match panic::guard(name, run) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => {
                let text = format!("{name} failed: {error}");
                Err(self.failure(error.kind(), &text, false))
            }
            Err(panic) => Err(self.failure(ErrorKind::Panic, panic.message(), true)),
        }
    }

    fn failure(&self, kind: ErrorKind, text: &str, closes: bool) -> Failure {
        Failure { kind, text: format!("{:?}: {text}", self.worker), closes }
    }

    fn replace(&mut self, register: Register, value: Value) -> Result<(), Failure> {
        let old = self.content(register)?;
        if old.form() != value.form() {
            let text = format!("register {} holds {old}, which {value} cannot replace", register.0);
            return Err(self.failure(ErrorKind::Shape, &text, false));
        }
        let placed = self.on_device(|worker| worker.place(value))?;
        self.registers.insert(register, Ok(placed));
        Ok(())
    }

    /// Work of the worker outside of a global function.
    fn on_device<R>(&self, work: impl FnOnce(&Worker) -> Result<R>) -> Result<R, Failure> {
        work(&self.worker).map_err(|e| self.failure(e.kind(), &e.to_string(), false))
    }

    fn content(&self, register: Register) -> Result<Value, Failure> {
        self.registers.get(&register).cloned().unwrap_or_else(|| {
            let text = format!("register {} is empty", register.0);
            Err(self.failure(ErrorKind::Protocol, &text, false))
        })
    }
}
