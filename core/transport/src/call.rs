//! What a rank brings to a call: its memory, what it calls, how long that may take.

use crate::{CallSpec, Statement};
use ringwood_base::{Error, Result};
use ringwood_schedule::BufferMode;
use std::time::Duration;

/// The memory that a rank brings to a call.
pub enum Buffers<'a> {
    /// The output replaces the input.
    InPlace(&'a mut [u8]),
    /// The output has memory of its own.
    Apart {
        /// What the rank contributes.
        input: &'a [u8],
        /// What it gets.
        output: &'a mut [u8],
    },
}

impl Buffers<'_> {
    /// What the rank contributes.
    pub fn input(&self) -> &[u8] {
        match self {
            Buffers::InPlace(data) => data,
            Buffers::Apart { input, .. } => input,
        }
    }

    /// What the rank gets.
    pub fn output(&mut self) -> &mut [u8] {
        match self {
            Buffers::InPlace(data) => data,
            Buffers::Apart { output, .. } => output,
        }
    }

    /// How they relate, and the bytes of input and output; in place twice the same.
    #[inline]
    pub fn shape(&self) -> (BufferMode, [usize; 2]) {
        match self {
            Buffers::InPlace(data) => (BufferMode::InPlace, [data.len(); 2]),
            Buffers::Apart { input, output } => {
                (BufferMode::OutOfPlace, [input.len(), output.len()])
            }
        }
    }

    /// Whether they are what a plan was made for: its [`Plan::mode`](crate::Plan::mode) and [`Plan::lengths`](crate::Plan::lengths).
    ///
    /// # Errors
    /// They are not.
    #[inline]
    pub fn check(&self, mode: BufferMode, lengths: [usize; 2]) -> Result<()> {
        let (found, given) = self.shape();
        if found == mode && same_lengths(given, lengths) {
            return Ok(());
        }
        Err(Error::invalid(format!("buffers of {given:?} bytes for a plan of {lengths:?}")))
    }
}

/// Whether both are the same bytes of input and output. One by one: numbers that were just stored are read back at once
/// as they were stored, and late as one vector.
#[inline]
pub fn same_lengths(given: [usize; 2], wanted: [usize; 2]) -> bool {
    (given[0] ^ wanted[0]) | (given[1] ^ wanted[1]) == 0
}

/// What a rank is about to call.
pub struct Intent<'a> {
    /// The number of the call in its group, from 1.
    pub call: u64,
    /// What is called, with the prepared plan; or why this rank cannot.
    pub what: Result<Ready<'a>, &'a Error>,
    /// How long the call may take.
    pub bounds: Bounds,
}

impl Intent<'_> {
    /// What this rank says of its call when not all call the same.
    pub fn statement(&self) -> Statement {
        self.what.map(|ready| ready.spec.fields()).map_err(Clone::clone)
    }
}

/// A call that is ready to run.
#[derive(Clone, Copy)]
pub struct Ready<'a> {
    /// What all ranks must call.
    pub spec: &'a CallSpec,
    /// Its [fingerprint](CallSpec::fingerprint).
    pub fingerprint: u64,
    /// Where [`Endpoint::prepare`](crate::Endpoint::prepare) put the plan.
    pub slot: usize,
}

/// How long a call may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// For all ranks to arrive; to a call on tensors, ranks come when the work that writes these is over.
    pub arrival: Duration,
    /// From then on.
    pub execution: Duration,
}

impl Default for Bounds {
    /// One minute each.
    fn default() -> Self {
        Self { arrival: Duration::from_secs(60), execution: Duration::from_secs(60) }
    }
}
