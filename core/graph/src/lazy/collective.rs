//! Collectives of lazy tensors: recorded inside of a trace, else run at once.

use super::trace;
use super::{Lazy, Line, State};
use crate::engine;
use crate::graph::{Collective, Ranks};
use ringwood_base::{DType, Error, Result};
use ringwood_device::device::Tensor;
use ringwood_schedule::{Invocation, Operation, ReduceOp};
use std::panic::Location;

impl Ranks {
    /// The number of this rank among them, from 0, and how many they are.
    ///
    /// # Errors
    /// This thread is no rank: it runs no global function.
    pub fn place(&self) -> Result<(usize, usize)> {
        trace::asks_for_ranks();
        engine::current().map(|engine| engine.place(self.group))
    }

    fn call(&self, x: &Lazy, what: Invocation<'static>, line: Line) -> Lazy {
        if x.error().is_some() {
            return x.clone();
        }
        let result = self.place().and_then(|(_, size)| {
            let Some(trace) = trace::of([x]) else { return self.at_once(x, what, size) };
            let x = trace.lift(x, line)?;
            let recorded = trace.record(line, x.device.clone(), |recorder| {
                recorder.graph.collective(recorder.resolve(x.value), what, self, size)
            });
            recorded.map(Lazy::from)
        });
        Lazy::or_failed(result, line)
    }

    /// Runs a collective on the elements as they are.
    fn at_once(&self, x: &Lazy, what: Invocation<'static>, size: usize) -> Result<Lazy> {
        let State::Ready(ready) = &*x.state else {
            return Err(Error::invalid(format!(
                "{}: the operand is a placeholder",
                what.operation
            )));
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

macro_rules! collectives {
    ($(
        $(#[$doc:meta])*
        $of_ranks:ident, $of_all:ident($($argument:ident: $type:ty)?) = $what:expr;
    )*) => {
        /// Collectives of these ranks; [`Lazy`] has those of all.
        impl Ranks {$(
            $(#[$doc])*
            #[track_caller]
            #[must_use]
            pub fn $of_ranks(&self, x: &Lazy $(, $argument: $type)?) -> Lazy {
                self.call(x, $what, Location::caller())
            }
        )*}

        /// Collectives of all ranks: the workers of a session, inside of a `#[global_fn]`. [`Ranks`] has the same with options.
        ///
        /// Gradients are those of the sum of what all ranks compute: where each computes the same loss, each counts.
        impl Lazy {$(
            $(#[$doc])*
            #[track_caller]
            #[must_use]
            pub fn $of_all(&self $(, $argument: $type)?) -> Lazy {
                Ranks::all().$of_ranks(self $(, $argument)?)
            }
        )*}
    };
}

collectives! {
    /// The merge of the tensors of all ranks. Its gradient is merged likewise.
    all_reduce, all_reduce(op: ReduceOp) = of(Operation::AllReduce).reduce(op);
    /// The rows of all ranks below each other: `[m, …]` becomes `[ranks m, …]`. Its gradient is a reduce-scatter.
    all_gather, all_gather() = of(Operation::AllGather);
    /// The rows of the merge that belong to this rank: `[ranks m, …]` becomes `[m, …]`. Its gradient is an all-gather.
    reduce_scatter, reduce_scatter(op: ReduceOp) = of(Operation::ReduceScatter).reduce(op);
    /// Rows `[ranks m, …]`, of which each block of `m` goes to its rank: block `s` of the result is from rank `s`. Its
    /// gradient goes the same way back.
    all_to_all, all_to_all() = of(Operation::AllToAll);
    /// The tensor of the rank `r` with `to[r]` this one. Its gradient goes the same way back.
    permute, permute_ranks(to: &[usize]) = of(Operation::Permute).permutation(to.to_vec());
}
