//! The configuration of a communicator, as NCCL has it since version 2.18.

use std::ffi::{c_char, c_int};
use std::ptr::null;

/// What later versions have besides is theirs to choose, as the size says.
#[repr(C)]
pub(crate) struct Config {
    size: usize,
    magic: u32,
    version: u32,
    blocking: c_int,
    cga_cluster_size: c_int,
    least_blocks: c_int,
    most_blocks: c_int,
    network: *const c_char,
    split_share: c_int,
}

/// What tells that a configuration was initialised.
const MAGIC: u32 = 0xcafe_beef;
/// The library chooses.
const UNDEFINED: c_int = c_int::MIN;

impl Config {
    /// One that does not block.
    pub(crate) fn new() -> Self {
        Self {
            size: size_of::<Self>(),
            magic: MAGIC,
            version: 21_800,
            blocking: 0,
            cga_cluster_size: UNDEFINED,
            least_blocks: UNDEFINED,
            most_blocks: UNDEFINED,
            network: null(),
            split_share: UNDEFINED,
        }
    }
}
