//! Calls on device tensors.

use super::methods::operations;
use super::prepared::{How, Key};
use super::{Call, Communicator, Local};
use crate::device::{Part, Seats, Tensors, Turn};
use ringwood_base::Result;
use ringwood_base::deadline::deadline;
use ringwood_device::device::Tensor;
use ringwood_schedule::{BufferMode, Invocation, Operation, ReduceOp, Request};
use ringwood_transport::{Buffers, Plan};
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;

fn what(operation: Operation, tensor: &Tensor) -> Invocation<'static> {
    Invocation::new(operation, tensor.dtype())
}

fn apart<'a>(input: &'a Tensor, output: &'a mut Tensor) -> Tensors<'a> {
    Tensors::Apart { input, output }
}

operations! { run_tensors, run_tensors;
    /// Replaces the elements of every rank's tensor by their merge; see [`Communicator::all_reduce`].
    ///
    /// ```no_run
    /// use ringwood_schedule::ReduceOp;
    /// use ringwood_collective::spmd;
    /// use ringwood_device::device::Device;
    ///
    /// let sums = spmd(2, |comm| {
    ///     let device = Device::named(if comm.rank() == 0 { "cpu:0" } else { "opencl:0" })?;
    ///     let mut x = device.tensor(&[1.0_f32, 2.0])?;
    ///     comm.all_reduce_tensor(&mut x, ReduceOp::Sum)?;
    ///     x.to_vec::<f32>()
    /// })?;
    /// assert_eq!(sums, [[2.0, 4.0], [2.0, 4.0]]);
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    all_reduce_tensor(tensor: &mut Tensor, op: ReduceOp) =
        what(Operation::AllReduce, tensor).reduce(op), Tensors::InPlace(tensor);

    /// [`Communicator::reduce`] of tensors.
    reduce_tensor(tensor: &mut Tensor, op: ReduceOp, root: usize) =
        what(Operation::Reduce, tensor).reduce(op).root(root), Tensors::InPlace(tensor);

    /// [`Communicator::broadcast`] of a tensor.
    broadcast_tensor(tensor: &mut Tensor, root: usize) =
        what(Operation::Broadcast, tensor).root(root), Tensors::InPlace(tensor);

    /// [`Communicator::all_gather_into`] of tensors.
    all_gather_tensor_into(input: &Tensor, output: &mut Tensor) =
        what(Operation::AllGather, input), apart(input, output);

    /// [`Communicator::gather_into`] of tensors.
    gather_tensor_into(input: &Tensor, output: &mut Tensor, root: usize) =
        what(Operation::Gather, input).root(root), apart(input, output);

    /// [`Communicator::scatter_into`] of tensors.
    scatter_tensor_into(input: &Tensor, output: &mut Tensor, root: usize) =
        what(Operation::Scatter, input).root(root), apart(input, output);

    /// [`Communicator::reduce_scatter_into`] of tensors.
    reduce_scatter_tensor_into(input: &Tensor, output: &mut Tensor, op: ReduceOp) =
        what(Operation::ReduceScatter, input).reduce(op), apart(input, output);

    /// [`Communicator::all_to_all_into`] of tensors.
    all_to_all_tensor_into(input: &Tensor, output: &mut Tensor) =
        what(Operation::AllToAll, input), apart(input, output);

    /// [`Communicator::permute`] of tensors.
    permute_tensor(tensor: &mut Tensor, to: &[usize]) =
        what(Operation::Permute, tensor).permutation(to), Tensors::InPlace(tensor);
}

impl Communicator {
    /// Where the ranks show each other their tensors, if they are in one process.
    fn seats(&self) -> Option<&Seats> {
        let new = || Seats::new(self.size(), Arc::clone(&self.shared.failure));
        self.shared.seats.as_ref().map(|seats| seats.get_or_init(new))
    }
}

impl<'c> Call<'c> {
    /// Runs any operation on tensors: every rank calls with tensors, each on any device of any
    /// backend.
    ///
    /// The bits are those of [`Call::run`] with the same algorithm: each rank merges with the kernels
    /// of its own device, in the proved order. A call that fixes no order may go to a
    /// [library](crate::CollectiveLibrary), where one is linked. Work is submitted to the streams of the devices, and
    /// memory is copied by the backend where it can, else through the host. The call returns when
    /// the work of every rank is done. Ranks that are processes merge on the host.
    ///
    /// # Errors
    /// As [`Call::run`]; on some rank a kernel is missing for its backend or the element type, or the work that
    /// writes its input failed, which is told with rank, device and kernel on every rank before data moves; or two ranks
    /// bring the same memory. A device that fails in the middle fails the group.
    pub fn run_tensors(self, what: &Invocation<'_>, tensors: Tensors<'_>) -> Result<()> {
        match self.library(what, &tensors)? {
            Some(library) => self.run_library(library, what, &tensors),
            None => self.run_proved(what, tensors),
        }
    }

    /// Runs a proved schedule.
    pub(super) fn run_proved(self, what: &Invocation<'_>, tensors: Tensors<'_>) -> Result<()> {
        let communicator = self.communicator;
        let Some(seats) = communicator.seats() else { return self.run_on_host(what, tensors) };
        let (failure, rank) = (&communicator.shared.failure, communicator.rank());
        let ran = self.run_counted(what.operation, tensors.input().bytes(), |local| {
            let slot =
                tensors.check(what.dtype).and_then(|()| self.tensor_slot(local, what, &tensors));
            let ready = slot.as_ref().ok().and_then(|&slot| local.prepared.how(slot).part.clone());
            let come = |part: &Part| {
                // What failed before is the failure of this rank, and not that of the group.
                tensors.input().wait(self.bounds.execution)?;
                part.encode(&tensors)?;
                seats.sit(rank, local.calls, part.memories(&tensors), &tensors)
            };
            let come = ready.as_deref().map_or(Ok(()), come);
            let agreed = local.run(come.and(slot), nothing(tensors.mode()), self.bounds, failure);
            let turn = self.turn(local);
            let run = |part: &Part| part.run(&turn, seats, &tensors).map_err(|e| failure.raise(e));
            agreed.and_then(|_| ready.as_deref().map_or(Ok(0), run))
        });
        seats.rise(rank);
        ran
    }

    /// The call that the ranks have just agreed on.
    pub(super) fn turn(self, local: &Local) -> Turn<'c> {
        let Communicator { rank, shared, .. } = self.communicator;
        let (deadline, failure) = (deadline(self.bounds.execution), &*shared.failure);
        let (rank, ranks) = (rank.index(), rank.group_size());
        Turn { rank, ranks, call: local.calls, deadline, failure }
    }

    /// Runs on the elements on the host, where ranks are processes: they show each other no memory of
    /// devices.
    fn run_on_host(self, what: &Invocation<'_>, tensors: Tensors<'_>) -> Result<()> {
        if let Err(error) = tensors.check(what.dtype) {
            return self.refuse(error);
        }
        let shape = tensors.block(what);
        let what = &Invocation { shape: Cow::Borrowed(&*shape), ..what.clone() };
        let (within, made) = (self.bounds.execution, Cell::new(false));
        let run = |buffers: Buffers<'_>| {
            made.set(true);
            self.run(what, buffers)
        };
        let ran = match tensors {
            Tensors::InPlace(tensor) => tensor.host_mut(within, |data| run(Buffers::InPlace(data))),
            Tensors::Apart { input, output } => input
                .host_ref(within, |input| {
                    output.host_mut(within, |output| run(Buffers::Apart { input, output }))
                })
                .flatten(),
        };
        ran.unwrap_or_else(|error| match made.get() {
            // A tensor that cannot be had ends the call on all ranks.
            false => self.refuse(error),
            // The others have made the call, and this rank lacks its result.
            true => Err(self.communicator.abort(error)),
        })
    }

    /// Where the plan of a call is, prepared at its first use.
    fn tensor_slot(
        self,
        local: &mut Local,
        what: &Invocation<'_>,
        tensors: &Tensors<'_>,
    ) -> Result<usize> {
        let shape = tensors.block(what);
        let what = &Invocation { shape: Cow::Borrowed(&*shape), ..what.clone() };
        let key = Key::of_tensors(what, tensors, self.algorithm, self.order);
        if let Some(slot) = local.prepared.find(&key) {
            return Ok(slot);
        }
        let Communicator { rank, shared, .. } = self.communicator;
        let (collective, spec) = self.choose(&key)?;
        let registry = &shared.registry;
        let plan = |request: &Request| Plan::new(collective.clone(), registry, *rank, request);
        let program = plan(&spec.request)?.lower(usize::MAX)?;
        let part = Part::new(registry, *rank, tensors, what.reduce, program)?;
        let how = How { part: Some(Arc::new(part)), ..How::default() };
        // The transport has nothing to move: the ranks only agree.
        let plan = plan(&spec.request.without_elements())?;
        local.prepared.keep(&key, spec, how, &plan, &mut *local.endpoint)
    }
}

pub(super) fn nothing(mode: BufferMode) -> Buffers<'static> {
    match mode {
        BufferMode::InPlace => Buffers::InPlace(&mut []),
        BufferMode::OutOfPlace => Buffers::Apart { input: &[], output: &mut [] },
    }
}
