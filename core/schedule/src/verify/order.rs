//! The order of merges: which schedules give the same bits.

use super::domain::{Form, Forms};
use super::hash::{leaf, merge};
use super::machine::Machine;
use crate::Params;
use std::fmt;

/// The order in which the contributions of a chunk are merged.
///
/// Floating-point addition commutes but does not associate, so two schedules give the same bits
/// exactly if their merge trees are equal up to the swap of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Order {
    /// Every chunk is folded in the order of the ranks: the bits do not depend on the position of
    /// an element.
    Linear,
    /// Chunk `c` of `n` is folded from rank `c` on around the ring.
    Ring,
    /// Ranks merge in pairs, then pairs in pairs: the tree of recursive doubling. Where there are `k`
    /// ranks more than a power of two, each of the first `k` pairs merges before and counts as one.
    XorTree,
    /// Every rank gets the same bits, in an order without a name.
    Unnamed,
    /// Ranks get different bits.
    Differs,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Linear => "linear",
            Order::Ring => "ring",
            Order::XorTree => "xor_tree",
            Order::Unnamed => "unnamed",
            Order::Differs => "DIFFERS between ranks",
        })
    }
}

/// The order class of a run that found the right values; `None` if the operation merges nothing.
pub(super) fn classify(params: &Params, machine: &Machine<'_, Forms>) -> Option<Order> {
    if !params.operation().reduces() {
        return None;
    }
    let (chunks, n) = (params.chunks(), params.ranks());
    let mut trees = vec![None; chunks];
    for (chunk, form) in specified(params, machine) {
        if form.order != *trees[chunk].get_or_insert(form.order) {
            return Some(Order::Differs);
        }
    }
    let fold = |from: usize| (1..n).fold(leaf(from), |tree, i| merge(leaf((from + i) % n), tree));
    let same = |tree: &dyn Fn(usize) -> u64| {
        trees.iter().enumerate().all(|(chunk, &order)| order == Some(tree(chunk)))
    };
    let (linear, xor_tree) = (fold(0), xor_tree(n));
    Some(if same(&|_| linear) {
        Order::Linear
    } else if same(&|_| xor_tree) {
        Order::XorTree
    } else if chunks == n * params.segments() && same(&|c| fold(c / params.segments())) {
        Order::Ring
    } else {
        Order::Unnamed
    })
}

/// Whether all outputs are merges of all ranks in their order.
pub(super) fn in_order(params: &Params, machine: &Machine<'_, Forms>) -> bool {
    let in_order = |(_, form): (usize, &Form)| form.in_order(params.ranks());
    params.operation().reduces() && specified(params, machine).all(in_order)
}

/// The chunks of all ranks that the operation specifies, with what they hold.
fn specified<'m>(
    params: &'m Params,
    machine: &'m Machine<'_, Forms>,
) -> impl Iterator<Item = (usize, &'m Form)> {
    let all = (0..params.ranks()).flat_map(|rank| (0..params.chunks()).map(move |c| (rank, c)));
    let specified = all.filter(|&(rank, chunk)| params.result(rank, chunk).is_some());
    specified.filter_map(|(rank, chunk)| Some((chunk, machine.outputs(rank)[chunk].as_ref()?)))
}

fn xor_tree(n: usize) -> u64 {
    let size = 1 << n.ilog2();
    let pairs = n - size;
    let member = |i: usize| match i < pairs {
        true => merge(leaf(2 * i), leaf(2 * i + 1)),
        false => leaf(i + pairs),
    };
    let mut level: Vec<u64> = (0..size).map(member).collect();
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| merge(pair[0], pair[1])).collect();
    }
    level[0]
}
