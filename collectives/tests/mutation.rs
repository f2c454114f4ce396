//! The verifier against wrong schedules: every mutant of a correct one is killed, unless it computes
//! the same.

use ringwood_collectives::RingReducer;
use ringwood_core::collective::{Action, Collective, Params, Schedule, Step, verify_schedule};
use std::collections::BTreeMap;

/// One change of a schedule: its kind, and the steps of the lane that it concerns.
struct Mutant {
    kind: &'static str,
    schedule: Schedule,
    swapped: Option<(Step, Step)>,
}

fn mutants(schedule: &Schedule) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    let ranks = schedule.lanes.len() as u32;
    for rank in 0..schedule.lanes.len() {
        for i in 0..schedule.lanes[rank].len() {
            let mut add = |kind, swapped, change: &dyn Fn(&mut Vec<Step>)| {
                let mut schedule = schedule.clone();
                change(&mut schedule.lanes[rank]);
                mutants.push(Mutant { kind, schedule, swapped });
            };
            let step = schedule.lanes[rank][i];
            add("drop", None, &|lane| _ = lane.remove(i));
            add("duplicate", None, &|lane| lane.insert(i, step));
            let following = schedule.lanes[rank].get(i + 1).copied();
            if let Some(following) = following.filter(|f| *f != step) {
                add("swap", Some((step, following)), &|lane| lane.swap(i, i + 1));
            }
            for by in [1, ranks - 1] {
                add("off-by-one peer", None, &|lane| lane[i].peer = (step.peer + by) % ranks);
                let chunk = (step.chunks.first + by) % ranks;
                add("off-by-one chunk", None, &|lane| {
                    lane[i].chunks.first = chunk;
                    lane[i].source.first = chunk;
                });
            }
            let other = match step.action {
                Action::Recv => Action::RecvReduce,
                Action::RecvReduce => Action::Recv,
                _ => continue,
            };
            add("recv and recv_reduce", None, &|lane| lane[i].action = other);
        }
    }
    mutants
}

/// Neighbours may change places if they share neither a chunk that one of them writes nor a channel.
fn independent((a, b): (Step, Step)) -> bool {
    let share_chunk = a.chunks.overlaps(b.chunks) && (a.writes() || b.writes());
    let share_channel = a.receives() == b.receives() && a.peer == b.peer;
    !share_chunk && !share_channel
}

#[test]
fn every_mutant_of_the_ring_that_computes_something_else_is_killed() {
    let mut score: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for ranks in 2..=6 {
        let params = Params::new(&RingReducer.describe(), ranks).unwrap();
        let schedule = Schedule::of(&RingReducer, &params).unwrap();
        let correct = verify_schedule(&schedule, &params).unwrap();
        assert!(correct.ok(), "false alarm: {correct}");
        for mutant in mutants(&schedule) {
            let verdict = verify_schedule(&mutant.schedule, &params).unwrap();
            let [all, killed, equivalent] = score.entry(mutant.kind).or_default();
            *all += 1;
            if !verdict.ok() {
                *killed += 1;
            } else if mutant.swapped.is_some_and(independent) {
                *equivalent += 1;
            } else {
                panic!("{} survives among {ranks} ranks:\n{}", mutant.kind, mutant.schedule);
            }
        }
    }
    println!("{:<22}{:>8}{:>8}{:>12}", "mutants of the ring", "all", "killed", "equivalent");
    for (kind, [all, killed, equivalent]) in score {
        println!("{kind:<22}{all:>8}{killed:>8}{equivalent:>12}");
        assert!(killed > 0, "{kind} kills nothing");
    }
}
