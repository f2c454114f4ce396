//! What a plan submits at once.

use super::calls::Call;
use ringwood_base::Result;
use ringwood_device::device::{Bindings, Carried, Device, PATIENCE, Routine};

/// Consecutive nodes that are submitted together.
pub(super) struct Stage {
    pub(super) nodes: Vec<usize>,
    pub(super) work: Work,
    /// The device that a copy is from.
    pub(super) source: Option<Device>,
    /// The stages before it that are copies and have to end first.
    pub(super) ends: Vec<usize>,
}

/// What a stage submits.
pub(super) enum Work {
    Routine(Routine),
    Collective(Box<Call>),
}

impl Work {
    /// Submits a routine, or runs a collective; what is left to do for a copy that the host carries.
    pub(super) fn begin(&self) -> Result<Option<Carried>> {
        match self {
            Self::Routine(routine) => routine.begin(&Bindings::default()),
            Self::Collective(call) => call.run().map(|()| None),
        }
    }

    /// Runs it to its end.
    pub(super) fn run(&self) -> Result<()> {
        match self {
            Self::Routine(routine) => routine.submit(&Bindings::default())?.wait(PATIENCE),
            Self::Collective(call) => call.run(),
        }
    }

    /// The device that it runs on, or copies to.
    pub(super) fn device(&self) -> &Device {
        match self {
            Self::Routine(routine) => routine.stream().device(),
            Self::Collective(call) => call.stream.device(),
        }
    }
}
