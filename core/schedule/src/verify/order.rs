//! The order of merges: which schedules give the same bits.

use super::domain::Forms;
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
    for rank in 0..n {
        for (chunk, (value, tree)) in machine.outputs(rank).iter().zip(&mut trees).enumerate() {
            let specified = params.result(rank, chunk).is_some();
            if specified && value.order != *tree.get_or_insert(value.order) {
                return Some(Order::Differs);
            }
        }
    }
    let fold = |from: usize| (1..n).fold(leaf(from), |tree, i| merge(leaf((from + i) % n), tree));
    let same = |tree: &dyn Fn(usize) -> u64| {
        trees.iter().enumerate().all(|(chunk, &order)| order == Some(tree(chunk)))
    };
    let linear = fold(0);
    Some(if same(&|_| linear) {
        Order::Linear
    } else if same(&|_| xor_tree(n)) {
        Order::XorTree
    } else if chunks == n * params.segments() && same(&|c| fold(c / params.segments())) {
        Order::Ring
    } else {
        Order::Unnamed
    })
}

/// Whether all outputs are merges of all ranks in their order.
pub(super) fn in_order(params: &Params, machine: &Machine<'_, Forms>) -> bool {
    let n = params.ranks();
    params.operation().reduces()
        && (0..n).all(|rank| {
            let mut outputs = machine.outputs(rank).iter().enumerate();
            outputs.all(|(c, value)| value.in_order(n) || params.result(rank, c).is_none())
        })
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
