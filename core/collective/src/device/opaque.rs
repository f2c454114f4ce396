//! A rank's share of a call that a library runs on its device.

use super::part::Kernels;
use super::run::Turn;
use super::tensors::Tensors;
use crate::LibraryMember;
use ringwood_base::registry::Registry;
use ringwood_base::{Error, Result};
use ringwood_device::device::{Device, Stream};
use ringwood_schedule::{Invocation, Operation, Rank, ReduceOp, Request};
use std::time::Duration;

/// What a rank prepares for calls of one kind that a library runs.
pub(crate) struct OpaquePart {
    device: Device,
    request: Request,
    /// What completes the result, on a rank that gets it.
    finish: Option<Kernels>,
}

/// How often the library is asked while its work runs.
const LOOK: Duration = Duration::from_millis(5);

/// A request as a library sees it: a mean is a sum, which a kernel of the device completes.
pub(crate) fn as_library(request: &Request) -> Request {
    let what = request.what.clone();
    let reduce = match what.reduce {
        Some(ReduceOp::Mean) => Some(ReduceOp::Sum),
        other => other,
    };
    Request { what: Invocation { reduce, ..what }, ..request.clone() }
}

impl OpaquePart {
    /// Prepares a request on tensors like `tensors`.
    pub(crate) fn new(
        registry: &Registry,
        rank: Rank,
        tensors: &Tensors<'_>,
        request: &Request,
    ) -> Result<Self> {
        let what = &request.what;
        let gets = what.operation != Operation::Reduce || what.root == rank.index();
        let op = what.reduce.filter(|op| gets && op.finish().is_some());
        let find = |op| Kernels::find(registry, tensors.output(), op, None, rank.group_size());
        let finish = op.map(find).transpose()?;
        Ok(Self { device: tensors.device().clone(), request: as_library(request), finish })
    }

    /// Has the library run the call on `tensors`, and waits for the result. A failure ends the membership.
    pub(crate) fn run(
        &self,
        member: &mut dyn LibraryMember,
        turn: &Turn<'_>,
        tensors: &Tensors<'_>,
    ) -> Result<()> {
        let ran = self.submit(member, turn, tensors).and_then(|stream| {
            self.watch(member, turn, &stream)?;
            Ok(stream)
        });
        if ran.is_err() {
            member.abort();
        }
        let operation = self.request.what.operation;
        ran.map(drop).map_err(|error| error.with("rank", turn.rank).with("operation", operation))
    }

    fn submit(
        &self,
        member: &mut dyn LibraryMember,
        turn: &Turn<'_>,
        tensors: &Tensors<'_>,
    ) -> Result<Stream> {
        let stream = self.device.stream()?;
        member.submit(&stream, &self.request, tensors, turn.deadline)?;
        if let Some(kernels) = &self.finish {
            kernels.finish(&stream, tensors.output().region())?;
        }
        Ok(stream)
    }

    /// Waits for what is on the stream as long as neither the library nor the group has failed.
    fn watch(&self, member: &dyn LibraryMember, turn: &Turn<'_>, stream: &Stream) -> Result<()> {
        let end = stream.record();
        loop {
            match end.wait(turn.left().min(LOOK)) {
                Err(_) if !end.is_done() => {}
                ended => return ended,
            }
            member.poll()?;
            if let Some(error) = turn.failure.get() {
                return Err(error);
            }
            if turn.left().is_zero() {
                let (rank, ranks, call) = (turn.rank, turn.ranks, turn.call);
                let operation = self.request.what.operation;
                return Err(Error::timeout(format!(
                    "rank {rank} of {ranks} did not finish {operation}, call #{call}, in time"
                )));
            }
        }
    }
}
