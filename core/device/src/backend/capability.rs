//! What a device can do, as data.

use ringwood_base::DType;

/// What a device can do. Absence of a power means `Unsupported` errors, never a substitute.
///
/// The default claims nothing. A backend that ends its list with `..Default::default()` stays
/// complete when a power is added here.
///
/// ```
/// use ringwood_base::DType;
/// use ringwood_device::backend::Capabilities;
///
/// let capabilities = Capabilities {
///     description: "a simulated accelerator".into(),
///     stream_kinds: vec!["queue".into()],
///     suggested_streams: 1,
///     dtypes: DType::ALL.to_vec(),
///     kernels: true,
///     ..Default::default()
/// };
/// assert!(!capabilities.peer_copy);
/// ```
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Capabilities {
    /// What the device is called, for people: `AMD EPYC, 2 threads`.
    pub description: String,
    /// The kinds of streams, the default first.
    pub stream_kinds: Vec<String>,
    /// How many streams the device suggests for running everything in parallel.
    pub suggested_streams: usize,
    /// The bytes of memory that can be allocated, if the device has a limit.
    pub memory_bytes: Option<usize>,
    /// The element types that kernels may use.
    pub dtypes: Vec<DType>,
    /// Whether the device runs kernels at all.
    pub kernels: bool,
    /// What kernels compute otherwise on the device than elsewhere, as its driver says: `flushes
    /// subnormal results to zero (f32)`. Strict kernels are refused there unless that is accepted.
    pub approximate: Vec<String>,
    /// What the driver is known to do wrong, and what helps. It stays usable.
    pub warnings: Vec<String>,
    /// Which libraries of vendors compute kernels that name a routine of them, or why none does. Their
    /// additions have an order of their own.
    pub libraries: Vec<String>,
    /// Whether the device is hardware beside the processor. [`Runtime::best`] prefers one that runs
    /// kernels; a device that runs on the processor itself comes after `cpu:0`.
    ///
    /// [`Runtime::best`]: crate::device::Runtime::best
    pub accelerator: bool,
    /// Whether [`Backend::prepare`](super::Backend::prepare) works: launches that are submitted often
    /// are prepared once.
    pub command_buffers: bool,
    /// Whether [`Backend::copy`](super::Backend::copy) works between two devices of the backend.
    pub peer_copy: bool,
    /// Whether what the host reads and writes goes through pinned memory, which the device reaches
    /// by itself.
    pub pinned_host: bool,
    /// Whether the host may address the memory directly.
    pub host_memory: bool,
}
