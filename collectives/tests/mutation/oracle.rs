//! What a schedule does, found the slow way: exact multisets, and happens-before as a closure.
//!
//! It shares nothing with the verifier but the table of operations, so where the two agree on every
//! mutant, neither is blind to what the other sees.

use ringwood_schedule::{Action, BufferMode, ChunkRange, Operation, Params, Schedule, Space, Step};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// Which contributions a chunk holds, and how often.
type Bag = BTreeMap<(usize, usize), usize>;

/// A chunk of a rank.
type Cell = (usize, Space, usize);

/// Messages in flight by sender, receiver and channel, or signals (then `true`).
type Queue = (usize, usize, u16, bool);

struct Access {
    node: usize,
    rank: usize,
    cell: Cell,
    writes: bool,
}

struct Run<'a> {
    schedule: &'a Schedule,
    params: &'a Params,
    memory: HashMap<Cell, Bag>,
    queues: HashMap<Queue, VecDeque<(usize, Vec<Bag>)>>,
    /// For each node, those that happen before it.
    before: Vec<HashSet<usize>>,
    /// For each rank, its nodes so far, and the first thing that it did.
    done: Vec<Vec<usize>>,
    first: Vec<Option<usize>>,
    accesses: Vec<Access>,
}

/// Whether a schedule finishes, leaves what its operation asks for, and orders every two accesses of
/// one chunk of which one is a write.
pub(crate) fn correct(schedule: &Schedule, params: &Params) -> bool {
    let mut run = Run {
        schedule,
        params,
        memory: HashMap::new(),
        queues: HashMap::new(),
        before: Vec::new(),
        done: vec![Vec::new(); params.ranks()],
        first: vec![None; params.ranks()],
        accesses: Vec::new(),
    };
    if params.mode() == BufferMode::InPlace {
        for rank in 0..params.ranks() {
            for chunk in params.defined(rank) {
                run.memory.insert((rank, Space::Output, chunk), Bag::from([((rank, chunk), 1)]));
            }
        }
    }
    run.finishes().is_some()
        && run.queues.values().all(VecDeque::is_empty)
        && run.is_ordered()
        && run.values_are_right()
}

impl Run<'_> {
    /// Runs lanes in turn until all are done; `None` if none can go on or a step is out of bounds.
    fn finishes(&mut self) -> Option<()> {
        loop {
            let mut moved = false;
            for rank in 0..self.params.ranks() {
                while let Some(step) = self.next(rank).copied() {
                    if step.action == Action::Barrier {
                        break;
                    }
                    if !self.step(rank, &step)? {
                        break;
                    }
                    moved = true;
                }
            }
            let at_barrier = |rank| self.next(rank).is_some_and(|s| s.action == Action::Barrier);
            if (0..self.params.ranks()).all(at_barrier) {
                self.barrier();
            } else if !moved {
                return (0..self.params.ranks()).all(|r| self.next(r).is_none()).then_some(());
            }
        }
    }

    fn next(&self, rank: usize) -> Option<&Step> {
        self.schedule.lanes[rank].get(self.done[rank].len())
    }

    fn node(&mut self, rank: usize, others: &[usize]) -> usize {
        let node = self.before.len();
        let mut before = HashSet::new();
        for &earlier in self.done[rank].last().into_iter().chain(others) {
            before.insert(earlier);
            before.extend(self.before[earlier].iter().copied());
        }
        self.before.push(before);
        self.first[rank].get_or_insert(node);
        self.done[rank].push(node);
        node
    }

    fn barrier(&mut self) {
        let last: Vec<_> = self.done.iter().filter_map(|done| done.last().copied()).collect();
        // Arrival is an event of its own: who leaves has heard of everyone.
        let arrivals: Vec<_> = (0..self.params.ranks())
            .map(|rank| {
                let node = self.node(rank, &last);
                self.done[rank].pop();
                node
            })
            .collect();
        (0..self.params.ranks()).for_each(|rank| _ = self.node(rank, &arrivals));
    }

    /// `Some(false)` if the step has to wait, `None` if it is out of bounds.
    fn step(&mut self, rank: usize, step: &Step) -> Option<bool> {
        let (n, peer) = (self.params.ranks(), step.peer as usize);
        let exchanges = !matches!(step.action, Action::Copy | Action::Reduce);
        if exchanges && (peer >= n || peer == rank) {
            return None;
        }
        let key = |from, to, signal| (from, to, step.channel, signal);
        match step.action {
            Action::Send => {
                let values = self.read(rank, step.chunks)?;
                let node = self.node(rank, &[]);
                self.touch(node, rank, rank, step.chunks, false);
                self.queues.entry(key(rank, peer, false)).or_default().push_back((node, values));
            }
            Action::Signal => {
                let node = self.node(rank, &[]);
                self.queues.entry(key(rank, peer, true)).or_default().push_back((node, Vec::new()));
            }
            Action::Recv | Action::RecvReduce | Action::Wait => {
                let queue = self.queues.entry(key(peer, rank, step.action == Action::Wait));
                let Some((sent, values)) = queue.or_default().pop_front() else {
                    return Some(false);
                };
                let node = self.node(rank, &[sent]);
                if step.action != Action::Wait {
                    self.write(node, rank, rank, step, values)?;
                }
            }
            Action::Copy | Action::Reduce => self.transfer(rank, rank, rank, step)?,
            Action::Get | Action::GetReduce => self.transfer(rank, peer, rank, step)?,
            Action::Put => self.transfer(rank, rank, peer, step)?,
            other => unreachable!("{other:?}"),
        }
        Some(true)
    }

    fn transfer(&mut self, rank: usize, from: usize, to: usize, step: &Step) -> Option<()> {
        let values = self.read(from, step.source)?;
        let node = self.node(rank, &[]);
        self.touch(node, rank, from, step.source, false);
        self.write(node, rank, to, step, values)
    }

    fn write(
        &mut self,
        node: usize,
        rank: usize,
        to: usize,
        step: &Step,
        values: Vec<Bag>,
    ) -> Option<()> {
        let merges = matches!(step.action, Action::RecvReduce | Action::Reduce | Action::GetReduce);
        if values.len() != step.chunks.count as usize || step.chunks.space == Space::Input {
            return None;
        }
        self.check(to, step.chunks)?;
        self.touch(node, rank, to, step.chunks, true);
        for (chunk, value) in step.chunks.range().zip(values) {
            let cell = (to, step.chunks.space, chunk);
            if merges {
                let own = self.memory.get_mut(&cell)?;
                value.into_iter().for_each(|(from, count)| *own.entry(from).or_default() += count);
            } else {
                self.memory.insert(cell, value);
            }
        }
        Some(())
    }

    /// Where a chunk lies: in place, input and output are one.
    fn space(&self, space: Space) -> Space {
        let in_place = self.params.mode() == BufferMode::InPlace;
        if in_place && space == Space::Input { Space::Output } else { space }
    }

    fn check(&self, rank: usize, chunks: ChunkRange) -> Option<()> {
        let (range, all) = (chunks.range(), self.params.chunks());
        let held = self.params.held(rank, chunks.space);
        let inside = match chunks.space {
            Space::Scratch => range.start / all == range.end.max(1).div_ceil(all).max(1) - 1,
            _ => held.start <= range.start && range.end <= held.end,
        };
        (inside && chunks.count > 0).then_some(())
    }

    fn read(&self, rank: usize, chunks: ChunkRange) -> Option<Vec<Bag>> {
        self.check(rank, chunks)?;
        let value = |chunk| match self.space(chunks.space) {
            Space::Input => Some(Bag::from([((rank, chunk), 1)])),
            space => self.memory.get(&(rank, space, chunk)).cloned(),
        };
        chunks.range().map(value).collect()
    }

    fn touch(&mut self, node: usize, rank: usize, owner: usize, chunks: ChunkRange, writes: bool) {
        let space = self.space(chunks.space);
        let access = |chunk| Access { node, rank, cell: (owner, space, chunk), writes };
        self.accesses.extend(chunks.range().map(access));
    }

    fn is_ordered(&self) -> bool {
        let ordered = |a: usize, b: usize| a == b || self.before[b].contains(&a);
        let mut by_cell: HashMap<Cell, Vec<&Access>> = HashMap::new();
        for access in &self.accesses {
            by_cell.entry(access.cell).or_default().push(access);
        }
        let pairs_are_ordered = by_cell.values().all(|accesses| {
            let pair = |a: &&Access, b: &&Access| {
                let conflict = (a.writes || b.writes) && a.rank != b.rank;
                !conflict || ordered(a.node, b.node) || ordered(b.node, a.node)
            };
            accesses.iter().enumerate().all(|(i, a)| accesses[..i].iter().all(|b| pair(a, b)))
        });
        let completes = |access: &Access| {
            let owner = access.cell.0;
            let end = self.done[owner].last();
            owner == access.rank || end.is_some_and(|&end| ordered(access.node, end))
        };
        pairs_are_ordered && self.accesses.iter().all(completes) && self.is_barrier()
    }

    /// Whether no rank ends before all have begun, if the operation is a barrier.
    fn is_barrier(&self) -> bool {
        let heard = |done: &Vec<usize>, first: &Option<usize>| match (done.last(), *first) {
            (Some(&end), Some(begin)) => end == begin || self.before[end].contains(&begin),
            _ => false,
        };
        self.params.operation() != Operation::Barrier
            || self.params.ranks() == 1
            || self.done.iter().all(|done| self.first.iter().all(|first| heard(done, first)))
    }

    fn values_are_right(&self) -> bool {
        let right = |rank: usize, chunk: usize| match self.params.result(rank, chunk) {
            None => true,
            Some(expected) => {
                let bag: Bag = expected.ranks.map(|r| ((r, expected.chunk), 1)).collect();
                self.memory.get(&(rank, Space::Output, chunk)) == Some(&bag)
            }
        };
        let chunks = self.params.chunks();
        (0..self.params.ranks()).all(|rank| (0..chunks).all(|chunk| right(rank, chunk)))
    }
}
