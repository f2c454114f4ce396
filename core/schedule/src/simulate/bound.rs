//! What no algorithm can beat.

use super::lanes::Lanes;
use crate::{CostModel, Network, Operation};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// The least time of the operation: that of telling everyone one thing, of the bytes that leave a
/// rank or come into one, or of those to merge, whichever is longest; over all links of a rank at the
/// same time.
///
/// Sources: Karp, Sahay, Santos and Schauser, "Optimal broadcast and summation in the LogP model",
/// 1993; Chan, Heimlich, Purkayastha and van de Geijn, "Collective communication: theory, practice,
/// and experience", 2007.
pub(super) fn seconds(lanes: &Lanes<'_>, model: &CostModel, network: Option<&Network>) -> f64 {
    let (n, bytes) = (lanes.ranks(), lanes.bytes as f64);
    if n < 2 {
        return 0.0;
    }
    let costs = model.at(lanes.working_set());
    let links = network.map_or(&[][..], Network::levels);
    let widest = network.map(|network| 1.0 / widest_way_out(network));
    let nearest = links.iter().map(|level| level.link.latency).reduce(f64::min);
    let port = model.per_byte.max(widest.unwrap_or(0.0));
    // Who reads the memory of a peer needs no message.
    let message = model.latency + nearest.unwrap_or(0.0) + 2.0 * model.overhead;
    let spread = if port > 0.0 { tell_all(n, message, model.overhead.max(model.gap)) } else { 0.0 };
    let [out, into, merged] = least_bytes(lanes).map(|share| share * bytes);
    // Who writes to the memory of a peer copies, and the peer does nothing.
    let write = if costs.remote || network.is_some() { f64::INFINITY } else { costs.copy };
    let take = costs.receive.min(costs.reduce).min(write);
    let each = [out * port, into * take, merged * costs.reduce];
    each.into_iter().fold(if moves(lanes) { spread } else { 0.0 }, f64::max)
}

/// The bytes per second that the links out of a rank take together, on the widest of the ranks looked
/// at: those of a network are alike but at its ends.
fn widest_way_out(network: &Network) -> f64 {
    let n = network.ranks();
    let way_out = |rank: usize| {
        let mut path = Vec::new();
        let mut links = BTreeSet::new();
        for target in 0..n {
            path.clear();
            network.route(rank, target, &mut path);
            links.extend(path.first().copied());
        }
        links.iter().map(|&link: &u32| network.level(link as usize).link.bandwidth).sum()
    };
    [0, n / 2, n - 1].map(way_out).into_iter().fold(0.0, f64::max)
}

/// Whether every rank must hear of another one.
fn moves(lanes: &Lanes<'_>) -> bool {
    lanes.params.operation() == Operation::Barrier
        || lanes.params.operation() != Operation::Permute && lanes.bytes > 0
}

/// The shares of the largest buffer that leave the busiest rank, come into it, and are merged there.
fn least_bytes(lanes: &Lanes<'_>) -> [f64; 3] {
    let n = lanes.ranks() as f64;
    let others = (n - 1.0) / n;
    if lanes.uneven() {
        return [0.0; 3];
    }
    match lanes.params.operation() {
        Operation::AllReduce => [2.0 * others, 2.0 * others, others],
        Operation::Reduce => [1.0, others, others],
        Operation::Broadcast => [1.0, others, 0.0],
        Operation::AllGather | Operation::AllToAll => [others, others, 0.0],
        Operation::ReduceScatter => [others, others, others],
        Operation::Gather => [1.0 / n, 1.0 / n, 0.0],
        Operation::Scatter => [others, 1.0 / n, 0.0],
        Operation::Permute if lanes.params.permuted_to(0) != 0 => [1.0, 0.0, 0.0],
        Operation::Permute | Operation::Barrier => [0.0; 3],
    }
}

/// When the last of `n` ranks can know what one knew: each that knows tells another one every `gap`,
/// who knows it `message` later.
fn tell_all(n: usize, message: f64, gap: f64) -> f64 {
    let mut told = BinaryHeap::from([Reverse(message.to_bits())]);
    let mut last = 0.0;
    for _ in 1..n {
        let Some(Reverse(time)) = told.pop() else { break };
        last = f64::from_bits(time);
        told.push(Reverse((last + gap).to_bits()));
        told.push(Reverse((last + message).to_bits()));
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telling_all_doubles_who_knows_if_messages_take_as_long_as_sending_one() {
        for (n, rounds) in [(2, 1.0), (3, 2.0), (4, 2.0), (5, 3.0), (64, 6.0)] {
            assert_eq!(tell_all(n, 1.0, 1.0), rounds, "{n}");
        }
        assert_eq!(tell_all(4, 10.0, 1.0), 12.0, "one tells all");
    }
}
