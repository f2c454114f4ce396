//! From thread blocks to lanes: what the numbers in their operations stand for.

use super::links::{self, Link, Links};
use super::ops::{Does, Emit, OPERATIONS};
use super::schema::{Block, Buffer, ChannelType, File, Gpu, GroupPart, Op, Reference};
use super::text::Text;
use crate::error::ReadError;
use crate::moves::Writer;
use crate::text::shown;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_schedule::Space;
use ringwood_schedule::plan::{ExecutionPlan, Origin, PlanAction, PlanLane, Rounds, Semaphore};
use std::collections::{HashMap, HashSet};

/// Reads the lanes of all ranks.
pub(super) struct Reader<'f> {
    lines: &'f Text<'f>,
    pub(super) plan: ExecutionPlan,
    links: Vec<Links>,
    signals: HashMap<(u32, u32, ChannelType, u32), u32>,
    ports: HashMap<(u32, u32), u32>,
    barriers: HashMap<(u32, u32), u32>,
    /// The number of the first semaphore of the current rank.
    first_semaphore: u32,
    /// The actions of all lanes so far.
    operations: usize,
}

/// The most actions of a plan; an operation may be several.
const MOST_OPERATIONS: usize = 1 << 21;

/// One operation in its place.
#[derive(Clone, Copy)]
pub(super) struct Place<'f> {
    pub(super) gpu: &'f Gpu<'f>,
    block: &'f Block<'f>,
    pub(super) op: &'f Op<'f>,
    pub(super) rounds: Rounds,
    step: u32,
    line: u32,
    pub(super) name: &'static str,
    pub(super) does: Does,
}

/// The most entries of a list of an operation: MSCCL++ takes 8 channels.
const MOST_LISTED: usize = 1024;

impl<'f> Place<'f> {
    /// `op` in a block, `at` a step and a line.
    fn new(
        (gpu, block): (&'f Gpu<'f>, &'f Block<'f>),
        op: &'f Op<'f>,
        (step, line): (u32, u32),
        rounds: Rounds,
    ) -> Result<Self> {
        let known = OPERATIONS.into_iter().find(|known| known.0 == op.name);
        let (name, does) = known.unwrap_or(("?", Does::Nothing));
        let place = Self { gpu, block, op, rounds, step, line, name, does };
        let listed =
            [op.src_buff.len(), op.dst_buff.len(), op.channel_ids.len(), op.semaphore_ids.len()];
        if listed.into_iter().any(|listed| listed > MOST_LISTED) {
            let why = format!("more than {MOST_LISTED} buffers, channels or semaphores");
            return Err(place.unsupported(why));
        }
        match (known, op.name.as_str()) {
            (Some(_), _) => Ok(place),
            (None, "start" | "glre") => {
                Err(place.unsupported("not supported; the MSCCL++ executor refuses it as well"))
            }
            (None, _) => {
                let names = OPERATIONS.map(|known| known.0).join(", ");
                Err(place.unsupported("unknown operation").help(format!("operations are {names}")))
            }
        }
    }

    /// The error that something is wrong with this operation.
    pub(super) fn error(&self, why: impl std::fmt::Display) -> Error {
        self.refusal(why).into()
    }

    /// The error that this operation may be right, but is not read here.
    pub(super) fn unsupported(&self, why: impl std::fmt::Display) -> Error {
        self.refusal(why).of(ErrorKind::Unsupported)
    }

    fn refusal(&self, why: impl std::fmt::Display) -> ReadError {
        let (gpu, block, step, line) = (self.gpu.id, self.block.id, self.step, self.line);
        let name = shown(&self.op.name);
        ReadError::Operation { line, gpu, block, step, name, why: why.to_string() }
    }

    /// What number `id` means in the block's lists of channels of a type: an index of the GPU's.
    fn channel(&self, kind: ChannelType, id: u32) -> Option<u32> {
        let lists = self.block.channels.iter().filter(|c| c.channel_type == kind);
        lists.flat_map(|c| &c.channel_ids).nth(id as usize).copied()
    }

    /// The rank and the buffer of a remote reference.
    pub(super) fn remote(&self, id: u32) -> Result<(u32, Space)> {
        let kind = self.op.channel_type.unwrap_or(ChannelType::Memory);
        let lists = self.block.remote_buffer_refs.iter();
        let lists = lists.filter(|refs| refs.access_channel_type == kind);
        let index = lists.flat_map(|refs| &refs.remote_buffer_ids).nth(id as usize);
        let buffer = index.and_then(|&i| self.gpu.remote_buffers.get(i as usize));
        let buffer = buffer.ok_or_else(|| {
            self.error(format!("remote buffer {id}, which its block or its GPU does not have"))
        })?;
        let allowed = &buffer.access_channel_types;
        if !allowed.is_empty() && !allowed.contains(&kind) {
            return Err(self.error(format!("remote buffer {id} is not for this type of channel")));
        }
        Ok((buffer.rank, space(buffer.buffer)))
    }

    /// The ranks and the buffer of a multicast reference.
    pub(super) fn group(&self, id: u32) -> Result<(&'f [u32], Space)> {
        let index = self.channel(ChannelType::Switch, id);
        let channels = self.gpu.channels.iter();
        let channels = channels.filter(|c| c.channel_type == ChannelType::Switch);
        let mut groups = channels.flat_map(|c| c.rank_groups.iter().map(|g| (g, c.buffer_type)));
        let group = index.and_then(|i| groups.nth(i as usize));
        let (group, buffer) = group.ok_or_else(|| {
            self.error(format!("switch channel {id}, which its block or its GPU does not have"))
        })?;
        let buffer = buffer.ok_or_else(|| {
            self.error("an older MSCCL++ schema: its switch channel has no `buffer_type`")
        })?;
        Ok((&group.ranks, space(buffer)))
    }
}

impl<'f> Reader<'f> {
    pub(super) fn new(file: &File<'_>, lines: &'f Text<'f>, plan: ExecutionPlan) -> Result<Self> {
        Ok(Self {
            lines,
            plan,
            links: links::of_file(file)?,
            signals: HashMap::new(),
            ports: HashMap::new(),
            barriers: HashMap::new(),
            first_semaphore: 0,
            operations: 0,
        })
    }

    /// Reads the blocks of the next GPU.
    pub(super) fn gpu(&mut self, gpu: &Gpu<'f>) -> Result<()> {
        self.first_semaphore = self.plan.semaphores.len() as u32;
        let semaphore = |initial| Semaphore { initial, signal: None };
        self.plan.semaphores.extend(gpu.semaphores.iter().map(|s| semaphore(s.init_value)));
        let (mut ids, mut private) = (HashSet::new(), 0);
        for block in &gpu.threadblocks {
            if !ids.insert(block.id) {
                let why = format!("block {} is there twice", block.id);
                return Err(ReadError::Gpu { gpu: gpu.id, why }.into());
            }
            let mut lane = Writer::new(gpu.id, &mut private);
            for (step, part) in (0..).zip(&block.ops) {
                let (op, line) = (self.lines.operation(part)?, self.lines.line(part));
                let place = Place::new((gpu, block), &op, (step, line), Rounds::default())?;
                match place.does {
                    Does::Loops => self.pipeline(&place, &mut lane)?,
                    _ => self.add(&place, &mut lane)?,
                }
            }
            self.plan.lanes.push(PlanLane { rank: gpu.id, id: block.id, ops: lane.ops });
        }
        Ok(())
    }

    fn pipeline(&mut self, outer: &Place<'_>, lane: &mut Writer<'_>) -> Result<()> {
        let iterations = outer.op.iter_context.filter(|i| i.unit_size > 0 && i.num_chunks > 0);
        let Some(iterations) = iterations else {
            return Err(outer.error("`unit_size` and `num_chunks` of `iter_context` are above 0"));
        };
        let rounds = Rounds { unit: iterations.unit_size, chunks: iterations.num_chunks };
        for part in &outer.op.ops {
            let (op, line) = (self.lines.operation(part)?, self.lines.line(part));
            let place = Place::new((outer.gpu, outer.block), &op, (outer.step, line), rounds)?;
            if matches!(place.does, Does::Loops) {
                return Err(place.unsupported("not supported: a pipeline within a pipeline"));
            }
            let sizes = op.src_buff.iter().chain(&op.dst_buff).map(|r| r.size);
            if let Some(size) = sizes.max().filter(|&size| size > rounds.chunks) {
                let chunks = rounds.chunks;
                return Err(place.error(format!("{size} chunks in a loop over {chunks}")));
            }
            self.add(&place, lane)?;
        }
        Ok(())
    }

    fn add(&mut self, place: &Place<'_>, lane: &mut Writer<'_>) -> Result<()> {
        let before = lane.ops.len();
        lane.origin = Origin { name: place.name, step: place.step, line: place.line };
        Emit { reader: self, place, lane }.write()?;
        self.operations += lane.ops.len() - before;
        if self.operations > MOST_OPERATIONS {
            return Err(place.unsupported(format!("more than {MOST_OPERATIONS} actions so far")));
        }
        Ok(())
    }

    /// The cells of a range that the operation's block works on: the first one and their number.
    pub(super) fn range(&self, place: &Place<'_>, reference: &Reference) -> Result<(u32, u32)> {
        let part = place.op.tbg_info.unwrap_or(GroupPart { tb_id: 0, tbg_size: 1 });
        let GroupPart { tb_id, tbg_size } = part;
        if tb_id >= tbg_size {
            return Err(place.error(format!("block {tb_id} of a group of {tbg_size}")));
        }
        if reference.size == 0 {
            return Err(place.error("a range of no chunks"));
        }
        let cells = |chunks: u32| chunks.checked_mul(self.plan.cells);
        let range = cells(reference.size).and_then(|size| {
            let share = size / tbg_size;
            Some((cells(reference.index)?.checked_add(share.checked_mul(tb_id)?)?, share))
        });
        range.ok_or_else(|| place.error("a range beyond all buffers"))
    }

    /// The channel with number `id` in the block's list: its index in the GPU's, and where it leads.
    pub(super) fn link(
        &self,
        place: &Place<'_>,
        kind: ChannelType,
        id: u32,
    ) -> Result<(u32, Link)> {
        let links = |gpu: u32| self.links[gpu as usize].get(&kind).into_iter().flatten();
        let index = place.channel(kind, id);
        let link = index.and_then(|i| Some((i, *links(place.gpu.id).nth(i as usize)?)));
        let (index, link) = link.ok_or_else(|| {
            place.error(format!("channel {id}, which its block or its GPU does not have"))
        })?;
        let mut back = links(link.peer).filter(|l| l.peer == place.gpu.id);
        if back.nth(link.ordinal as usize).is_none() {
            let peer = link.peer;
            return Err(place.error(format!("GPU {peer} has no partner for channel {id}")));
        }
        Ok((index, link))
    }

    /// The signal from `from` to `to` on the `ordinal`-th channel of a type between them.
    pub(super) fn signal(&mut self, from: u32, to: u32, kind: ChannelType, ordinal: u32) -> u32 {
        let semaphores = &mut self.plan.semaphores;
        *self.signals.entry((from, to, kind, ordinal)).or_insert_with(|| {
            semaphores.push(Semaphore { initial: 0, signal: Some((from, to)) });
            semaphores.len() as u32 - 1
        })
    }

    pub(super) fn port(&mut self, rank: u32, channel: u32) -> u32 {
        let ports = &mut self.plan.ports;
        *self.ports.entry((rank, channel)).or_insert_with(|| {
            *ports += 1;
            *ports - 1
        })
    }

    pub(super) fn barrier(&mut self, place: &Place<'_>) -> Result<PlanAction> {
        let (Some(id), Some(lanes)) = (place.op.barrier_id, place.op.num_threadblocks) else {
            return Err(place.error("`barrier_id` or `num_threadblocks` is missing"));
        };
        if lanes == 0 {
            return Err(place.error("a barrier of no blocks"));
        }
        let barriers = &mut self.plan.barriers;
        let barrier = *self.barriers.entry((place.gpu.id, id)).or_insert_with(|| {
            barriers.push(lanes);
            barriers.len() as u32 - 1
        });
        if self.plan.barriers[barrier as usize] != lanes {
            return Err(place.error(format!("barrier {id} has another number of blocks elsewhere")));
        }
        Ok(PlanAction::Barrier { barrier })
    }

    pub(super) fn semaphore(&self, place: &Place<'_>, id: u32) -> Result<u32> {
        if id as usize >= place.gpu.semaphores.len() {
            return Err(place.error(format!("semaphore {id}, which its GPU does not have")));
        }
        Ok(self.first_semaphore + id)
    }
}

pub(super) fn space(buffer: Buffer) -> Space {
    match buffer {
        Buffer::Input => Space::Input,
        Buffer::Output => Space::Output,
        Buffer::Scratch => Space::Scratch,
    }
}
