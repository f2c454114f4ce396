//! Collectives of lazy tensors: recorded inside of a trace, else run at once.

use super::trace::{self, Trace, traced};
use super::{Lazy, Line, State};
use crate::engine;
use crate::graph::{Collective, Ranks};
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_device::device::{Device, Tensor};
use ringwood_schedule::{Invocation, Operation, ReduceOp};
use std::panic::Location;
use std::sync::Arc;

impl Ranks {
    /// The number of this rank among them, from 0, and how many they are.
    ///
    /// # Errors
    /// This thread is no rank: it runs no global function.
    pub fn place(&self) -> Result<(usize, usize)> {
        trace::asks_for_ranks();
        engine::current().map(|engine| engine.place(self.group))
    }

    /// The merge of the tensors of all ranks; see [`Lazy::all_reduce`].
    #[track_caller]
    #[must_use]
    pub fn all_reduce(&self, x: &Lazy, op: ReduceOp) -> Lazy {
        self.call(x, of(Operation::AllReduce).reduce(op), Location::caller())
    }

    /// The rows of all ranks; see [`Lazy::all_gather`].
    #[track_caller]
    #[must_use]
    pub fn all_gather(&self, x: &Lazy) -> Lazy {
        self.call(x, of(Operation::AllGather), Location::caller())
    }

    /// This rank's block of the merge; see [`Lazy::reduce_scatter`].
    #[track_caller]
    #[must_use]
    pub fn reduce_scatter(&self, x: &Lazy, op: ReduceOp) -> Lazy {
        self.call(x, of(Operation::ReduceScatter).reduce(op), Location::caller())
    }

    /// A block from each rank; see [`Lazy::all_to_all`].
    #[track_caller]
    #[must_use]
    pub fn all_to_all(&self, x: &Lazy) -> Lazy {
        self.call(x, of(Operation::AllToAll), Location::caller())
    }

    /// The tensor of another rank; see [`Lazy::permute_ranks`].
    #[track_caller]
    #[must_use]
    pub fn permute(&self, x: &Lazy, to: &[usize]) -> Lazy {
        self.call(x, of(Operation::Permute).permutation(to.to_vec()), Location::caller())
    }

    fn call(&self, x: &Lazy, what: Invocation<'static>, line: Line) -> Lazy {
        if x.error().is_some() {
            return x.clone();
        }
        let result = self.place().and_then(|(_, size)| {
            match traced(x).map(|t| t.trace.clone()).or_else(trace::current) {
                Some(trace) => trace.collective(x, what, self, size, line),
                None => self.at_once(x, what, size),
            }
        });
        Lazy::or_failed(result, line)
    }

    /// Runs a collective on the elements as they are.
    fn at_once(&self, x: &Lazy, what: Invocation<'static>, size: usize) -> Result<Lazy> {
        let State::Ready(ready) = &*x.state else {
            let message = format!("{}: the operand is a placeholder", what.operation);
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        };
        let call = Collective::new(what, self.clone(), size, ready.ty)?;
        let result = call.result(ready.ty)?;
        let engine = engine::current()?;
        if call.is_in_place() {
            let mut output = ready.with(Tensor::duplicate)?;
            return engine.run(&call, None, &mut output).map(|()| Lazy::ready(output));
        }
        let mut output = ready.device.empty(result.shape, result.dtype)?;
        engine.run(&call, Some(&ready.own()?), &mut output).map(|()| Lazy::ready(output))
    }
}

/// An operation on elements of the type that the operand has.
fn of(operation: Operation) -> Invocation<'static> {
    Invocation::new(operation, DType::F32)
}

/// Collectives of all ranks: the workers of a session, inside of a `#[global_fn]`. [`Ranks`] has the same with options.
///
/// Gradients are those of the sum of what all ranks compute: where each computes the same loss, each counts.
impl Lazy {
    /// The merge of the tensors of all ranks. Its gradient is merged likewise.
    #[track_caller]
    #[must_use]
    pub fn all_reduce(&self, op: ReduceOp) -> Lazy {
        Ranks::all().all_reduce(self, op)
    }

    /// The rows of all ranks below each other: `[m, …]` becomes `[ranks m, …]`. Its gradient is a reduce-scatter.
    #[track_caller]
    #[must_use]
    pub fn all_gather(&self) -> Lazy {
        Ranks::all().all_gather(self)
    }

    /// The rows of the merge that belong to this rank: `[ranks m, …]` becomes `[m, …]`. Its gradient is an all-gather.
    #[track_caller]
    #[must_use]
    pub fn reduce_scatter(&self, op: ReduceOp) -> Lazy {
        Ranks::all().reduce_scatter(self, op)
    }

    /// Rows `[ranks m, …]`, of which each block of `m` goes to its rank: block `s` of the result is from rank `s`. Its
    /// gradient goes the same way back.
    #[track_caller]
    #[must_use]
    pub fn all_to_all(&self) -> Lazy {
        Ranks::all().all_to_all(self)
    }

    /// The tensor of the rank `r` with `to[r]` this one. Its gradient goes the same way back.
    #[track_caller]
    #[must_use]
    pub fn permute_ranks(&self, to: &[usize]) -> Lazy {
        Ranks::all().permute(self, to)
    }
}

impl Trace {
    /// A collective as a node.
    fn collective(
        self: &Arc<Self>,
        x: &Lazy,
        what: Invocation<'static>,
        ranks: &Ranks,
        size: usize,
        line: Line,
    ) -> Result<Lazy> {
        self.lock().check_open()?;
        let lifted = self.lift(x, line)?;
        let operand = traced(&lifted).expect("what is lifted is recorded");
        let device: Option<Device> = operand.device.clone();
        let mut recorder = self.lock();
        let value = recorder.resolve(operand.value);
        let value = recorder.graph.collective(value, what, ranks, size)?;
        recorder.mark(line);
        let ty = recorder.graph.type_of(value)?;
        if let Some(device) = device.as_ref().filter(|_| self.is_of_several()) {
            recorder.graph.place(value, device.name())?;
        }
        drop(recorder);
        Ok(self.traced(value, ty, device))
    }
}
