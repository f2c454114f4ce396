//! NCCL's collectives over tensors on CUDA devices, one rank for each device.
//!
//! The library is loaded when a group first has such a call; a build does not need it. Where it is absent, or has no
//! such operation, the proved schedules run as ever, and `explain` says why.
//!
//! | what | here |
//! |---|---|
//! | operations | all-reduce, reduce, broadcast; all-gather and reduce-scatter out of place |
//! | types of reductions | `i8`, `u8`, `i32`, `u32`, `i64`, `u64`, `f16`, `f32`, `f64`, `bf16`; what only moves has any type |
//! | operators | sum, product, minimum, maximum; a mean is a sum that a kernel of the device divides |
//! | order | none that is known: a call that fixes one never comes here |
//! | rounding | sums and products of `f16` and `bf16` are rounded at every merge, not once: for calls that name `nccl` alone |
//! | id | made by rank 0, handed out by a broadcast of the group |
//! | waiting | communicators do not block. The rank polls, with the bound of its call, and aborts what does not end |
//!
//! A rank that waits in vain ends its communicator, and the group fails with the rank, the operation and NCCL's own
//! text. An abort that does not end itself is left behind after two seconds.
//!
//! NCCL listens on a port of rank 0, without authentication: use networks that you trust.
//!
//! Run on an H100 and on an H200: the calls of a group of one rank, a rank that does not come, and ranks that share a GPU, which NCCL
//! refuses. Between GPUs compiled, not run. Elsewhere the tests drive the communicators over functions of their own; with
//! the library they load it, make ids, and see that it refuses a machine without a driver.

mod collectives;
mod library;
mod member;
mod table;

pub use collectives::{Nccl, nccl};
pub use library::Library;
