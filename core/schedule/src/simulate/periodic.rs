//! Long schedules that repeat a few steps, over a network, between machines or on few cores: the first repeats are simulated, the rest
//! goes on at their pace.

use super::Simulation;
use super::lanes::{Lanes, Op, Source};
use super::report::Run;
use ringwood_base::Result;
use std::ops::Range;

/// The longest pattern looked for, in steps.
const PATTERN: usize = 8;
/// Messages of one step of all ranks, times the repeats simulated.
const WORK: usize = 1 << 18;

/// Steps that repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Repeat {
    first: usize,
    pattern: usize,
    times: usize,
}

/// The lanes of a rotated schedule, with each repeat cut short.
struct Shortened {
    ops: Vec<Op>,
    ranks: usize,
}

/// Simulates the first repeats of every pattern, then twice as many of each in turn: what these add
/// is what each further one adds. Exact as soon as the pace is steady; rings reach that within the
/// period of the network under them.
pub(super) fn extrapolate(simulation: &Simulation<'_>, lanes: &Lanes<'_>) -> Result<Run> {
    let (ops, ranks) = (lanes.all(0)?, lanes.ranks());
    let repeats = find_repeats(&ops);
    let most = simulation.steps;
    let kept = (WORK.min(most / 32) / ranks).clamp(2, 64);
    let times = |longer: Option<usize>| -> Vec<usize> {
        let of = |(i, repeat): (usize, &Repeat)| {
            repeat.times.min(if longer == Some(i) { 2 * kept } else { kept })
        };
        repeats.iter().enumerate().map(of).collect()
    };
    let steps: usize = repeats.iter().map(|r| r.pattern * r.times.min(kept)).sum();
    if steps.saturating_mul(ranks) > most {
        let message = format!(
            "collective `{}` has {} steps of {ranks} ranks without a pattern: at most {most} are \
             simulated over a network, or on fewer cores than ranks: {}",
            lanes.name(),
            ops.len(),
            simulation.limit()
        );
        let help =
            "simulate fewer ranks, or on one machine, without a topology and on as many cores";
        return Err(simulation.refused(message, help));
    }
    let run = |times: &[usize]| {
        let ops = repeats.iter().zip(times).flat_map(|(r, &t)| &ops[r.first..][..r.pattern * t]);
        let source = Shortened { ops: ops.copied().collect(), ranks };
        simulation.run_lanes(lanes, &source, ranks)
    };
    let base = run(&times(None))?;
    let mut total = base.clone();
    for (i, repeat) in repeats.iter().enumerate().filter(|(_, r)| r.times > kept) {
        let longer = times(Some(i));
        let share = (repeat.times - kept) as f64 / (longer[i] - kept) as f64;
        total.add_difference(&base, &run(&longer)?, share);
    }
    Ok(total.scaled(1.0, lanes))
}

/// Cuts a lane into the repeats that cover it.
fn find_repeats(ops: &[Op]) -> Vec<Repeat> {
    let mut repeats: Vec<Repeat> = Vec::new();
    let mut first = 0;
    while first < ops.len() {
        let rest = &ops[first..];
        let times = |pattern: usize| {
            let equal =
                rest.iter().zip(&rest[pattern.min(rest.len())..]).take_while(|(a, b)| a == b);
            1 + equal.count() / pattern
        };
        let candidates = (1..=PATTERN.min(rest.len())).map(|p| (p, times(p)));
        let best =
            candidates.filter(|&(_, t)| t > 1).max_by_key(|&(p, t)| (p * t, std::cmp::Reverse(p)));
        let (pattern, times) = best.unwrap_or((1, 1));
        repeats.push(Repeat { first, pattern, times });
        first += pattern * times;
    }
    repeats
}

impl Source for Shortened {
    fn window(&self, rank: usize, window: Range<usize>, ops: &mut Vec<Op>) -> Result<usize> {
        let end = window.end.min(self.ops.len());
        let turned = |op: &Op| Op { peer: ((op.peer as usize + rank) % self.ranks) as u32, ..*op };
        ops.clear();
        ops.extend(self.ops[window.start.min(end)..end].iter().map(turned));
        Ok(self.ops.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;

    #[test]
    fn repeats_cover_a_lane_in_its_order() {
        let op = |peer| Op { action: Action::Send, channel: 0, peer, bytes: 1, staged: false };
        let peers = [9, 1, 2, 1, 2, 1, 2, 3, 3, 3, 4];
        let ops: Vec<Op> = peers.map(op).to_vec();
        let found: Vec<_> =
            find_repeats(&ops).iter().map(|r| (r.first, r.pattern, r.times)).collect();
        assert_eq!(found, [(0, 1, 1), (1, 2, 3), (7, 1, 3), (10, 1, 1)]);
    }
}
