//! What a device author writes, and what the run time makes of it.
//!
//! [`Backend`] is typed: its associated types keep an author from mixing the handles of two
//! devices. [`DynBackend`] is its object-safe twin, implemented for every backend by one blanket
//! impl; the run time holds only that. A backend knows nothing of graphs, hazards, caches or
//! collectives.

mod capability;
mod command_buffer;
mod compile;
mod dynamic;
mod emit;
mod linger;
mod opened;
mod progress;
pub mod queue;
mod served;

pub use capability::Capabilities;
pub use command_buffer::CommandBuffer;
pub use dynamic::DynBackend;
pub(crate) use dynamic::{device_of, work_on};
pub use emit::{emit, emit_targets};
pub use linger::linger;
pub use opened::opened;
pub use progress::Progress;
pub use served::{backends, dialect, find, find_exact};
pub(crate) use served::{missing, serves};

pub use crate::handle::Handle;
pub use crate::region::Region;

use crate::kernel::{Image, KernelSpec, Launch};
use ringwood_base::registry::{Kind, Names};
use ringwood_base::{Error, Result};
use ringwood_ir::print::Dialect;
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

/// A family of devices: the target of `#[backend]`.
///
/// Streams are in-order lanes: work submitted to one runs in submission order, work of two streams
/// runs in any order unless [`Backend::wait`] orders it. All methods may be called from any thread.
///
/// The first failure of a stream sticks: later submissions, [`Backend::poll`] and
/// [`Backend::block`] of its events report that same error. A panic of user code becomes such an
/// error; it never crosses this interface.
///
/// An optional power is a field of [`Capabilities`] and, where it is absent,
/// [`ErrorKind::Unsupported`](ringwood_base::ErrorKind::Unsupported): never a silent substitute. The
/// conformance suite checks that both agree.
///
/// Equivalent to a driver of IREE's HAL, `Api` of wgpu-hal.
pub trait Backend: Sized + Send + Sync + 'static {
    /// One device; cheap to clone.
    type Device: Clone + Send + Sync + 'static;
    /// An in-order lane of a device. Equivalent to `cudaStream_t`, an in-order `cl_command_queue`.
    type Stream: Send + Sync + 'static;
    /// Memory of a device; dropping it frees it. The run time drops it after its last use.
    type Memory: Send + Sync + 'static;
    /// A marker in a stream; cheap to clone. Equivalent to `cudaEvent_t`, `cl_event`.
    type Event: Clone + Send + Sync + 'static;
    /// A compiled kernel; it takes all memory by argument.
    type Code: Send + Sync + 'static;

    /// Loads the driver.
    ///
    /// # Errors
    /// [`ErrorKind::Unavailable`](ringwood_base::ErrorKind::Unavailable), with the reason, on a machine
    /// without it.
    fn open() -> Result<Self>;

    /// The devices, in a stable order: `name:0` is the first. A backend of none, and of nothing that is
    /// [unopened](Backend::unopened), is unavailable.
    fn devices(&self) -> Result<Vec<Self::Device>>;

    /// Why devices that the driver has are not among [`Backend::devices`]; each error names them.
    fn unopened(&self) -> Vec<Error> {
        Vec::new()
    }

    /// What a device can do.
    fn capabilities(&self, device: &Self::Device) -> Capabilities;

    /// A new stream of the kind called `kind`: one of [`Capabilities::stream_kinds`], with an
    /// optional argument after a colon (`chaos:42`).
    fn stream(&self, device: &Self::Device, kind: &str) -> Result<Self::Stream>;

    /// Uninitialised memory of `bytes` bytes, aligned for every element type; 0 bytes are legal.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfMemory`](ringwood_base::ErrorKind::OutOfMemory).
    fn allocate(&self, device: &Self::Device, bytes: usize) -> Result<Self::Memory>;

    /// Copies host bytes into `target`; asynchronous. `source` stays unchanged while shared.
    fn write(
        &self,
        stream: &Self::Stream,
        source: Arc<[u8]>,
        target: Region<'_, Self::Memory>,
    ) -> Result<()>;

    /// Hands the bytes of `source` to `sink`; asynchronous. The sink is called exactly once, also
    /// when the stream fails or this call is refused.
    fn read(
        &self,
        stream: &Self::Stream,
        source: Region<'_, Self::Memory>,
        sink: HostSink,
    ) -> Result<()>;

    /// Copies between two memories of this backend; asynchronous. The regions have the same size
    /// and do not overlap.
    fn copy(
        &self,
        stream: &Self::Stream,
        source: Region<'_, Self::Memory>,
        target: Region<'_, Self::Memory>,
    ) -> Result<()>;

    /// Sets every byte of `target` to `byte`; asynchronous.
    fn fill(&self, stream: &Self::Stream, target: Region<'_, Self::Memory>, byte: u8)
    -> Result<()>;

    /// The address of a memory in the host's address space, for as long as the memory lives.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`](ringwood_base::ErrorKind::Unsupported), unless the device has
    /// [`Capabilities::host_memory`].
    fn host_address(&self, memory: &Self::Memory) -> Result<NonNull<u8>>;

    /// Compiles kernels for a device, one code each, in order.
    ///
    /// # Errors
    /// The device's compiler refuses a kernel: the error names it and carries the log.
    fn compile(&self, device: &Self::Device, batch: &[KernelSpec<'_>]) -> Result<Vec<Self::Code>>;

    /// What the device's compiler made of a kernel so far, for other processes: none where nothing is compiled
    /// at run time.
    ///
    /// # Errors
    /// The driver does not give it.
    fn images(&self, code: &Self::Code) -> Result<Vec<Image>> {
        let _ = code;
        Ok(Vec::new())
    }

    /// Runs a kernel; asynchronous. A [`Launch`] was checked, and is of code that this backend compiled.
    fn launch(
        &self,
        stream: &Self::Stream,
        launch: &Launch<'_, Self::Code, Self::Memory>,
    ) -> Result<()>;

    /// Prepares launches that will be submitted to `stream` together and often: what can be compiled and
    /// set up before is, once.
    ///
    /// The run time keeps the codes and memories that the launches name for as long as the command
    /// buffer, and memory until the work that uses it is over.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`](ringwood_base::ErrorKind::Unsupported), unless the device has
    /// [`Capabilities::command_buffers`]; otherwise as [`Backend::launch`]. The stream does not fail.
    fn prepare(
        &self,
        stream: &Self::Stream,
        launches: &[Launch<'_, Self::Code, Self::Memory>],
    ) -> Result<Box<dyn CommandBuffer<Self::Stream>>> {
        let _ = (stream, launches);
        Err(Error::unsupported("the backend prepares no launches"))
    }

    /// How far a stream has come, if the backend counts its commands: each method above that submits
    /// something counts at least one, and [`Backend::event_at`] makes an event of any number.
    ///
    /// Without it, the run time records an event with every submission.
    fn progress(&self, stream: &Self::Stream) -> Option<Arc<Progress>> {
        let _ = stream;
        None
    }

    /// The end of the commands of a stream up to number `at`, also of a stream that was dropped.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`](ringwood_base::ErrorKind::Unsupported), unless the streams have a [`Backend::progress`].
    fn event_at(&self, progress: &Arc<Progress>, at: u64) -> Result<Self::Event> {
        let _ = (progress, at);
        Err(Error::unsupported("the backend does not count commands"))
    }

    /// An event that completes when all work submitted to the stream so far has.
    fn record(&self, stream: &Self::Stream) -> Result<Self::Event>;

    /// As [`Backend::record`], of a stream that takes no more work: the event is final when the device
    /// uses nothing of the stream any more.
    ///
    /// # Errors
    /// Nobody can tell: memory that the stream used is never given back.
    fn record_failed(&self, stream: &Self::Stream) -> Result<Self::Event> {
        let _ = stream;
        Err(Error::unsupported("the backend does not tell the end of a failed stream"))
    }

    /// Makes later work of the stream wait for an event, on the device: the host never blocks.
    /// A failed event fails the stream.
    fn wait(&self, stream: &Self::Stream, event: &Self::Event) -> Result<()>;

    /// As [`Backend::wait`], for later work that needs no result: a failed event fails nothing, where the
    /// backend can tell the two apart.
    fn wait_for_end(&self, stream: &Self::Stream, event: &Self::Event) -> Result<()> {
        self.wait(stream, event)
    }

    /// The state of an event; the same answer every time once it is final.
    fn poll(&self, event: &Self::Event) -> Status;

    /// Blocks the host until the event is final.
    ///
    /// # Errors
    /// The stream's first failure, or [`ErrorKind::Timeout`](ringwood_base::ErrorKind::Timeout).
    fn block(&self, event: &Self::Event, timeout: Duration) -> Result<()>;
}

/// Receives the bytes of a [`Backend::read`], or the failure that kept them away.
pub type HostSink = Box<dyn FnOnce(Result<&[u8]>) + Send>;

/// The state of an event.
#[derive(Clone, Debug)]
pub enum Status {
    /// Work before the event is still under way.
    Pending,
    /// All work before the event has completed.
    Done,
    /// The stream failed before the event; every observer gets this same error.
    Failed(Error),
    /// The stream failed before the event, and nobody knows whether the device still works for it:
    /// what it reads and writes must stay.
    Unknown(Error),
}

/// A backend's entry in the registry, built by `#[backend]`.
pub struct BackendDef {
    /// The name, as in `mychip:0`.
    pub name: &'static str,
    /// The backends whose kernels its devices run as well, the preferred one first.
    pub kernels_of: &'static [&'static str],
    /// What its devices compile kernels from, if that is no dialect of Ringwood's.
    pub dialect: Option<&'static Dialect>,
    /// Opens the backend and erases it.
    pub open: fn() -> Result<Arc<dyn DynBackend>>,
}

impl BackendDef {
    /// The entry of backend `B` under `name`.
    pub const fn new<B: Registered>() -> Self {
        let open = || dynamic::open::<B>();
        Self { name: B::NAME, kernels_of: B::KERNELS_OF, dialect: B::DIALECT, open }
    }
}

impl Kind for BackendDef {
    const NAME: &'static str = "backend";
    const NAMES: Names = Names::OfProgram;
}

/// Implemented by the macro only: it gives the backend its name and its registry entry.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a registered backend",
    label = "has no name",
    note = "write `#[backend(name = \"mychip\")]` on `impl Backend for {Self}`"
)]
pub trait Registered: Backend {
    /// The name given in `#[backend(name = …)]`.
    const NAME: &'static str;
    /// [`BackendDef::kernels_of`], given in `#[backend(kernels_of = …)]`.
    const KERNELS_OF: &'static [&'static str] = &[];
    /// [`BackendDef::dialect`], given in `#[backend(dialect = …)]`.
    const DIALECT: Option<&'static Dialect> = None;
    /// The entry for [`RegistryBuilder::register`](ringwood_base::registry::RegistryBuilder::register).
    const ENTRY: ringwood_base::registry::Entry;
}
