//! From operations with several sources and targets to steps with one of each.

use ringwood_schedule::plan::{Origin, PRIVATE, PlanAction, PlanOp};
use ringwood_schedule::{Action, ChunkRange, Site, Space, Step};

/// Where a value comes from or goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Consecutive cells of a rank's buffer.
    Cells { rank: u32, space: Space, first: u32 },
    /// The next message from or to a rank.
    Message { peer: u32, channel: u16 },
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct At {
    rank: u32,
    cells: ChunkRange,
}

impl End {
    fn at(&self, count: u32) -> Option<At> {
        match *self {
            End::Cells { rank, space, first } => {
                Some(At { rank, cells: ChunkRange { space, first, count } })
            }
            End::Message { .. } => None,
        }
    }
}

/// A lane in the making.
pub(crate) struct Writer<'a> {
    pub(crate) rank: u32,
    pub(crate) ops: Vec<PlanOp>,
    pub(crate) origin: Origin,
    /// How many cells of the rank's scratch memory belong to single lanes.
    private: &'a mut u32,
    /// Those of this lane: the first one and their number.
    own: (u32, u32),
}

impl<'a> Writer<'a> {
    /// A lane of a rank, of whose scratch cells `private` belong to single lanes.
    pub(crate) fn new(rank: u32, private: &'a mut u32) -> Self {
        let origin = Origin { name: "", step: 0, line: 0 };
        Self { rank, ops: Vec::new(), origin, private, own: (0, 0) }
    }

    pub(crate) fn add(&mut self, action: PlanAction) {
        self.ops.push(PlanOp { action, origin: self.origin });
    }

    /// Adds the steps that merge `cells` cells of all sources, in their order, and leave the result
    /// in every target. A port channel, if one does it, has one source.
    pub(crate) fn carry(
        &mut self,
        cells: u32,
        sources: &[End],
        targets: &[End],
        port: Option<u32>,
    ) {
        let own = |end: &End| end.at(cells).filter(|at| at.rank == self.rank);
        let first = sources.first().and_then(|end| end.at(cells));
        let straight = |from: At| {
            let elsewhere = targets.iter().any(|t| own(t).is_none());
            sources.len() == 1 && (from.rank == self.rank || !elsewhere)
        };
        if let Some(source) = first.filter(|from| straight(*from)) {
            return self.hand_out(source, cells, targets, port);
        }
        // A cell of this rank takes the result: a target if there is one.
        let taken = targets.iter().find_map(own);
        let taken = taken.unwrap_or_else(|| self.spare(cells));
        let mut sources = sources.to_vec();
        if let Some(own) = sources.iter().position(|s| s.at(cells) == Some(taken)) {
            sources.swap(0, own);
        }
        for (i, source) in sources.iter().enumerate() {
            let merge = i > 0;
            match (*source, source.at(cells)) {
                (_, Some(from)) => self.transfer(from, taken, merge, port),
                (End::Message { peer, channel }, _) => {
                    let action = if merge { Action::RecvReduce } else { Action::Recv };
                    self.step(action, (peer, channel), [taken.cells; 2], None);
                }
                _ => {}
            }
        }
        self.hand_out(taken, cells, targets, port);
    }

    /// Reads packets, so that they are full.
    pub(crate) fn poll(&mut self, source: &End, cells: u32) {
        let spare = self.spare(cells);
        if let Some(from) = source.at(cells) {
            self.transfer(from, spare, false, None);
        }
    }

    /// Brings what `source` holds to all targets.
    fn hand_out(&mut self, source: At, cells: u32, targets: &[End], port: Option<u32>) {
        for target in targets {
            match (*target, target.at(cells)) {
                (_, Some(to)) => self.transfer(source, to, false, port),
                (End::Message { peer, channel }, _) => {
                    self.step(Action::Send, (peer, channel), [source.cells; 2], None);
                }
                _ => {}
            }
        }
    }

    /// What is brought to where it is, multicast to its own rank for one, changes nothing.
    fn transfer(&mut self, from: At, to: At, merge: bool, port: Option<u32>) {
        let (action, peer) = match (from.rank == self.rank, to.rank == self.rank, merge) {
            (true, true, true) => (Action::Reduce, self.rank),
            (true, true, false) => (Action::Copy, self.rank),
            (false, _, true) => (Action::GetReduce, from.rank),
            (false, _, false) => (Action::Get, from.rank),
            (true, false, _) => (Action::Put, to.rank),
        };
        if from != to || merge {
            self.step(action, (peer, 0), [from.cells, to.cells], port);
        }
    }

    fn step(
        &mut self,
        action: Action,
        (peer, channel): (u32, u16),
        [source, chunks]: [ChunkRange; 2],
        port: Option<u32>,
    ) {
        let step =
            Step { action, left: false, channel, peer, chunks, source, site: Site::default() };
        self.add(PlanAction::Move { step, port });
    }

    /// Cells of this lane alone.
    fn spare(&mut self, count: u32) -> At {
        if self.own.1 < count {
            self.own = (*self.private, count);
            *self.private = self.private.saturating_add(count);
        }
        let first = PRIVATE.saturating_add(self.own.0);
        At { rank: self.rank, cells: ChunkRange { space: Space::Scratch, first, count } }
    }
}
