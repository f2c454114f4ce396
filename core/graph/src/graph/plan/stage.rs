//! What a plan submits at once: routines, and collectives among them.

use super::streams::DeviceStreams;
use crate::engine::{self, Agreement};
use crate::graph::{Collective, Graph};
use ringwood_base::{Error, Result};
use ringwood_device::device::{
    Bindings, Carried, Device, PATIENCE, Routine, Stream, Tensor, overlap,
};
use std::hash::{DefaultHasher, Hash, Hasher};

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

/// A collective on the memory of a plan.
pub(super) struct Call {
    call: Collective,
    input: Tensor,
    output: Tensor,
    stream: Stream,
}

impl Call {
    /// The collective of a node; none of a node that is something else.
    pub(super) fn of(
        graph: &Graph,
        node: usize,
        streams: &DeviceStreams,
        tensors: &[Vec<Tensor>],
    ) -> Option<Self> {
        let call = graph.nodes[node].collective()?.clone();
        let operand = graph.nodes[node].operands[0];
        let input = tensors[operand.node as usize][operand.result as usize].clone();
        let stream = streams.collective.clone();
        Some(Self { call, input, output: tensors[node][0].clone(), stream })
    }

    /// Waits for the other ranks and the result. What was submitted before goes on meanwhile.
    pub(super) fn run(&self) -> Result<()> {
        let engine = engine::current()?;
        let (want, (_, got)) = (self.call.request.ranks, engine.place(self.call.ranks.group));
        if want != got {
            let message = format!("`{}` is run by a rank of {got}", self.call);
            return Err(Error::mismatch(message).help("record the program where it runs"));
        }
        let mut output = self.output.clone();
        let (from, to) = (self.input.region(), self.output.region());
        self.stream.scope(|| {
            if !self.call.is_in_place() {
                return engine.run(&self.call, Some(&self.input), &mut output);
            }
            if !overlap(&from, &to) && !self.output.is_empty() {
                self.stream.copy(from, to)?;
            }
            engine.run(&self.call, None, &mut output)
        })
    }
}

/// What ranks that run a graph agree on, if it has collectives.
pub(super) fn agreement(graph: &Graph) -> Option<Agreement> {
    let calls = graph.nodes.iter().filter_map(|node| {
        let call = node.collective()?;
        let operand = graph.value_type(node.operands[0]);
        Some((call.ranks.group, format!("{call}, of {operand}")))
    });
    let (groups, calls): (Vec<bool>, Vec<String>) = calls.unzip();
    let mut hasher = DefaultHasher::new();
    calls.hash(&mut hasher);
    let group = groups.iter().all(|&group| group);
    (!calls.is_empty()).then(|| Agreement { group, fingerprint: hasher.finish(), calls })
}

/// Lets the ranks compare what they run.
pub(super) fn agree(agreement: Option<&Agreement>) -> Result<()> {
    agreement.map_or(Ok(()), |agreement| engine::current()?.agree(agreement))
}
