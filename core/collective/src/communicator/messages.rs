//! Messages between two ranks, apart from the calls of the group.

use super::{Call, Communicator};
use bytemuck::cast_slice;
use ringwood_base::{DType, Element, Error, Result};
use ringwood_device::device::Tensor;
use ringwood_transport::flight::{Kind, Open};
use std::sync::atomic::Ordering;

impl Communicator {
    /// Sends elements to rank `to`, which receives as many of the same type; returns when it has
    /// them. Equivalent to `ncclSend`, `MPI_Ssend`.
    ///
    /// ```
    /// use ringwood_collective::spmd;
    ///
    /// let received = spmd(2, |comm| {
    ///     let mut data = [comm.rank() as f32; 3];
    ///     if comm.rank() == 0 { comm.send(&data, 1)? } else { comm.recv(&mut data, 0)? }
    ///     Ok(data)
    /// })?;
    /// assert_eq!(received[1], [0.0; 3]);
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The receiver asks for another number or type ([`Mismatch`](ringwood_base::ErrorKind::Mismatch)): both ranks get the
    /// same error, no data moved and the group stays usable. `to` is this rank or none of the group,
    /// or a transport from elsewhere has no such messages. Or the other rank does not come within the bound for
    /// arrivals ([`Timeout`](ringwood_base::ErrorKind::Timeout)), leaves or fails: the group has failed.
    pub fn send<T: Element>(&self, data: &[T], to: usize) -> Result<()> {
        self.call().send(data, to)
    }

    /// Receives the elements that rank `from` sends. Equivalent to `ncclRecv`, `MPI_Recv`.
    ///
    /// # Errors
    /// See [`Communicator::send`].
    pub fn recv<T: Element>(&self, data: &mut [T], from: usize) -> Result<()> {
        self.call().recv(data, from)
    }

    /// [`Communicator::send`] of a tensor, through the memory of the host; the shape may be another one there.
    ///
    /// # Errors
    /// See [`Communicator::send`]; the failure of the work that writes the tensor.
    pub fn send_tensor(&self, tensor: &Tensor, to: usize) -> Result<()> {
        let call = self.call();
        let send = |bytes: &[u8]| call.send_bytes(bytes, tensor.dtype(), to);
        tensor.host_ref(call.bounds.execution, send)?
    }

    /// Receives the elements of a tensor that rank `from` sends.
    ///
    /// # Errors
    /// See [`Communicator::send_tensor`].
    pub fn recv_tensor(&self, tensor: &mut Tensor, from: usize) -> Result<()> {
        let (call, dtype) = (self.call(), tensor.dtype());
        tensor.host_mut(call.bounds.execution, |bytes| call.recv_bytes(bytes, dtype, from))?
    }
}

impl Call<'_> {
    /// [`Communicator::send`] with these options.
    ///
    /// # Errors
    /// See [`Communicator::send`].
    pub fn send<T: Element>(self, data: &[T], to: usize) -> Result<()> {
        self.send_bytes(cast_slice(data), T::DTYPE, to)
    }

    /// [`Communicator::recv`] with these options.
    ///
    /// # Errors
    /// See [`Communicator::send`].
    pub fn recv<T: Element>(self, data: &mut [T], from: usize) -> Result<()> {
        T::write_bytes(data, |bytes| self.recv_bytes(bytes, T::DTYPE, from))
    }

    fn send_bytes(self, bytes: &[u8], dtype: DType, to: usize) -> Result<()> {
        self.check_peer(to)?;
        let endpoint = &mut self.communicator.local.borrow_mut().endpoint;
        let recorded = self.communicator.recorded(Kind::Message, "send", bytes.len());
        let sent = endpoint.send(to, bytes, dtype, self.bounds.arrival);
        self.exchanged(recorded, sent)
    }

    fn recv_bytes(self, bytes: &mut [u8], dtype: DType, from: usize) -> Result<()> {
        self.check_peer(from)?;
        let endpoint = &mut self.communicator.local.borrow_mut().endpoint;
        let recorded = self.communicator.recorded(Kind::Message, "recv", bytes.len());
        let received = endpoint.recv(from, bytes, dtype, self.bounds.arrival);
        self.exchanged(recorded, received)
    }

    /// The outcome of a message, whose error two ranks have: the others go on, and do not know of it.
    fn exchanged(self, recorded: Open, outcome: Result<()>) -> Result<()> {
        let outcome = self.communicator.finish(recorded, outcome);
        self.communicator.failed.set(false);
        outcome
    }

    fn check_peer(self, peer: usize) -> Result<()> {
        let (rank, n) = (self.communicator.rank(), self.communicator.size());
        if peer < n && peer != rank {
            self.communicator.messages.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        let message = format!("rank {rank} of {n} cannot exchange a message with rank {peer}");
        Err(Error::invalid(message))
    }
}
