//! Why nothing goes on: the lanes that wait for each other.

use super::machine::{Machine, Wait};
use super::values::Domain;
use super::{Blocked, Finding};
use crate::plan::{Action, End};

/// The finding for a machine in which no lane can go on.
pub(super) fn deadlock<D: Domain>(machine: &Machine<'_, D>) -> Finding {
    let lanes = machine.plan.lanes.len() as u32;
    let mut path: Vec<u32> = Vec::new();
    let mut next = (0..lanes).find(|&l| machine.waits[l as usize].is_some());
    while let Some(lane) = next {
        if let Some(start) = path.iter().position(|&l| l == lane) {
            path.drain(..start);
            break;
        }
        path.push(lane);
        next = machine.waits[lane as usize].and_then(|wait| provider(machine, lane, wait));
    }
    let blocked = |&lane: &u32| {
        let wait = machine.waits[lane as usize].expect("a lane that waits");
        Blocked {
            place: machine.place((lane, machine.next[lane as usize])),
            waits_for: describe(machine, lane, wait),
            never: provider(machine, lane, wait).is_none(),
        }
    };
    Finding::Deadlock { cycle: path.iter().map(blocked).collect() }
}

/// A lane that would still do what `waiter` waits for.
fn provider<D: Domain>(machine: &Machine<'_, D>, waiter: u32, wait: Wait) -> Option<u32> {
    let rest = |lane: u32| {
        let ops = &machine.plan.lanes[lane as usize].ops;
        &ops[machine.next[lane as usize] as usize..]
    };
    let mut lanes = (0..machine.plan.lanes.len() as u32).filter(|&l| l != waiter);
    match wait {
        Wait::Op(lane, op) => op.map(|_| lane),
        Wait::Barrier(barrier) => lanes.find(|&l| {
            machine.waits[l as usize] != Some(wait)
                && rest(l).iter().any(|o| o.action == Action::Barrier { barrier })
        }),
        _ => lanes.find(|&l| rest(l).iter().any(|o| gives(machine, &o.action, wait))),
    }
}

fn gives<D: Domain>(machine: &Machine<'_, D>, action: &Action, wait: Wait) -> bool {
    match (wait, action) {
        (Wait::Message(queue), Action::Move { targets, .. }) => {
            targets.contains(&End::Message { queue })
        }
        (Wait::Packet(cell), Action::Move { targets, cells, .. }) => targets.iter().any(|t| {
            let End::Packets { rank, first } = *t else { return false };
            let start = machine.layout.packets(rank, first, *cells);
            start.is_some_and(|s| (s..s + *cells as usize).contains(&cell))
        }),
        (Wait::Signal(s), Action::Signal { signal, .. }) => *signal == s,
        (Wait::Semaphore(s), Action::Release { semaphore }) => *semaphore == s,
        _ => false,
    }
}

fn describe<D: Domain>(machine: &Machine<'_, D>, waiter: u32, wait: Wait) -> String {
    let plan = machine.plan;
    match wait {
        Wait::Message(queue) => {
            let (from, _, channel) = plan.queues[queue as usize];
            format!("a message from rank {from} on channel {channel}")
        }
        Wait::Packet(cell) => {
            let (rank, name) = machine.layout.name(cell);
            format!("{name} of rank {rank} to be filled")
        }
        Wait::Signal(signal) => format!("a signal from rank {}", plan.signals[signal as usize].0),
        Wait::Semaphore(_) => "a semaphore to be released".into(),
        Wait::Barrier(barrier) => {
            let arrived = machine.waits.iter().filter(|w| **w == Some(wait)).count();
            let lanes = plan.barriers[barrier as usize];
            format!("a barrier of {lanes} lanes, {arrived} of which have come")
        }
        Wait::Op(lane, op) => {
            let id = plan.lanes[lane as usize].id;
            match op {
                Some(op) => {
                    format!("lane {id} to do {}", plan.lanes[lane as usize].ops[op as usize].origin)
                }
                None => {
                    let waiting = &plan.lanes[waiter as usize].ops;
                    match waiting[machine.next[waiter as usize] as usize].action {
                        Action::After { step, .. } => {
                            format!("lane {id} to publish step {step} or a later one")
                        }
                        _ => unreachable!("a lane waits for what its operation says"),
                    }
                }
            }
        }
    }
}
