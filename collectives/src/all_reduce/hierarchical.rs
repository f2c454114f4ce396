use crate::pattern::fold::{Take, fold};
use ringwood_schedule::{
    ChunkRange, Chunks, Collective, Descriptor, Lane, Params, Rank, register_collective,
};

/// All-reduce inside of tasks and across them: the ranks of each task merge a share of the buffer
/// each, the shares are merged across tasks, and the results come back the same way.
///
/// With `t` tasks of `q` ranks:
///
/// | | |
/// |---|---|
/// | steps | `2(q - 1)` sends inside of the task and `2(t - 1)` across, on each rank, in four rounds |
/// | bytes on the wire | inside `2(q - 1)/q` of the buffer for each rank, across `2(t - 1)/t` of a share of `1/q` |
/// | merges | `(q - 1)/q` of the buffer, and `(t - 1)/t` of a share |
/// | memory | scratch for what comes before the own contribution in a fold: inside of the task in place only, across tasks in both modes |
/// | group size | any, in tasks of any sizes: where they differ, the ranks of small ones have several shares |
/// | order | has no name: in the order of the ranks in each task, then in the order of the tasks; the same for all elements |
///
/// The choice where ranks of a task talk faster with each other than with others: only `1/q` of the
/// bytes crosses for each rank. With one task it is [`TwoShot`](super::TwoShot) in one segment. A group
/// says its tasks by `GroupBuilder::arrangement`.
///
/// Source: Cho, Finkler, Kung and Hunter, "BlueConnect: decomposing all-reduce for deep learning on
/// heterogeneous network hierarchy", 2019, with direct exchanges in place of rings.
pub struct Hierarchical;

impl Collective for Hierarchical {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("hierarchical").any_ranks().chunks(Chunks::PerRank).both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let shares = Shares { p, rank, task: p.task_of(rank) };
        shares.merge_inside(s);
        shares.merge_across(s);
        shares.return_across(s);
        shares.return_inside(s);
    }
}

/// The chunks in shares: one chunk for each task, but in the last share, which has what is left. Of
/// each share the chunk `i` is completed in task `i`.
struct Shares<'a> {
    p: &'a Params,
    rank: Rank,
    task: usize,
}

impl Shares<'_> {
    fn all(&self) -> std::ops::Range<usize> {
        0..self.p.ranks().div_ceil(self.p.tasks())
    }

    /// The shares that this rank merges.
    fn own(&self) -> impl Iterator<Item = usize> {
        self.all().filter(|&share| self.owner(share, self.task) == self.rank)
    }

    /// The ranks of the task but this one.
    fn others(&self) -> impl Iterator<Item = Rank> {
        self.p.task(self.task).map(|r| self.p.rank(r)).filter(|&r| r != self.rank)
    }

    /// The rank of `task` that merges a share there.
    fn owner(&self, share: usize, task: usize) -> Rank {
        let ranks = self.p.task(task);
        self.p.rank(ranks.start + share % ranks.len())
    }

    fn whole(&self, share: usize) -> ChunkRange {
        let (tasks, first) = (self.p.tasks(), share * self.p.tasks());
        self.p.span(first, tasks.min(self.p.ranks() - first))
    }

    /// The chunks of the own shares: the task where each is completed, the rank there, and the chunk.
    fn chunks(&self) -> impl Iterator<Item = (usize, usize, ChunkRange)> {
        let (tasks, ranks) = (self.p.tasks(), self.p.ranks());
        let chunks = self.own().flat_map(move |share| (0..tasks).map(move |task| (share, task)));
        let exists = move |&(share, task): &(usize, usize)| share * tasks + task < ranks;
        chunks
            .filter(exists)
            .map(move |(share, task)| (share, task, self.p.span(share * tasks + task, 1)))
    }

    fn merge_inside(&self, s: &mut Lane) {
        for share in self.all() {
            let owner = self.owner(share, self.task);
            if owner != self.rank {
                s.send(owner, self.p.of_input(self.whole(share)));
            }
        }
        for share in self.own() {
            let members = self.p.task(self.task).map(|r| self.p.rank(r));
            let target = self.whole(share);
            fold(Take::Messages, members, self.rank, self.p.of_input(target), target, s);
        }
    }

    fn merge_across(&self, s: &mut Lane) {
        for (share, task, chunk) in self.chunks().filter(|c| c.1 != self.task) {
            s.send(self.owner(share, task), chunk);
        }
        for (share, _, chunk) in self.chunks().filter(|c| c.1 == self.task) {
            let members = (0..self.p.tasks()).map(|task| self.owner(share, task));
            fold(Take::Messages, members, self.rank, chunk, chunk, s);
        }
    }

    fn return_across(&self, s: &mut Lane) {
        for (share, _, chunk) in self.chunks().filter(|c| c.1 == self.task) {
            for task in (0..self.p.tasks()).filter(|&task| task != self.task) {
                s.send(self.owner(share, task), chunk);
            }
        }
        for (share, task, chunk) in self.chunks().filter(|c| c.1 != self.task) {
            s.recv(self.owner(share, task), chunk);
        }
    }

    fn return_inside(&self, s: &mut Lane) {
        for share in self.own() {
            self.others().for_each(|other| s.send(other, self.whole(share)));
        }
        for share in self.all() {
            let owner = self.owner(share, self.task);
            if owner != self.rank {
                s.recv(owner, self.whole(share));
            }
        }
    }
}

register_collective!(hierarchical, Hierarchical);
