//! One requirement on a device.

use crate::bench::Bench;
use ringwood_base::Error;
use ringwood_device::backend::Capabilities;
use std::fmt;

/// One requirement on a device, and how to check it.
#[derive(Clone, Copy)]
pub struct Case {
    /// The group.
    pub suite: &'static str,
    /// The name, unique among all cases.
    pub name: &'static str,
    /// The powers that a device must claim for the case to apply.
    pub needs: &'static [Power],
    pub(crate) check: fn(&Bench) -> Check,
}

impl Case {
    /// Whether `name` names the case or its suite.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name == name || self.suite == name
    }
}

/// An optional power of a device, as its [`Capabilities`] claim it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Power {
    /// It has streams, and with them memory and transfers.
    Streams,
    /// It runs kernels, with the bits that they have elsewhere, as far as its driver says.
    Kernels,
    /// It prepares launches that are submitted often.
    CommandBuffers,
    /// It copies between two devices.
    PeerCopy,
    /// The host may address its memory.
    HostMemory,
}

impl Power {
    /// Whether a device claims the power.
    pub fn is_claimed(self, by: &Capabilities) -> bool {
        match self {
            Power::Streams => !by.stream_kinds.is_empty(),
            Power::Kernels => by.kernels && by.approximate.is_empty(),
            Power::CommandBuffers => by.command_buffers,
            Power::PeerCopy => by.peer_copy,
            Power::HostMemory => by.host_memory,
        }
    }
}

impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Power::Streams => "streams",
            Power::Kernels => "strict kernels",
            Power::CommandBuffers => "command buffers",
            Power::PeerCopy => "peer copy",
            Power::HostMemory => "host memory",
        })
    }
}

/// The result of a check.
pub(crate) type Check<T = ()> = Result<T, Stop>;

/// Why a check did not pass.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The device did something else.
    Failed(String),
    /// Memory holds other bytes than it should, for this reason if single commands are right.
    Wrong(String),
    /// The case does not apply to the device.
    Skipped(String),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Failed(format!("{error:?}"))
    }
}

/// Fails the check with a formatted text unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($text:tt)+) => {
        if !$condition {
            return Err($crate::case::Stop::Failed(format!($($text)+)));
        }
    };
}
pub(crate) use ensure;

/// As [`ensure!`], of what memory holds.
macro_rules! ensure_holds {
    ($condition:expr, $($text:tt)+) => {
        if !$condition {
            return Err($crate::case::Stop::Wrong(format!($($text)+)));
        }
    };
}
pub(crate) use ensure_holds;
