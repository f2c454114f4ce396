//! A controller and its workers.
//!
//! A [`Session`] runs global functions on all its workers at once. Results stay on the workers, in
//! registers; a [`DRef`] is the handle of one. The channel to the workers decides the kind of
//! session: threads of this process, processes of this machine, ranks of MPI. Equivalent to TVM's Disco, whose
//! `Session`, `DRef` and `DiscoWorker` these are.
//!
//! ```
//! use ringwood_session::{Session, Worker};
//! use ringwood_base::Result;
//! use ringwood_session::global_fn;
//!
//! #[global_fn]
//! fn add_rank(w: &Worker, x: i64) -> Result<i64> {
//!     Ok(x + w.rank() as i64)
//! }
//!
//! fn main() -> Result<()> {
//!     let session = Session::threads(3)?;
//!     let x = add_rank::call(&session, 10)?; // returns at once; the results stay on the workers
//!     let y = add_rank::call(&session, &x)?; // each worker takes its own
//!     assert_eq!(y.gather()?, [10, 12, 14]);
//!     Ok(())
//! }
//! ```
//!
//! # When a call fails
//!
//! A call returns at once; it was checked (name, number and types of the arguments) and submitted.
//! What goes wrong on a worker shows when the result is asked for: [`DRef::wait`], [`DRef::get`],
//! [`DRef::gather`], or the next [`Session::sync`].
//!
//! * A function that returns `Err` fails its result on that worker. A later call that takes the
//!   result fails with the same error. The session stays usable.
//! * It is closed instead if other workers wait in a collective that the failed worker will not
//!   join, since they can never complete. They are released with that same error: at once, or within a
//!   second of it where they come to the collective later.
//! * A worker that returns from a call after fewer collectives than its peers closes the session
//!   with [`ErrorKind::Mismatch`](ringwood_base::ErrorKind::Mismatch) in the same way.
//! * A collective that all workers refuse alike (they disagree, its algorithm is unknown) is an
//!   ordinary error on each.
//! * A panic, a failure in the middle of a collective, and a wait that exceeds the timeout close the
//!   session. Its first failure is then the answer to everything, with the last operations of
//!   every worker.
//!
//! [`Session::recover`] starts a closed session again.
//!
//! A worker's thread cannot be stopped from outside. One that does not end in time is left to
//! itself, and the error says so. A program that is built with `panic = "abort"` ends with the first
//! panic.
//!
//! A worker that is a process may die or be stopped: the session is closed, and its failure says which worker,
//! how, and what it ran. Death is seen at once, silence after [`SessionBuilder::silence`]. Processes
//! that do not end in time are killed, and all of them end with the controller, however that ends.
#![forbid(unsafe_code)]

extern crate self as ringwood_session;

mod answers;
mod argument;
mod awaited;
mod builder;
mod channel;
mod clock;
mod computed;
mod config;
mod convert;
mod core;
mod dref;
mod function;
mod host;
mod kind;
mod machine;
mod model;
mod panic;
mod placement;
#[cfg(target_os = "linux")]
mod processes;
mod progress;
mod protocol;
mod registers;
#[cfg(target_os = "linux")]
pub mod remote;
mod serve;
mod spmd;
mod system;
mod threads;
mod value;
#[cfg(target_os = "linux")]
mod wire;
mod worker;

pub use argument::{Argument, IntoArgument, IntoArguments};
pub use builder::{SILENCE, SessionBuilder, TIMEOUT};
pub use channel::Workers;
pub use computed::Computed;
pub use config::Config;
pub use convert::{FromValue, IntoValue, Outcome};
pub use dref::DRef;
pub use function::{Arguments, GlobalFn, Parameter};
pub use host::HostTensor;
pub use kind::{SessionKind, SessionKindDef};
pub use model::{ENTRIES, SessionModel};
pub use placement::Placement;
pub use spmd::{Spmd, init};
pub use value::Value;
pub use worker::{CollectiveCall, Worker};

pub use ringwood_macros::global_fn_session as global_fn;

/// The entries of the kinds of sessions of this crate.
pub mod entries {
    #[cfg(target_os = "linux")]
    pub use super::processes::processes;
    pub use super::threads::threads;
}

#[doc(hidden)]
pub mod __private;

use ringwood_base::{Error, Result};
use ringwood_device::device::Tensor;
use std::fmt;
use std::sync::Arc;

/// A controller with its workers.
///
/// Dropping it is [`Session::shutdown`] with the error ignored. It may be shared by reference
/// between threads.
///
/// Equivalent to `Session` of TVM Disco.
pub struct Session {
    core: Arc<core::Core>,
}

impl Session {
    /// A session whose `workers` workers are threads of this process.
    ///
    /// # Errors
    /// `workers` is 0, or a worker does not start.
    pub fn threads(workers: usize) -> Result<Self> {
        Self::builder().workers(workers).start()
    }

    /// A session whose `workers` workers are processes of this machine: this program, started once more for
    /// each with the same arguments. In such a process this call does not return: it serves the session
    /// until that ends, and then ends the process. What `main` does before is done by every worker, unless
    /// it calls [`serve`] first.
    ///
    /// ```no_run
    /// use ringwood_session::{Session, Worker, global_fn};
    /// use ringwood_base::Result;
    ///
    /// #[global_fn]
    /// fn process(_w: &Worker) -> u32 {
    ///     std::process::id()
    /// }
    ///
    /// fn main() -> Result<()> {
    ///     let session = Session::processes(2)?; // a worker goes no further
    ///     println!("{:?}", process::call(&session)?.gather()?);
    ///     session.shutdown()
    /// }
    /// ```
    ///
    /// # Errors
    /// `workers` is 0, or a worker does not start; this is no Linux.
    pub fn processes(workers: usize) -> Result<Self> {
        let builder = Self::builder().workers(workers);
        #[cfg(target_os = "linux")]
        return builder.over(&processes::Processes).start();
        #[cfg(not(target_os = "linux"))]
        builder.kind("processes").start()
    }

    /// A session whose workers are the ranks of MPI but the first, which is the controller: `mpirun -n 5` gives four
    /// workers. On every other rank this call does not return: it serves the controller until MPI ends there, and then
    /// ends the process. The crate `ringwood-mpi` is linked, as the facade's feature `mpi` does.
    ///
    /// # Errors
    /// No launcher started this process, or but one rank; MPI cannot be used; a worker does not start.
    pub fn mpi() -> Result<Self> {
        Self::builder().kind("mpi").start()
    }

    /// The session that the command line asks for: `--session KIND` (by default what the variable
    /// `RINGWOOD_SESSION` says, or threads), `--workers N` (by default all that the launcher of MPI gives, or
    /// as many as the machine has cores) and `--transport NAME`, as [`SessionBuilder::transport`].
    ///
    /// # Errors
    /// A kind that is not built, a number of workers that is none or 0, a worker that does not
    /// start.
    pub fn from_args() -> Result<Self> {
        SessionBuilder::of_this_process()?.start()
    }

    /// A session to set up.
    pub fn builder() -> SessionBuilder {
        SessionBuilder::new()
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.core.size()
    }

    /// The number of registers in use.
    pub fn registers(&self) -> usize {
        self.core.live()
    }

    /// Runs the global function `name` on all workers and gives the handle of its results, without
    /// waiting. A value is passed to every worker; of a register, each worker takes its own
    /// content.
    ///
    /// `#[global_fn]` gives each function a typed `call` of its own.
    ///
    /// # Errors
    /// No such function, another number of arguments, a value of another type, a foreign or stale
    /// handle, a closed session, a worker whose queue stays full for the timeout, a call from
    /// inside of a global function of this session. What goes wrong on a worker is not among them:
    /// see the [module](self).
    pub fn call(&self, name: &str, arguments: impl IntoArguments) -> Result<DRef> {
        self.core.call(name, &arguments.into_arguments()).map(DRef::new)
    }

    /// Puts a copy of a tensor on every worker's device.
    ///
    /// # Errors
    /// As [`Session::call`].
    pub fn broadcast(&self, tensor: &HostTensor) -> Result<DRef<Tensor>> {
        self.core.set_all(Value::Host(tensor.clone())).map(DRef::new)
    }

    /// Puts a copy of a tensor on the device of one worker; the others hold none. [`DRef::get`] is the way back.
    ///
    /// # Errors
    /// No such worker; as [`Session::call`].
    pub fn copy_to_worker(
        &self,
        worker: usize,
        tensor: &HostTensor,
    ) -> Result<DRef<Option<Tensor>>> {
        self.core.check_worker(worker)?;
        let of = |w| if w == worker { Value::Host(tensor.clone()) } else { Value::None };
        self.core.set_each((0..self.workers()).map(of).collect()).map(DRef::new)
    }

    /// Splits a tensor by rows, in the order of the ranks, and puts one part on each
    /// worker's device. If the rows do not divide evenly, the first workers get one row more.
    ///
    /// # Errors
    /// The tensor has rank 0, or fewer rows than there are workers; as [`Session::call`].
    pub fn scatter(&self, tensor: &HostTensor) -> Result<DRef<Tensor>> {
        let workers = self.workers();
        let rows = tensor.shape().first().copied().unwrap_or(0);
        if rows < workers {
            let message =
                format!("cannot scatter {rows} rows of {} to {workers} workers", tensor.shape());
            return Err(Error::shape(message).help("every worker needs at least one row"));
        }
        let start = |rank: usize| rank * (rows / workers) + rank.min(rows % workers);
        let part = |rank| tensor.rows(start(rank)..start(rank + 1)).map(Value::Host);
        self.core.set_each((0..workers).map(part).collect::<Result<_>>()?).map(DRef::new)
    }

    /// Joins the rows of all workers' tensors, in the order of the ranks; the inverse of
    /// [`Session::scatter`].
    ///
    /// # Errors
    /// The tensors do not fit together; as [`DRef::get`], for any worker.
    pub fn gather(&self, tensors: &DRef<Tensor>) -> Result<HostTensor> {
        HostTensor::concat(&tensors.typed::<HostTensor>().gather()?)
    }

    /// Waits until all workers have done all that was submitted.
    ///
    /// # Errors
    /// The first failure of each worker that was not reported yet, of the lowest rank; the
    /// timeout; a closed session.
    pub fn sync(&self) -> Result<()> {
        self.core.sync(0..self.workers())
    }

    /// Waits until one worker has done all that was submitted.
    ///
    /// # Errors
    /// As [`Session::sync`], for one worker; no such worker.
    pub fn sync_worker(&self, worker: usize) -> Result<()> {
        self.core.check_worker(worker)?;
        self.core.sync(worker..worker + 1)
    }

    /// Replaces the content of a register on one worker, for debugging; [`DRef::get`] reads it. Waits
    /// for what was submitted to the worker before.
    ///
    /// # Errors
    /// The content is a tensor of another shape or element type, or no tensor where the value is one
    /// ([`ErrorKind::Shape`](ringwood_base::ErrorKind::Shape)): it stays; or it failed. The work that writes a tensor `value` failed. No such
    /// worker, a foreign or stale handle, a closed session.
    pub fn debug_set<T: IntoValue>(
        &self,
        register: &DRef<T>,
        worker: usize,
        value: T,
    ) -> Result<()> {
        self.core.replace(&register.handle, worker, value.into_value())
    }

    /// Ends the workers after all that was submitted, and waits for their end. A second shutdown
    /// does nothing.
    ///
    /// # Errors
    /// Workers that do not end within the timeout: they are named, and killed where they are processes of this
    /// machine, or else left to themselves. What has closed the session before, if nobody was told.
    pub fn shutdown(&self) -> Result<()> {
        self.core.shutdown()
    }

    /// Starts new workers in place of the present ones, whose work is given up. All registers are
    /// gone: handles of before are stale.
    ///
    /// # Errors
    /// A worker does not start.
    pub fn recover(&self) -> Result<()> {
        self.core.recover()
    }
}

/// Serves the session of which this process is a worker, and ends the process; does nothing in any other
/// process. For a `main` that does something before its session of processes starts, or whose threads start sessions, as its
/// first line.
pub fn serve() {
    #[cfg(target_os = "linux")]
    processes::serve(None);
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.core.shutdown().is_err() {
            self.core.abandon();
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "session {} of {} workers", self.core.id(), self.workers())
    }
}
