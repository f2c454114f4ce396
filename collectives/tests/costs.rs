//! The messages and bytes of every algorithm are those that its docs state, and so is the order.

use ringwood_base::DType;
use ringwood_base::registry::Registry;
use ringwood_collectives as _;
use ringwood_schedule::{
    Action, Arrangement, Collective, Order, Params, Request, Schedule, Step, verify,
};

/// A group of `n` ranks and the segments of each chunk.
#[derive(Clone, Copy, Debug)]
struct Case {
    n: usize,
    s: usize,
}

impl Case {
    /// `floor(lg n)`, and the ranks beyond the power of two.
    fn core(self) -> (usize, usize) {
        let lg = self.n.ilog2() as usize;
        (lg, self.n - (1 << lg))
    }

    /// `ceil(lg n)`.
    fn rounds(self) -> usize {
        self.n.next_power_of_two().ilog2() as usize
    }

    /// 1 where some ranks are beyond a power of two.
    fn extra(self) -> usize {
        self.core().1.min(1)
    }

    fn pairs(self) -> usize {
        self.n * (self.n - 1)
    }
}

type Count = fn(Case) -> usize;

/// What the docs of an algorithm state, for root 0.
struct Row {
    name: &'static str,
    /// The messages, accesses to memory of peers and signals of all ranks.
    messages: Count,
    /// Those of the busiest rank.
    sends: Count,
    /// The chunks in those, all segments counted.
    chunks: Count,
    /// The order of merges among 5 ranks and more; in small groups some orders are the same.
    order: Option<Order>,
}

const fn row(
    name: &'static str,
    order: Option<Order>,
    messages: Count,
    sends: Count,
    chunks: Count,
) -> Row {
    Row { name, messages, sends, chunks, order }
}

const LINEAR: Option<Order> = Some(Order::Linear);
const XOR_TREE: Option<Order> = Some(Order::XorTree);
const UNNAMED: Option<Order> = Some(Order::Unnamed);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row("ring", Some(Order::Ring), |c| 2 * c.pairs() * c.s, |c| 2 * (c.n - 1) * c.s, |c| 2 * (c.n - 1) * c.s),
    row("two_shot", LINEAR, |c| 2 * c.pairs() * c.s, |c| 2 * (c.n - 1) * c.s, |c| 2 * (c.n - 1) * c.s),
    row("two_shot_aside", LINEAR, |c| 2 * c.pairs(), |c| 2 * (c.n - 1), |c| 2 * (c.n - 1) * c.s),
    row("two_shot_put", LINEAR, |c| c.pairs() * (2 * c.s + 1), |c| (c.n - 1) * (2 * c.s + 1), |c| 2 * (c.n - 1) * c.s),
    row("one_shot", LINEAR, Case::pairs, |c| c.n - 1, |c| (c.n - 1) * c.s),
    row("recursive_doubling", XOR_TREE, |c| (c.core().0 << c.core().0) + 2 * c.core().1, |c| c.core().0 + c.extra(), |c| (c.core().0 + c.extra()) * c.s),
    row("rabenseifner", XOR_TREE, |c| ((2 * c.core().0) << c.core().0) + 2 * c.core().1, |c| 2 * c.core().0 + c.extra(), |c| (2 * ((1 << c.core().0) - 1) + (c.extra() << c.core().0)) * c.s),
    row("binomial", XOR_TREE, |c| 2 * (c.n - 1), Case::rounds, |c| c.rounds() * c.s),
    row("chain", LINEAR, |c| 2 * (c.n - 1) * c.s, |c| (c.n - 1).min(2) * c.s, |c| (c.n - 1).min(2) * c.s),
    row("double_tree", UNNAMED, |c| 4 * (c.n - 1) * c.s, |c| [0, 2, 3, 4][(c.n - 1).min(3)] * c.s, |c| [0, 2, 3, 4][(c.n - 1).min(3)] * c.s),
    row("hierarchical", LINEAR, |c| 2 * c.pairs(), |c| 2 * (c.n - 1), |c| 2 * (c.n - 1) * c.s),
    row("swing", UNNAMED, |c| 2 * c.n * c.rounds(), |c| 2 * c.rounds(), |c| 2 * (c.n - 1) * c.s),
    row("binomial_reduce", XOR_TREE, |c| c.n - 1, |c| (c.n - 1).min(1), |c| (c.n - 1).min(1) * c.s),
    row("chain_reduce", LINEAR, |c| if c.n > 1 { c.n * c.s } else { 0 }, |c| (c.n - 1).min(1) * c.s, |c| (c.n - 1).min(1) * c.s),
    row("direct_reduce", LINEAR, |c| (c.n - 1) * c.s, |c| (c.n - 1).min(1) * c.s, |c| (c.n - 1).min(1) * c.s),
    row("binomial_broadcast", None, |c| c.n - 1, Case::rounds, |c| c.rounds() * c.s),
    row("chain_broadcast", None, |c| (c.n - 1) * c.s, |c| (c.n - 1).min(1) * c.s, |c| (c.n - 1).min(1) * c.s),
    row("scatter_all_gather_broadcast", None, |c| c.pairs() + c.n - 1, |c| c.rounds() + c.n - 1, |c| 2 * (c.n - 1) * c.s),
    row("hierarchical_tree_broadcast", None, |c| (c.n - 1) * c.s, |c| (c.n - 1).min(2) * c.s, |c| (c.n - 1).min(2) * c.s),
    row("direct_broadcast", None, |c| c.n - 1, |c| c.n - 1, |c| (c.n - 1) * c.s),
    row("ring_all_gather", None, Case::pairs, |c| c.n - 1, |c| (c.n - 1) * c.s),
    row("direct_all_gather", None, Case::pairs, |c| c.n - 1, |c| (c.n - 1) * c.s),
    row("recursive_doubling_all_gather", None, |c| c.n * c.rounds(), Case::rounds, |c| (c.n - 1) * c.s),
    row("neighbor_exchange_all_gather", None, |c| c.n * c.n / 2, |c| c.n / 2, |c| (c.n - 1) * c.s),
    row("bruck_all_gather", None, |c| (c.n - 1) * c.rounds() + c.n - 1, |c| wrapping_sends(c.n), |c| (c.n - 1) * c.s),
    row("ring_reduce_scatter", UNNAMED, |c| c.pairs() * c.s, |c| (c.n - 1) * c.s, |c| (c.n - 1) * c.s),
    row("direct_reduce_scatter", LINEAR, |c| c.pairs() * c.s, |c| (c.n - 1) * c.s, |c| (c.n - 1) * c.s),
    row("recursive_halving_reduce_scatter", XOR_TREE, |c| c.n * c.rounds(), Case::rounds, |c| (c.n - 1) * c.s),
    row("binomial_gather", None, |c| c.n - 1, |c| (c.n - 1).min(1), |c| largest_subtree(c.n) * c.s),
    row("direct_gather", None, |c| c.n - 1, |c| (c.n - 1).min(1), |c| (c.n - 1).min(1) * c.s),
    row("binomial_scatter", None, |c| c.n - 1, Case::rounds, |c| (c.n - 1) * c.s),
    row("direct_scatter", None, |c| c.n - 1, |c| c.n - 1, |c| (c.n - 1) * c.s),
    row("direct_all_to_all", None, Case::pairs, |c| c.n - 1, |c| (c.n - 1) * c.s),
    row("pairwise_all_to_all", None, Case::pairs, |c| c.n - 1, |c| (c.n - 1) * c.s),
    row("bruck_all_to_all", None, |c| c.n * c.rounds(), Case::rounds, |c| (0..c.n).map(|d| d.count_ones() as usize).sum::<usize>() * c.s),
    row("dissemination_barrier", None, |c| c.n * c.rounds(), Case::rounds, |_| 0),
    row("central_barrier", None, |c| 2 * (c.n - 1), |c| c.n - 1, |_| 0),
    row("direct_permute", None, |c| if c.n > 1 { c.n } else { 0 }, |c| (c.n - 1).min(1), |c| (c.n - 1).min(1) * c.s),
];

/// The blocks of the largest subtree that a rank other than the root of a binomial tree passes on.
fn largest_subtree(n: usize) -> usize {
    let widths = (0..n.next_power_of_two().ilog2()).map(|bit| 1 << bit);
    widths.map(|width: usize| width.min(n - width)).max().unwrap_or(0)
}

/// Bruck's rounds, twice those in which the last rank sends a run of blocks around the end.
fn wrapping_sends(n: usize) -> usize {
    let rounds = (0..n.next_power_of_two().ilog2()).map(|bit| 1 << bit);
    rounds.map(|have: usize| 1 + usize::from(have.min(n - have) > 1)).sum()
}

fn collective(name: &str) -> &'static dyn Collective {
    &*Registry::global().unwrap().find::<ringwood_schedule::CollectiveDef>(name).unwrap().collective
}

/// A request with root 0, and a permutation in which nobody keeps its buffer.
fn request(collective: &dyn Collective, n: usize) -> Request {
    let next: Vec<usize> = (0..n).map(|r| (r + 1) % n).collect();
    Request::new(collective.describe().operation, n, 1, DType::F32).permutation(next)
}

/// The messages, accesses to memory of peers and signals of all ranks, and those of the busiest with the
/// chunks in them.
fn count(collective: &dyn Collective, params: &Params) -> [usize; 3] {
    let schedule = Schedule::of(collective, params).unwrap();
    let sends = |lane: usize| {
        let counted =
            |s: &&Step| matches!(s.action, Action::Send | Action::Signal) || s.one_sided();
        schedule.lanes[lane].iter().filter(counted)
    };
    let counts: Vec<usize> = (0..params.ranks()).map(|r| sends(r).count()).collect();
    let chunks = |r| sends(r).map(|s| s.chunks.count as usize).sum::<usize>();
    let most = (0..params.ranks()).map(chunks).max();
    [counts.iter().sum(), *counts.iter().max().unwrap(), most.unwrap()]
}

fn check(row: &Row, case: Case) {
    let collective = collective(row.name);
    let Ok(params) = collective.resolve(&request(collective, case.n)) else { return };
    let counted = count(collective, &params.segmented(case.s).unwrap());
    let documented = [(row.messages)(case), (row.sends)(case), (row.chunks)(case)];
    assert_eq!(counted, documented, "messages, sends, chunks of {} in {case:?}", row.name);
}

#[test]
fn messages_and_bytes_are_as_documented() {
    for row in ROWS {
        for n in 1..=33 {
            for s in [1, 3] {
                check(row, Case { n, s });
            }
        }
    }
}

#[test]
fn few_bytes_cross_between_tasks() {
    for (tasks, ranks) in [(2, 2), (3, 4), (4, 3), (5, 8)] {
        let n = tasks * ranks;
        let arrangement = Arrangement::of_tasks(&vec![ranks; tasks]).unwrap();
        let collective = collective("hierarchical");
        let request = request(collective, n).arrangement(arrangement);
        let params = collective.resolve(&request).unwrap();
        let sends = 2 * (ranks - 1) + 2 * (tasks - 1);
        let chunks = 2 * (ranks - 1) * tasks + 2 * (tasks - 1);
        assert_eq!(count(collective, &params), [sends * n, sends, chunks]);
        let schedule = Schedule::of(collective, &params).unwrap();
        let crosses = |rank: usize, peer: u32| rank / ranks != peer as usize / ranks;
        for (rank, lane) in schedule.lanes.iter().enumerate() {
            let sends = lane.iter().filter(|s| s.action == Action::Send && crosses(rank, s.peer));
            assert_eq!(sends.map(|s| s.chunks.count as usize).sum::<usize>(), 2 * (tasks - 1));
        }
    }
}

#[test]
fn orders_of_merges_are_as_documented_whatever_the_root() {
    for row in ROWS {
        let collective = collective(row.name);
        for n in 5..=20 {
            for root in 0..n {
                let request = request(collective, n).root(root);
                let Ok(params) = collective.resolve(&request) else { continue };
                let verdict = verify(collective, &params).unwrap();
                assert_eq!(verdict.order, row.order, "root {root}: {verdict}");
                let in_order = matches!(row.order, LINEAR | XOR_TREE);
                assert!(verdict.in_order || !in_order, "root {root}: {verdict}");
                if root > 0 && !params.operation().rooted() {
                    break;
                }
            }
        }
    }
}

#[test]
fn every_algorithm_of_this_crate_has_its_row() {
    let registry = Registry::global().unwrap();
    let names =
        registry.of::<ringwood_schedule::CollectiveDef>().map(|(entry, _)| entry.meta().name);
    let missing: Vec<_> = names.filter(|name| ROWS.iter().all(|row| row.name != *name)).collect();
    assert!(missing.is_empty(), "document what {missing:?} cost, and add the rows");
}
