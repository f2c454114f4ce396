//! Lowering for memory that peers can read: sends vanish, receives read the sender's chunk in place,
//! and what is left is a handful of copies, merges and waits on one progress counter per rank.

mod links;
mod local;
mod places;
mod program;
mod races;

pub use links::{Lanes, Links};
pub use local::{Apply, Local, Spot, brought};
pub use places::{Move, Places};
pub use program::{Address, Memory, Op, Program};
pub use races::{Race, find_race};

use crate::{Action, ChunkRange, Space, Step};
use links::Peer;
use std::collections::BTreeMap;

/// A send whose chunks a peer may still read: where they lie.
struct Unread {
    chunks: Option<ChunkRange>,
    peer: u32,
    step: u32,
}

struct Lowering<'a> {
    rank: usize,
    places: &'a Places,
    /// Whether chunks are done tile by tile, so that operations name one chunk each.
    tiled: bool,
    one_sided: bool,
    own_slots: BTreeMap<u32, usize>,
    peers: BTreeMap<u32, Peer>,
    unread: Vec<Unread>,
    unpublished: Option<u32>,
    barriers: usize,
    program: Program,
}

impl Lowering<'_> {
    /// The working copy of the input, which peers wait for.
    fn begin(&mut self) {
        if let Some(copy) = self.places.copy_in(self.rank) {
            self.copy(copy);
        }
        if self.places.copies() {
            self.unpublished = Some(1);
        }
    }

    /// The progress that tells that step `index` is done.
    fn done(&self, index: u32) -> u32 {
        index + 1 + u32::from(self.places.copies())
    }

    fn copy(&mut self, Move { source, chunks, target }: Move) {
        self.each(chunks, |at, bytes| Op::Copy {
            source: source.plus(at),
            target: target.plus(at),
            bytes,
        });
    }

    /// Adds an operation on `chunks` of this rank: one, or where tiles are done, one for each chunk.
    /// `op` gets where the bytes begin after those of the first chunk, and how many they are.
    fn each(&mut self, chunks: ChunkRange, op: impl Fn(usize, usize) -> Op) {
        let layout = &self.places.schedule;
        let start = layout.bytes(self.rank, chunks).start;
        let mut add = |part: ChunkRange| {
            let bytes = layout.bytes(self.rank, part);
            if !bytes.is_empty() {
                self.program.ops.push(op(bytes.start - start, bytes.len()));
            }
        };
        if self.tiled {
            chunks.range().for_each(|c| add(ChunkRange { first: c as u32, count: 1, ..chunks }));
        } else {
            add(chunks);
        }
    }

    fn step(&mut self, index: u32, step: &Step, completing: &[(u32, u32)]) {
        let matched = self.peers.get_mut(&step.peer).and_then(|peer| peer.matching(step));
        let empty = !step.synchronises() && self.places.bytes(self.rank, self.own(step)) == 0;
        if empty && !self.one_sided {
            return;
        }
        match step.action {
            Action::Send => self.send(index, step, matched),
            Action::Recv | Action::RecvReduce => {
                let (source, sent) = self.await_message(step, matched);
                self.write(step, source, sent.space);
            }
            Action::Copy | Action::Reduce => {
                let source = self.places.place(self.rank, step.source);
                self.write(step, source, step.source.space);
            }
            Action::Get | Action::GetReduce => {
                self.await_start(step.peer);
                let source = self.places.place(step.peer as usize, step.source);
                self.write(step, source, step.source.space);
            }
            Action::Put => self.put(step),
            Action::Wait => {
                let signal = matched.expect("a proved wait has its signal").0;
                self.wait(step.peer, self.done(signal));
            }
            Action::Barrier => self.barrier(),
            Action::Signal => {}
        }
        if step.merges() {
            self.complete(index, step, completing);
        }
        self.unpublished = Some(self.done(index));
    }

    /// The chunks of this rank that a step reads or writes.
    fn own(&self, step: &Step) -> ChunkRange {
        if step.action == Action::Put { step.source } else { step.chunks }
    }

    fn send(&mut self, index: u32, step: &Step, matched: Option<(u32, ChunkRange)>) {
        let slot = self.own_slots.get(&index).copied();
        if let Some(offset) = slot {
            let rank = self.rank as u32;
            let target = Address { rank, memory: Memory::Arena, offset };
            let source = self.places.place(self.rank, step.chunks);
            self.publish();
            self.copy(Move { source, chunks: step.chunks, target });
        }
        let chunks = slot.is_none().then_some(step.chunks);
        let receive = matched.expect("a proved send has its receive").0;
        self.unread.push(Unread { chunks, peer: step.peer, step: receive });
    }

    /// Writes what is at `source`, in the form of chunks of `space`, to the chunks of a step.
    fn write(&mut self, step: &Step, source: Address, space: Space) {
        self.await_readers(Some(step.chunks));
        let target = self.places.place(self.rank, step.chunks);
        self.publish();
        let (merges, left) = (step.merges(), step.left);
        let layout = &self.places.schedule;
        let forms = [space, step.chunks.space].map(|space| layout.form(space));
        self.each(step.chunks, |at, bytes| {
            if forms[0] != forms[1] {
                let bytes = [bytes / forms[1] * forms[0], bytes];
                return Op::Convert { source, target, bytes, merges };
            }
            let (source, target) = (source.plus(at), target.plus(at));
            if merges {
                Op::Merge { source, target, bytes, left }
            } else {
                Op::Copy { source, target, bytes }
            }
        });
        if source.rank as usize != self.rank {
            let bytes = self.places.bytes(self.rank, step.chunks);
            self.program.moved += (bytes / forms[1] * forms[0]) as u64;
        }
    }

    fn put(&mut self, step: &Step) {
        self.await_start(step.peer);
        let source = self.places.place(self.rank, step.source);
        let target = self.places.place(step.peer as usize, step.chunks);
        self.publish();
        self.copy(Move { source, chunks: step.source, target });
    }

    /// Waits until the peer has sent; where that is, and the chunks that it sent.
    fn await_message(
        &mut self,
        step: &Step,
        matched: Option<(u32, ChunkRange)>,
    ) -> (Address, ChunkRange) {
        let (send, sent) = matched.expect("a proved receive has its send");
        let peer = &self.peers[&step.peer];
        let slot = peer.slots.get(&send).copied();
        if send >= peer.ready {
            self.wait(step.peer, self.done(send));
        }
        let source = match slot {
            Some(offset) => Address { rank: step.peer, memory: Memory::Arena, offset },
            None => self.places.place(step.peer as usize, sent),
        };
        (source, sent)
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
            self.wait(*peer, self.done(*step));
        }
    }

    /// Waits until the peer has its working copy.
    fn await_start(&mut self, peer: u32) {
        self.wait(peer, u32::from(self.places.copies()));
    }

    fn barrier(&mut self) {
        self.publish();
        let ranks: Vec<u32> = self.peers.keys().copied().collect();
        for rank in ranks {
            let step = self.peers[&rank].barriers[self.barriers];
            self.wait(rank, self.done(step) - 1);
        }
        self.barriers += 1;
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
        for &(_, first) in completing[first..].iter().take_while(|(s, _)| *s == index) {
            let chunk = ChunkRange { first, count: 1, ..step.chunks };
            let target = self.places.place(self.rank, chunk);
            self.each(chunk, |at, bytes| Op::Finish { target: target.plus(at), bytes });
        }
    }

    fn finish(mut self) -> Program {
        self.publish();
        if let Some(copy) = self.places.copy_out(self.rank) {
            self.copy(copy);
        }
        self.program.body = self.program.ops.len();
        self.await_readers(None);
        self.program.peers = touched(&self.program.ops, self.rank);
        self.program
    }
}

/// The other ranks whose memory the operations name, ascending.
fn touched(ops: &[Op], rank: usize) -> Vec<u32> {
    let named = ops.iter().filter_map(|op| match op {
        Op::Copy { source, target, .. }
        | Op::Merge { source, target, .. }
        | Op::Convert { source, target, .. } => Some([source.rank, target.rank]),
        _ => None,
    });
    let mut ranks: Vec<u32> = named.flatten().filter(|&r| r as usize != rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}
