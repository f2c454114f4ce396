//! MSCCL XML: reading and writing.
//!
//! The format of the MSCCL run time (and of RCCL's), as `msccl-tools` writes it: a file has GPUs
//! (here ranks), which have thread blocks (here lanes), which have steps. What a step means:
//!
//! | step | sources | targets |
//! |---|---|---|
//! | `s` | src | message |
//! | `r` | message | dst |
//! | `rcs` | message | dst, message |
//! | `rrc` | src, message | dst |
//! | `rrs` | src, message | message |
//! | `rrcs` | src, message | dst, message |
//! | `cpy` | src | dst |
//! | `re` | dst, src | dst |
//! | `nop` | | |
//!
//! A step waits until block `depid` has published a step from `deps` on; only steps with
//! `hasdep="1"` publish.

mod blocks;
mod element;
mod read;
mod scan;
mod write;

pub use read::read;
pub use write::{Head, Written, write};
