//! Launches prepared once and submitted many times.

use ringwood_base::Result;

/// Launches that a backend has prepared for one of its streams, with their arguments:
/// [`Backend::prepare`](super::Backend::prepare).
///
/// Dropping it leaves alone what was submitted.
///
/// Equivalent to a command buffer of IREE or Vulkan, to `cudaGraphExec_t`.
pub trait CommandBuffer<S>: Send + Sync {
    /// Submits the launches to the stream that they were prepared for, in order; asynchronous. It may
    /// be submitted again while it runs: the launches of two submissions do not mix.
    ///
    /// # Errors
    /// The stream's failure; [`ErrorKind::InvalidArgument`](ringwood_base::ErrorKind::InvalidArgument) for
    /// another stream; what the driver refuses, such as
    /// [`ErrorKind::OutOfMemory`](ringwood_base::ErrorKind::OutOfMemory). After an error none of the
    /// launches runs, or the stream has failed.
    fn submit(&self, stream: &S) -> Result<()>;
}
