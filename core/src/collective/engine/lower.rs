//! Lowering for memory that peers can read: sends vanish, receives read the sender's chunk in place,
//! and what is left is a handful of copies, merges and waits on one progress counter per rank.

use super::program::{Address, Memory, Op, Program};
use crate::collective::{Action, BufferMode, ChunkRange, Params, Partition, Rank, Space, Step};
use crate::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The lanes of a group, and what links their steps.
pub(crate) struct Links<'a> {
    params: &'a Params,
    staged: &'a [Vec<u32>],
    lane: &'a Lanes<'a>,
}

/// Gives the steps of a rank.
type Lanes<'a> = dyn Fn(Rank) -> Result<Cow<'a, [Step]>> + 'a;

/// What a rank must know of a peer.
struct Peer {
    /// The peer's sends to this rank and receives from it: their positions in its lane, and the
    /// chunks there.
    sends: Vec<(u32, ChunkRange)>,
    receives: Vec<(u32, ChunkRange)>,
    /// The first steps of the peer that only send from its buffer: done when the call begins.
    ready: u32,
    slots: HashMap<u32, usize>,
    /// How many of `sends` and `receives` are matched.
    next: (usize, usize),
    /// The progress that this rank knows of.
    known: u32,
}

/// A send whose chunks a peer may still read.
struct Unread {
    chunks: Option<ChunkRange>,
    peer: u32,
    step: u32,
}

struct Lowering<'a> {
    rank: Rank,
    params: &'a Params,
    cut: &'a Partition,
    size: usize,
    /// Whether chunks are done tile by tile, so that operations name one chunk each.
    tiled: bool,
    scratch: bool,
    own_slots: HashMap<u32, usize>,
    peers: HashMap<u32, Peer>,
    unread: Vec<Unread>,
    unpublished: Option<u32>,
    program: Program,
}

impl<'a> Links<'a> {
    pub(crate) fn new(params: &'a Params, staged: &'a [Vec<u32>], lane: &'a Lanes<'a>) -> Self {
        Self { params, staged, lane }
    }

    /// The program of `rank` for a buffer cut by `cut` into elements of `size` bytes; `completing`
    /// are the merges that complete a chunk, `scratch` says whether any rank uses scratch chunks.
    /// A pass does at most `tile` bytes of a chunk.
    pub(crate) fn lower(
        &self,
        rank: Rank,
        completing: &[(u32, u32)],
        scratch: bool,
        cut: &'a Partition,
        size: usize,
        tile: usize,
    ) -> Result<Program> {
        let lane = (self.lane)(rank)?;
        check_two_sided(&lane)?;
        let base = arena_base(self.params, cut, size, scratch);
        let (own_slots, arena) = slots(&lane, &self.staged[rank.index()], cut, size, base);
        let program = Program { arena, ..Program::tiled(cut.elements(0..1).len() * size, tile) };
        let mut lowering = Lowering {
            rank,
            params: self.params,
            cut,
            size,
            tiled: program.passes > 1,
            scratch,
            own_slots,
            peers: self.peers(rank, &lane, cut, size, base)?,
            unread: Vec::new(),
            unpublished: None,
            program,
        };
        lowering.copy_input();
        for (i, step) in lane.iter().enumerate() {
            lowering.step(i as u32, step, completing);
        }
        Ok(lowering.finish())
    }

    fn peers(
        &self,
        rank: Rank,
        lane: &[Step],
        cut: &Partition,
        size: usize,
        base: usize,
    ) -> Result<HashMap<u32, Peer>> {
        let mut peers = HashMap::new();
        for step in lane.iter().filter(|s| !matches!(s.action, Action::Copy | Action::Reduce)) {
            if let Entry::Vacant(entry) = peers.entry(step.peer) {
                let index = step.peer as usize;
                let lane = (self.lane)(self.params.rank(index))?;
                let (slots, _) = slots(&lane, &self.staged[index], cut, size, base);
                entry.insert(Peer::new(rank, &lane, slots));
            }
        }
        Ok(peers)
    }
}

impl Peer {
    fn new(rank: Rank, lane: &[Step], slots: HashMap<u32, usize>) -> Self {
        let with = |keep: fn(&Step) -> bool| {
            let ours =
                lane.iter().enumerate().filter(|(_, s)| s.peer as usize == rank.index() && keep(s));
            ours.map(|(i, s)| (i as u32, s.chunks)).collect()
        };
        let plain = |(i, s): &(usize, &Step)| {
            s.action == Action::Send
                && s.chunks.space == Space::Output
                && !slots.contains_key(&(*i as u32))
        };
        let ready = lane.iter().enumerate().take_while(plain).count() as u32;
        Self {
            sends: with(|s| s.action == Action::Send),
            receives: with(Step::receives),
            ready,
            slots,
            next: (0, 0),
            known: 0,
        }
    }
}

fn check_two_sided(lane: &[Step]) -> Result<()> {
    match lane.iter().find(|step| step.one_sided() || step.synchronises()) {
        None => Ok(()),
        Some(step) => {
            let message = format!("{step} at {} does not run over peer memory", step.site);
            Err(Error::new(ErrorKind::Unsupported, message))
        }
    }
}

/// The bytes of the arena before the copies of sent chunks: the input's copy and the scratch chunks.
fn arena_base(params: &Params, cut: &Partition, size: usize, scratch: bool) -> usize {
    let buffer = aligned(cut.elements(0..params.chunks()).len() * size);
    buffer * (usize::from(params.mode() == BufferMode::OutOfPlace) + usize::from(scratch))
}

/// Where a rank keeps the copies of its staged sends, and the end of them.
fn slots(
    lane: &[Step],
    staged: &[u32],
    cut: &Partition,
    size: usize,
    base: usize,
) -> (HashMap<u32, usize>, usize) {
    let mut end = base;
    let mut slot = |&step: &u32| {
        let start = end;
        end += aligned(cut.elements(lane[step as usize].chunks.range()).len() * size);
        (step, start)
    };
    (staged.iter().map(&mut slot).collect(), end)
}

fn aligned(bytes: usize) -> usize {
    bytes.next_multiple_of(crate::collective::chunk::CACHE_LINE)
}

impl Lowering<'_> {
    /// A schedule that keeps the input apart reads a copy, since the caller's buffer is the output.
    fn copy_input(&mut self) {
        let all = self.params.all();
        if self.params.mode() == BufferMode::OutOfPlace {
            let own = self.rank.index() as u32;
            let source = Address { rank: own, memory: Memory::Buffer, offset: 0 };
            let target = Address { rank: own, memory: Memory::Arena, offset: 0 };
            self.each(all, |_, offset, bytes| Op::Copy {
                source: source.plus(offset),
                target: target.plus(offset),
                bytes,
            });
        }
    }

    /// Adds an operation on `chunks`: one, or where tiles are done, one for each chunk. `op` gets
    /// the chunks, and where their bytes begin after those of the first.
    fn each(&mut self, chunks: ChunkRange, op: impl Fn(ChunkRange, usize, usize) -> Op) {
        let start = self.cut.elements(chunks.range()).start;
        let mut add = |part: ChunkRange| {
            let elements = self.cut.elements(part.range());
            let (offset, bytes) =
                ((elements.start - start) * self.size, elements.len() * self.size);
            if bytes > 0 {
                self.program.ops.push(op(part, offset, bytes));
            }
        };
        if self.tiled {
            chunks.range().for_each(|c| add(ChunkRange { first: c as u32, count: 1, ..chunks }));
        } else {
            add(chunks);
        }
    }

    fn step(&mut self, index: u32, step: &Step, completing: &[(u32, u32)]) {
        let bytes = self.cut.elements(step.chunks.range()).len() * self.size;
        let matched = self.matched(index, step);
        if bytes == 0 {
            return;
        }
        let own = self.rank.index() as u32;
        let target = self.address(own, step.chunks);
        match step.action {
            Action::Send => self.send(index, step, matched.0),
            Action::Recv | Action::RecvReduce => {
                let source = self.await_message(step, matched);
                self.await_readers(Some(step.chunks));
                self.write(step, source, target);
                self.program.moved += bytes as u64;
            }
            Action::Copy | Action::Reduce => {
                self.await_readers(Some(step.chunks));
                self.write(step, self.address(own, step.source), target);
            }
            // Refused before the first step.
            Action::Put | Action::Get | Action::GetReduce => {}
            Action::Signal | Action::Wait | Action::Barrier => {}
        }
        if step.merges() {
            self.complete(index, step, completing);
        }
        self.unpublished = Some(index + 1);
    }

    /// The peer's step that matches an exchange: its position, and the chunks there. A local step
    /// matches itself.
    fn matched(&mut self, index: u32, step: &Step) -> (u32, ChunkRange) {
        let Some(peer) = self.peers.get_mut(&step.peer) else { return (index, step.source) };
        if step.action == Action::Send {
            peer.next.1 += 1;
            peer.receives[peer.next.1 - 1]
        } else {
            peer.next.0 += 1;
            peer.sends[peer.next.0 - 1]
        }
    }

    fn send(&mut self, index: u32, step: &Step, matched: u32) {
        let slot = self.own_slots.get(&index).copied();
        if let Some(offset) = slot {
            let rank = self.rank.index() as u32;
            let target = Address { rank, memory: Memory::Arena, offset };
            let source = self.address(rank, step.chunks);
            self.publish();
            self.each(step.chunks, |_, at, bytes| Op::Copy {
                source: source.plus(at),
                target: target.plus(at),
                bytes,
            });
        }
        let chunks = slot.is_none().then_some(step.chunks);
        self.unread.push(Unread { chunks, peer: step.peer, step: matched });
    }

    fn write(&mut self, step: &Step, source: Address, target: Address) {
        self.publish();
        let merges = step.merges();
        self.each(step.chunks, |_, at, bytes| {
            let (source, target) = (source.plus(at), target.plus(at));
            if merges {
                Op::Merge { source, target, bytes }
            } else {
                Op::Copy { source, target, bytes }
            }
        });
    }

    /// Waits until the peer has sent; the address of what it sent.
    fn await_message(&mut self, step: &Step, (matched, sent): (u32, ChunkRange)) -> Address {
        let peer = &self.peers[&step.peer];
        let slot = peer.slots.get(&matched).copied();
        if matched >= peer.ready {
            self.wait(step.peer, matched + 1);
        }
        match slot {
            Some(offset) => Address { rank: step.peer, memory: Memory::Arena, offset },
            None => self.address(step.peer, sent),
        }
    }

    /// Waits until peers have read what was sent from `chunks`; from anywhere, if `None`.
    fn await_readers(&mut self, chunks: Option<ChunkRange>) {
        let concerns = |unread: &Unread| match (chunks, unread.chunks) {
            (Some(written), Some(sent)) => sent.overlaps(written),
            (Some(_), None) => false,
            (None, _) => true,
        };
        let readers: Vec<_> = self.unread.extract_if(.., |u| concerns(u)).collect();
        for Unread { peer, step, .. } in readers.iter().rev() {
            self.wait(*peer, step + 1);
        }
    }

    fn wait(&mut self, rank: u32, progress: u32) {
        let known = &mut self.peers.get_mut(&rank).expect("only peers are waited for").known;
        if *known < progress {
            *known = progress;
            self.publish();
            self.program.ops.push(Op::Await { rank, progress });
        }
    }

    /// Progress is told before this rank waits or works, and not more often.
    fn publish(&mut self) {
        if let Some(progress) = self.unpublished.take() {
            self.program.ops.push(Op::Publish { progress });
        }
    }

    /// The group's operator finishes a chunk where its last contribution is merged.
    fn complete(&mut self, index: u32, step: &Step, completing: &[(u32, u32)]) {
        let first = completing.partition_point(|&(s, _)| s < index);
        for &(_, chunk) in completing[first..].iter().take_while(|(s, _)| *s == index) {
            let chunk = ChunkRange { space: step.chunks.space, first: chunk, count: 1 };
            let bytes = self.cut.elements(chunk.range()).len() * self.size;
            if bytes > 0 {
                let target = self.address(self.rank.index() as u32, chunk);
                self.program.ops.push(Op::Finish { target, bytes });
            }
        }
    }

    fn address(&self, rank: u32, chunks: ChunkRange) -> Address {
        let offset = self.cut.elements(chunks.range()).start * self.size;
        let whole = aligned(self.cut.elements(0..self.params.chunks()).len() * self.size);
        let apart = self.params.mode() == BufferMode::OutOfPlace;
        let (memory, offset) = match chunks.space {
            Space::Output => (Memory::Buffer, offset),
            Space::Input => (Memory::Arena, offset),
            Space::Scratch => (Memory::Arena, offset + if apart { whole } else { 0 }),
        };
        debug_assert!(chunks.space != Space::Scratch || self.scratch);
        Address { rank, memory, offset }
    }

    fn finish(mut self) -> Program {
        self.publish();
        self.program.body = self.program.ops.len();
        self.await_readers(None);
        let sources = self.program.ops.iter().filter_map(|op| match op {
            Op::Copy { source, .. } | Op::Merge { source, .. } => Some(source.rank),
            _ => None,
        });
        let mut peers: Vec<u32> = sources.collect();
        peers.sort_unstable();
        peers.dedup();
        peers.retain(|&rank| rank as usize != self.rank.index());
        self.program.peers = peers;
        self.program
    }
}
