//! Calls on device tensors.

use super::{Call, Communicator, Local, Prepared};
use crate::collective::device::{Part, Seats, Turn};
use crate::collective::engine::Plan;
use crate::collective::{Fingerprint, Operation, ReduceOp, Request};
use crate::deadline::deadline;
use crate::device::Tensor;
use crate::{Error, ErrorKind, Result};
use std::sync::Arc;
use std::time::Instant;

impl Communicator {
    /// Replaces the elements of every rank's tensor by their merge. Equivalent to `ncclAllReduce` in
    /// place.
    ///
    /// # Errors
    /// See [`Call::all_reduce_tensor`].
    pub fn all_reduce_tensor(&self, tensor: &mut Tensor, op: ReduceOp) -> Result<()> {
        self.call().all_reduce_tensor(tensor, op)
    }

    fn seats(&self) -> Result<&Seats> {
        let Some(seats) = &self.shared.seats else {
            let message = "the ranks of this group are processes, which show no device memory";
            return Err(Error::new(ErrorKind::Unsupported, message)
                .help("reduce the bytes on the host, in `Tensor::host_mut`"));
        };
        let new = || Seats::new(self.size(), Arc::clone(self.shared_failure()));
        Ok(seats.get_or_init(new))
    }
}

impl Call<'_> {
    /// Replaces the elements of every rank's tensor by their merge; every rank calls with a tensor,
    /// each on any device of any backend.
    ///
    /// The bits are those of [`Call::all_reduce`] with the same algorithm: each rank merges with the
    /// kernels of its own device, in the proved order. Work is submitted to the streams of the
    /// devices, and memory is copied by the backend where it can, else through the host. The call
    /// returns when the work of every rank is done.
    ///
    /// ```no_run
    /// use ringwood_core::collective::{ReduceOp, spmd};
    /// use ringwood_core::device::Device;
    ///
    /// let sums = spmd(2, |comm| {
    ///     let device = Device::named(if comm.rank() == 0 { "cpu:0" } else { "opencl:0" })?;
    ///     let mut x = device.tensor(&[1.0_f32, 2.0])?;
    ///     comm.all_reduce_tensor(&mut x, ReduceOp::Sum)?;
    ///     x.to_vec::<f32>()
    /// })?;
    /// assert_eq!(sums, [[2.0, 4.0], [2.0, 4.0]]);
    /// # Ok::<(), ringwood_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Call::all_reduce_bytes`]; on some rank a kernel is missing for its backend or the element
    /// type, which is told with rank, device and kernel on every rank before data moves; or the ranks
    /// are in several processes. A device that fails in the middle fails the group.
    pub fn all_reduce_tensor(self, tensor: &mut Tensor, op: ReduceOp) -> Result<()> {
        let start = Instant::now();
        let communicator = self.communicator;
        let mut local = communicator.local.borrow_mut();
        let local = &mut *local;
        local.calls += 1;
        let failure = &communicator.shared.failure;
        let rank = communicator.rank();
        let slot = self.tensor_slot(local, tensor, op);
        let ready = slot.as_ref().ok().and_then(|&slot| local.prepared[slot].part.clone());
        let come = |part: &Part| {
            part.encode(tensor)?;
            communicator.seats()?.sit(rank, local.calls, part.memories(tensor), tensor)
        };
        let come = ready.as_deref().map_or(Ok(()), come);
        let agreed = local.run(come.and(slot), &mut [], self.bounds, failure);
        let seats = communicator.seats()?;
        let turn = Turn {
            seats,
            rank,
            ranks: communicator.size(),
            call: local.calls,
            deadline: deadline(self.bounds.execution),
        };
        let run = |part: &Part| part.run(&turn, tensor).map_err(|e| failure.raise(e));
        let moved = agreed.and_then(|_| ready.as_deref().map_or(Ok(0), run));
        seats.rise(rank);
        communicator.count(start, moved?);
        Ok(())
    }

    /// Where the plan of a call is, prepared at its first use.
    fn tensor_slot(self, local: &mut Local, tensor: &Tensor, op: ReduceOp) -> Result<usize> {
        let (operation, count, dtype) = (Operation::AllReduce, tensor.len(), tensor.dtype());
        let known = |p: &Prepared| {
            let f = &p.fingerprint;
            (f.count, f.dtype, f.reduce, f.operation) == (count, dtype, op, operation)
                && (p.algorithm.as_deref(), p.order) == (self.algorithm, self.order)
                && p.part.as_ref().is_some_and(|part| part.is_on(tensor.device()))
        };
        if let Some(slot) = local.prepared.iter().position(known) {
            return Ok(slot);
        }
        let Communicator { rank, shared, .. } = self.communicator;
        self.communicator.seats()?;
        let request = |elements| Request::new(rank.group_size(), elements, dtype).reduced_by(op);
        let (selector, registry, wanted) = (&shared.selector, &shared.registry, request(count));
        let collective =
            selector.select(registry, self.algorithm, self.order, operation, &wanted)?;
        let plan =
            |elements| Plan::new(collective, &shared.registry, *rank, &request(elements), op);
        let program = plan(count)?.lower(usize::MAX)?;
        let part = Part::new(&shared.registry, *rank, tensor, op, program)?;
        let algorithm = collective.describe().name;
        let (reduce, root, on_devices) = (op, 0, true);
        let fingerprint =
            Fingerprint { operation, reduce, dtype, count, root, algorithm, on_devices };
        let digest = fingerprint.digest();
        let (algorithm, part) = (self.algorithm.map(str::to_owned), Some(Arc::new(part)));
        let prepared =
            Prepared { algorithm, order: self.order, fingerprint, digest, coder: None, part };
        // The transport has nothing to move: the ranks only agree.
        local.keep(prepared, &plan(0)?)
    }
}
