//! What a submission of a routine hands to the backend.

use super::step::LinkedStep;
use crate::backend::{CommandBuffer, DynBackend, Handle};
use crate::device::{Stream, Tensor};
use ringwood_base::Result;

/// What a submission of a routine hands to the backend, in order.
pub(super) enum Part {
    /// A launch whose arguments each submission decides.
    Launch(LinkedStep),
    /// Launches that are always the same, prepared.
    Commands(Box<dyn CommandBuffer<Handle>>),
}

impl Part {
    /// The steps as launches.
    pub(super) fn launches(steps: Vec<LinkedStep>) -> Vec<Part> {
        steps.into_iter().map(Part::Launch).collect()
    }

    /// The steps, with those that are always the same prepared for `stream`.
    pub(super) fn prepared(steps: Vec<LinkedStep>, stream: &Stream) -> Result<Vec<Part>> {
        let mut parts = Vec::new();
        let mut steps = steps.into_iter().peekable();
        while let Some(step) = steps.next() {
            if !step.is_constant() {
                parts.push(Part::Launch(step));
                continue;
            }
            let mut constant = vec![step];
            while let Some(step) = steps.next_if(LinkedStep::is_constant) {
                constant.push(step);
            }
            parts.push(Part::Commands(prepare(&constant, stream)?));
        }
        Ok(parts)
    }

    pub(super) fn submit(
        &self,
        values: &[i64],
        slot: Option<&Tensor>,
        backend: &dyn DynBackend,
        stream: &Handle,
    ) -> Result<()> {
        match self {
            Part::Launch(step) => backend.launch(stream, &step.launch(values, slot)?),
            Part::Commands(commands) => commands.submit(stream),
        }
    }

    /// The step that depends on the submission.
    pub(super) fn step(&self) -> Option<&LinkedStep> {
        match self {
            Part::Launch(step) => Some(step),
            Part::Commands(_) => None,
        }
    }
}

fn prepare(steps: &[LinkedStep], stream: &Stream) -> Result<Box<dyn CommandBuffer<Handle>>> {
    let launches = steps.iter().map(|step| step.launch(&[], None));
    let launches: Vec<_> = launches.collect::<Result<_>>()?;
    let timeline = stream.timeline();
    let hardware = &timeline.hardware;
    hardware.reclaiming(|| hardware.backend.prepare(&timeline.handle, &launches))
}
