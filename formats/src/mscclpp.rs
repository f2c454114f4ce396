//! MSCCL++ JSON execution plans: reading.
//!
//! A file has GPUs (here ranks) with channels, remote buffers and semaphores, and thread blocks
//! (here lanes) with operations. What becomes of an operation:
//!
//! | operations | here |
//! |---|---|
//! | `nop` | nothing: the operations of a lane are in order |
//! | `barrier`, `sem_acquire`, `sem_release` | the same, within a rank |
//! | `signal`, `wait`, `rlxsignal`, `rlxwait` | counting signals; what relaxed ones order is the checker's choice |
//! | `copy`, `get`, `put`, `re`, `res`, `rre`, `rres` | moves between plain cells |
//! | `pws`, `pwsf` | moves, signals, flushes |
//! | `flush` | waits for the puts of a port channel |
//! | `cpkt`, `upkt`, `ppkt`, `rppkt`, `repkt`, `respkt`, `recpkt`, `recspkt` | moves with packets, which are full or empty |
//! | `glres`, `gstore`, `gstorepkt` | moves from and to every rank of the group |
//! | `pipeline` | its body once; both sides of a signal must loop as often |
//!
//! A put over a port channel is done by a proxy, later than its lane goes on: until a `flush` its
//! source may not change. A block of a thread block group works on its part of every range; chunks
//! are cut in as many cells as the sizes of all groups need.
//!
//! Not read, and refused by name: `start` and `glre`, which the MSCCL++ executor refuses too, nested
//! pipelines, other merges than `sum`, and older schemas.

mod blocks;
mod links;
mod ops;
mod read;
mod schema;
mod text;

pub use read::read;
