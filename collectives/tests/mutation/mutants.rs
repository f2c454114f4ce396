//! Small changes of a schedule.

use ringwood_schedule::{Action, Schedule, Step};

/// A schedule with one change.
pub(crate) struct Mutant {
    pub(crate) operator: &'static str,
    pub(crate) schedule: Schedule,
}

/// A change of the step `index` of a lane among `ranks`; `false` if it does not apply.
type Operator = fn(lane: &mut Vec<Step>, index: usize, ranks: u32) -> bool;

const OPERATORS: [(&str, Operator); 11] = [
    ("drop", |lane, i, _| {
        lane.remove(i);
        true
    }),
    ("duplicate", |lane, i, _| {
        lane.insert(i, lane[i]);
        true
    }),
    ("swap", |lane, i, _| {
        let differ = i + 1 < lane.len() && lane[i] != lane[i + 1];
        if differ {
            lane.swap(i, i + 1);
        }
        differ
    }),
    ("next peer", |lane, i, ranks| shift_peer(&mut lane[i], 1, ranks)),
    ("previous peer", |lane, i, ranks| shift_peer(&mut lane[i], ranks - 1, ranks)),
    ("next source", |lane, i, _| shift(&mut lane[i], true, 1)),
    ("previous source", |lane, i, _| shift(&mut lane[i], true, u32::MAX)),
    ("next target", |lane, i, _| shift(&mut lane[i], false, 1)),
    ("previous target", |lane, i, _| shift(&mut lane[i], false, u32::MAX)),
    ("merge or overwrite", |lane, i, _| {
        let step = &mut lane[i];
        step.action = match step.action {
            Action::Recv => Action::RecvReduce,
            Action::RecvReduce => Action::Recv,
            Action::Copy => Action::Reduce,
            Action::Reduce => Action::Copy,
            Action::Get => Action::GetReduce,
            Action::GetReduce => Action::Get,
            _ => return false,
        };
        true
    }),
    ("next channel", |lane, i, _| {
        let applies = lane[i].has_peer() && !lane[i].one_sided();
        lane[i].channel += u16::from(applies);
        applies
    }),
];

fn shift_peer(step: &mut Step, by: u32, ranks: u32) -> bool {
    step.peer = (step.peer + by) % ranks;
    step.has_peer()
}

/// Moves the source or the target of a step by a chunk; sends and receives have one place for both.
fn shift(step: &mut Step, source: bool, by: u32) -> bool {
    if step.synchronises() {
        return false;
    }
    let one_place = matches!(step.action, Action::Send | Action::Recv | Action::RecvReduce);
    if one_place && source != (step.action == Action::Send) {
        return false;
    }
    if one_place || source {
        step.source.first = step.source.first.wrapping_add(by);
    }
    if one_place || !source {
        step.chunks.first = step.chunks.first.wrapping_add(by);
    }
    true
}

/// The mutants of a schedule: of each operator and pair at most `most`, spread over the steps.
pub(crate) fn of(schedule: &Schedule, most: usize) -> Vec<Mutant> {
    let ranks = schedule.lanes.len() as u32;
    let places = |(rank, lane): (usize, &Vec<Step>)| (0..lane.len()).map(move |i| (rank, i));
    let places: Vec<_> = schedule.lanes.iter().enumerate().flat_map(places).collect();
    let mut mutants = Vec::new();
    for &(rank, index) in places.iter().step_by(places.len().div_ceil(most).max(1)) {
        for (operator, change) in OPERATORS {
            let mut schedule = schedule.clone();
            if change(&mut schedule.lanes[rank], index, ranks) {
                mutants.push(Mutant { operator, schedule });
            }
        }
    }
    mutants.extend(without_barriers(schedule));
    let pairs = pairs(schedule);
    for &pair in pairs.iter().step_by(pairs.len().div_ceil(most).max(1)) {
        let mut schedule = schedule.clone();
        let mut both = [pair.0, pair.1];
        both.sort_unstable();
        both.iter().rev().for_each(|&(rank, index)| _ = schedule.lanes[rank].remove(index));
        let operator = if pair.2 { "drop signal with wait" } else { "drop message" };
        mutants.push(Mutant { operator, schedule });
    }
    mutants
}

/// Without the k-th barrier of every rank.
fn without_barriers(schedule: &Schedule) -> Vec<Mutant> {
    let barriers = |lane: &[Step]| -> Vec<usize> {
        (0..lane.len()).filter(|&i| lane[i].action == Action::Barrier).collect()
    };
    let count = schedule.lanes.iter().map(|lane| barriers(lane).len()).min().unwrap_or(0);
    let without = |k: usize| {
        let mut schedule = schedule.clone();
        for lane in &mut schedule.lanes {
            lane.remove(barriers(lane)[k]);
        }
        Mutant { operator: "drop barrier", schedule }
    };
    (0..count).map(without).collect()
}

type Place = (usize, usize);

/// Each send with its receive, and each signal with its wait (then `true`).
fn pairs(schedule: &Schedule) -> Vec<(Place, Place, bool)> {
    let mut pairs = Vec::new();
    for (rank, lane) in schedule.lanes.iter().enumerate() {
        for (i, step) in lane.iter().enumerate() {
            let signal = step.action == Action::Signal;
            if !signal && step.action != Action::Send {
                continue;
            }
            let alike = |other: &&Step| {
                (other.action, other.peer, other.channel) == (step.action, step.peer, step.channel)
            };
            let before = lane[..i].iter().filter(alike).count();
            let other = &schedule.lanes[step.peer as usize];
            let answers = |s: &Step| {
                let kind = if signal { s.action == Action::Wait } else { s.receives() };
                kind && s.peer as usize == rank && s.channel == step.channel
            };
            let mut matching = (0..other.len()).filter(|&j| answers(&other[j]));
            let answer = matching.nth(before).expect("a correct schedule has no leftover");
            pairs.push(((rank, i), (step.peer as usize, answer), signal));
        }
    }
    pairs
}
