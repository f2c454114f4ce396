//! From a schedule to the model of plans: one lane for each rank.

use crate::plan::{Action, Buffers, End, ExecutionPlan, Goal, Op, Origin, PlanLane, Rounds};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_schedule::{BufferMode, ChunkRange, Operation, Params, Schedule, Space, Step};
use std::collections::HashMap;

/// A schedule of more steps is no plan.
const MOST_STEPS: usize = 1 << 21;

/// The plan that does what a schedule does.
///
/// # Errors
/// The schedule has more than 2^21 steps, or does not fit its parameters: it has another number of lanes, or names ranks that
/// are not there.
pub fn plan(schedule: &Schedule, params: &Params) -> Result<ExecutionPlan> {
    let (lanes, ranks) = (schedule.lanes.len(), params.ranks());
    if lanes != ranks {
        return Err(misfit(schedule, &format!("{lanes} lanes do not fit {ranks} ranks")));
    }
    let steps: usize = schedule.lanes.iter().map(Vec::len).sum();
    if steps > MOST_STEPS {
        let message = format!("schedule `{}` has {steps} steps", schedule.collective);
        return Err(Error::new(ErrorKind::Unsupported, message)
            .help(format!("at most {MOST_STEPS} fit a plan: choose fewer ranks or segments")));
    }
    let mut builder = Builder::new(schedule, params);
    for (rank, steps) in schedule.lanes.iter().enumerate() {
        let ops = steps.iter().enumerate();
        let ops = ops.map(|(i, step)| builder.op(rank as u32, i as u32, step));
        let ops = ops.collect::<Result<_>>()?;
        builder.plan.lanes.push(PlanLane { rank: rank as u32, id: 0, ops });
    }
    Ok(builder.plan)
}

fn misfit(schedule: &Schedule, why: &str) -> Error {
    let message = format!("schedule `{}`: {why}", schedule.collective);
    Error::new(ErrorKind::InvalidArgument, message)
}

struct Builder<'a> {
    schedule: &'a Schedule,
    params: &'a Params,
    plan: ExecutionPlan,
    queues: HashMap<(u32, u32, u32), u32>,
    signals: HashMap<(u32, u32, u16), u32>,
}

impl<'a> Builder<'a> {
    fn new(schedule: &'a Schedule, params: &'a Params) -> Self {
        let goal = match params.operation() {
            Operation::AllReduce
            | Operation::AllGather
            | Operation::ReduceScatter
            | Operation::AllToAll => Goal::Operation(params.operation()),
            _ => Goal::Unstated,
        };
        let name = &schedule.collective;
        let mut plan = ExecutionPlan::new(name, goal, vec![params.mode()], 0..=u64::MAX);
        plan.ranks = (0..params.ranks()).map(|r| buffers(schedule, params, goal, r)).collect();
        plan.barriers.push(params.ranks() as u32);
        Self { schedule, params, plan, queues: HashMap::new(), signals: HashMap::new() }
    }

    fn op(&mut self, rank: u32, index: u32, step: &Step) -> Result<Op> {
        use ringwood_schedule::Action as A;
        let peer = step.peer;
        if peer as usize >= self.params.ranks() {
            return Err(misfit(
                self.schedule,
                &format!("rank {rank} step {index} names rank {peer}"),
            ));
        }
        let own = |chunks| self.end(rank, chunks);
        let (own_chunks, own_source) = (own(step.chunks), own(step.source));
        let (of_peer, from_peer) = (self.end(peer, step.chunks), self.end(peer, step.source));
        let (relaxed, rounds, proxy) = (false, Rounds::default(), None);
        let (name, sources, targets) = match step.action {
            A::Send => ("send", vec![own_chunks], vec![self.queue(rank, peer, step)]),
            A::Recv => ("recv", vec![self.queue(peer, rank, step)], vec![own_chunks]),
            A::RecvReduce => {
                ("recv_reduce", vec![own_chunks, self.queue(peer, rank, step)], vec![own_chunks])
            }
            A::Copy => ("copy", vec![own_source], vec![own_chunks]),
            A::Reduce => ("reduce", vec![own_chunks, own_source], vec![own_chunks]),
            A::Put => ("put", vec![own_source], vec![of_peer]),
            A::Get => ("get", vec![from_peer], vec![own_chunks]),
            A::GetReduce => ("get_reduce", vec![own_chunks, from_peer], vec![own_chunks]),
            A::Signal => {
                let signal = self.signal(rank, peer, step);
                return Ok(op("signal", index, Action::Signal { signal, relaxed, proxy, rounds }));
            }
            A::Wait => {
                let signal = self.signal(peer, rank, step);
                return Ok(op("wait", index, Action::Wait { signal, relaxed, rounds }));
            }
            A::Barrier => return Ok(op("barrier", index, Action::Barrier { barrier: 0 })),
        };
        let cells = step.chunks.count;
        Ok(op(name, index, Action::Move { cells, sources, targets, proxy }))
    }

    fn queue(&mut self, from: u32, to: u32, step: &Step) -> End {
        let key = (from, to, u32::from(step.channel));
        let queues = &mut self.plan.queues;
        let queue = *self.queues.entry(key).or_insert_with(|| {
            queues.push(key);
            queues.len() as u32 - 1
        });
        End::Message { queue }
    }

    fn signal(&mut self, from: u32, to: u32, step: &Step) -> u32 {
        let signals = &mut self.plan.signals;
        *self.signals.entry((from, to, step.channel)).or_insert_with(|| {
            signals.push((from, to));
            signals.len() as u32 - 1
        })
    }

    /// Chunks of a schedule as cells of a file, where every buffer begins at 0.
    fn end(&self, rank: u32, chunks: ChunkRange) -> End {
        let in_place = self.params.mode() == BufferMode::InPlace;
        let space = match (chunks.space, self.plan.goal) {
            (Space::Scratch, _) => Space::Scratch,
            (_, Goal::Operation(Operation::ReduceScatter)) if in_place => Space::Input,
            (_, _) if in_place => Space::Output,
            (space, _) => space,
        };
        let held = offset(self.params, rank, space);
        // What is below the buffer stays out of range, and is reported as that.
        let first = chunks.first.checked_sub(held).unwrap_or(u32::MAX);
        End::Cells { rank, space, first }
    }
}

/// What a schedule adds to a file's numbers of cells: it counts those of the whole buffer, a file
/// those that the rank has.
pub(crate) fn offset(params: &Params, rank: u32, space: Space) -> u32 {
    let block = rank * params.segments() as u32;
    match (params.mode(), params.operation(), space) {
        (_, _, Space::Scratch) => 0,
        (BufferMode::OutOfPlace, _, _) => params.held(rank as usize, space).start as u32,
        (_, Operation::AllGather, Space::Input) => block,
        (_, Operation::ReduceScatter, Space::Output) => block,
        _ => 0,
    }
}

fn op(name: &'static str, step: u32, action: Action) -> Op {
    Op { action, origin: Origin { name, step, line: 0 } }
}

/// The buffers of a rank in cells.
fn buffers(schedule: &Schedule, params: &Params, goal: Goal, rank: usize) -> Buffers {
    let all_steps = schedule.lanes.iter().flatten();
    let scratch = all_steps
        .flat_map(|step| [step.chunks, step.source])
        .filter(|chunks| chunks.space == Space::Scratch)
        .map(|chunks| chunks.first.saturating_add(chunks.count))
        .max()
        .unwrap_or(0);
    let all = params.chunks() as u32;
    let (input, output) = match (goal, params.mode()) {
        (Goal::Operation(Operation::AllGather), _) => (params.segments() as u32, all),
        (Goal::Operation(Operation::ReduceScatter), _) => (all, params.segments() as u32),
        (Goal::Unstated, BufferMode::OutOfPlace) => {
            let held = |space| params.held(rank, space).len() as u32;
            (held(Space::Input), held(Space::Output))
        }
        _ => (all, all),
    };
    Buffers { input, output, scratch }
}
