//! Calls on device tensors.

use super::prepared::{How, Key};
use super::{Call, Communicator, Invocation, Local};
use crate::collective::device::{Part, Seats, Turn};
use crate::collective::engine::Plan;
use crate::collective::transport::Buffers;
use crate::collective::{BufferMode, Operation, ReduceOp, Request};
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
        let ready = slot.as_ref().ok().and_then(|&slot| local.prepared.how(slot).part.clone());
        let come = |part: &Part| {
            part.encode(tensor)?;
            communicator.seats()?.sit(rank, local.calls, part.memories(tensor), tensor)
        };
        let come = ready.as_deref().map_or(Ok(()), come);
        let nothing = Buffers::InPlace(&mut []);
        let agreed = local.run(come.and(slot), nothing, self.bounds, failure);
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
        let (count, dtype) = (tensor.len(), tensor.dtype());
        let what = Invocation::new(Operation::AllReduce, dtype).reduce(op);
        let key = Key::of_tensor(&what, self.algorithm, self.order, tensor);
        if let Some(slot) = local.prepared.find(&key) {
            return Ok(slot);
        }
        let Communicator { rank, shared, .. } = self.communicator;
        self.communicator.seats()?;
        let request = |elements| {
            let request = Request::new(rank.group_size(), elements, dtype).reduced_by(op);
            request.mode(BufferMode::InPlace)
        };
        let (operation, count) = (what.operation, request(count));
        let (selector, registry) = (&shared.selector, &shared.registry);
        let collective =
            selector.select(registry, self.algorithm, self.order, operation, &count)?;
        let plan = |request| Plan::new(collective, &shared.registry, *rank, request, Some(op));
        let program = plan(&count)?.lower(usize::MAX)?;
        let part = Part::new(&shared.registry, *rank, tensor, op, program)?;
        let fingerprint = key.fingerprint(count.elements, collective.describe().name);
        let how = How { coder: None, part: Some(Arc::new(part)) };
        // The transport has nothing to move: the ranks only agree.
        local.prepared.keep(&key, fingerprint, how, &plan(&request(0))?, &mut *local.endpoint)
    }
}
