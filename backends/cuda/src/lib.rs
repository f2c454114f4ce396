//! The CUDA backend: the devices `cuda:0`, `cuda:1`, … of the NVIDIA driver.
//!
//! The driver and NVRTC are loaded when the backend opens; a build needs neither. Without a driver,
//! with one that lacks a function, or without a device, the backend is
//! [`Unavailable`](ringwood_base::ErrorKind::Unavailable) and says why.
//!
//! | noun | here |
//! |---|---|
//! | device | its primary context, shared with every other user of the driver in the process |
//! | stream | kind `stream`: a CUDA stream, and a thread that follows its completions |
//! | memory | from the device's memory pool, which keeps what is freed for the next allocation |
//! | event | a CUDA event; final when the thread has passed it |
//! | code | CUDA C printed from the kernel's IR, compiled by NVRTC once for each variant: a cubin, or PTX for a device that NVRTC does not know |
//! | command buffer | CUDA graphs, captured when the launches are prepared |
//! | library | cuBLAS: a handle for each stream, created by the first product |
//!
//! Reads land in pinned host memory that is kept for later reads; so do short writes. A copy between
//! two devices goes directly where the hardware can do that.
//!
//! Kernels give the same bits as on `cpu`: nothing is contracted or flushed. Only kernels with a
//! portable body, or a source for `cuda`, run.
//!
//! Kernels that name a routine of a library (`library(cuda = gemm)`; none of Ringwood's does) are the
//! exception: cuBLAS computes them, in the precision of their elements and in an
//! order of additions of its own. The routines are `gemm`, `gemm_tn` and `gemm_nt`: `c = a b`, `aᵀ b` and
//! `a bᵀ` of `f32` or `f64`, stored by rows, with parameters `a, b, c, m, k, n`. The body runs where
//! cuBLAS is absent or lacks a function, and for extents beyond 32 bits; [`library`](fn@library) and the
//! device's report say which it is.
//!
//! Run on an H100 and an H200 with CUDA 13.0; copies between two GPUs: compiled, not run. Everywhere, the tests compile printed
//! kernels by NVRTC and assemble them by `ptxas`. On a machine with a GPU, `cargo test -p ringwood-backend-cuda` runs the
//! rest, and `cargo test --test differential cuda` and `cargo test -p ringwood-models --test nodes cuda` compare every portable
//! kernel and operator with the processor.

mod backend;
mod compiler;
mod device;
mod error;
mod event;
mod graph;
mod kernel;
mod library;
mod memory;
mod pinned;
mod pool;
mod stream;
mod sys;

pub use backend::Cuda;
pub use compiler::{compile, compile_cubin};
pub use device::Device;
pub use event::{Command, Event};
pub use kernel::{Code, check_group};
pub use library::{Choice, library};
pub use memory::Memory;
pub use stream::Stream;
