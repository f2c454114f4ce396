//! A rank that is followed alone: what others say is taken from what it says itself, or rank 0.

mod value;

pub(super) use value::Value;

use crate::schedule::compact::{CompactLanes, Packed};
use crate::{BufferMode, ChunkRange, Moves, Params, Space};
use std::collections::BTreeMap;

pub(super) struct Solo<'a> {
    pub(super) params: &'a Params,
    pub(super) rank: usize,
    pub(super) output: Vec<Option<Value>>,
    pub(super) scratch: BTreeMap<u32, Value>,
    /// The steps at which a merge completes a chunk, with the chunk.
    pub(super) completing: Vec<(u32, u32)>,
    pub(super) moves: Moves,
}

impl<'a> Solo<'a> {
    pub(super) fn new(params: &'a Params, rank: usize) -> Self {
        let mut output = vec![None; params.chunks()];
        if params.mode() == BufferMode::InPlace {
            for chunk in params.defined(rank) {
                output[chunk] = Some(Value::leaf(rank, chunk as u32));
            }
        }
        let (scratch, completing) = (BTreeMap::new(), Vec::new());
        Self { params, rank, output, scratch, completing, moves: Moves::SameChunk }
    }

    pub(super) fn get(&self, space: Space, chunk: usize) -> Option<Value> {
        match space {
            Space::Input => Some(Value::leaf(self.rank, chunk as u32)),
            Space::Scratch => self.scratch.get(&(chunk as u32)).copied(),
            Space::Output => self.output[chunk],
        }
    }

    /// Notes which chunks a step connects that takes them from chunks of a rank.
    pub(super) fn note_move(&mut self, step: Packed, from: (usize, ChunkRange)) {
        let to = (self.rank, step.chunks());
        self.moves = self.moves.max(Moves::between(self.params, from, to));
    }

    /// Copies or merges within the rank; `None` if that cannot be followed.
    pub(super) fn transfer(&mut self, at: u32, step: Packed) -> Option<()> {
        self.note_move(step, (self.rank, step.sources()));
        for (source, chunk) in step.sources().range().zip(step.chunks().range()) {
            let value = self.get(step.sources().space, source)?;
            self.write(at, step, chunk, value)?;
        }
        Some(())
    }

    /// Writes what comes to a chunk of a step, or merges it; `None` if that cannot be followed.
    pub(super) fn write(&mut self, at: u32, step: Packed, chunk: usize, came: Value) -> Option<()> {
        let mut value = came;
        if step.step().merges() {
            let own = self.get(step.space, chunk)?;
            value = own.merge(&came, step.left, self.params.ranks())?;
            if value.is_complete(self.params.ranks()) {
                self.completing.push((at, chunk as u32));
            }
        }
        match step.space {
            Space::Scratch => _ = self.scratch.insert(chunk as u32, value),
            _ => self.output[chunk] = Some(value),
        }
        Some(())
    }

    /// What it holds of what the operation promises, by chunk; `None` if that is something else.
    pub(super) fn results(&self) -> Option<Vec<(usize, Value)>> {
        let promised = (0..self.params.chunks())
            .filter_map(|chunk| Some((chunk, self.params.result(self.rank, chunk)?)));
        let held = promised.map(|(chunk, expected)| {
            let right = |value: &Value| {
                value.chunk as usize == expected.chunk && value.holds(&expected.ranks)
            };
            Some((chunk, self.output[chunk].filter(right)?))
        });
        held.collect()
    }
}

/// The steps of the first lane.
pub(super) fn steps(lane: &CompactLanes) -> impl Iterator<Item = Packed> + '_ {
    let mut reader = lane.begin(0);
    std::iter::from_fn(move || {
        let step = reader.peek(lane)?;
        reader.advance(lane);
        Some(step)
    })
}

/// A chunk number moved on by `by` blocks, within its buffer; the only block, if there is one for all ranks.
pub(super) fn moved(params: &Params, chunk: u32, by: usize) -> u32 {
    let (all, segments, chunk) = (params.chunks(), params.segments(), chunk as usize);
    if all == segments {
        return chunk as u32;
    }
    (chunk - chunk % all + (chunk % all + by * segments) % all) as u32
}
