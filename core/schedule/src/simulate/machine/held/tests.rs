use super::*;
use crate::Action;
use crate::simulate::lanes::Source;
use crate::simulate::machine::Machine;
use crate::simulate::wire::Wire;
use crate::{CostModel, Result};
use std::cell::Cell;
use std::ops::Range;

fn op(peer: u32) -> Op {
    Op { action: Action::Copy, channel: 0, peer, bytes: 8, staged: false }
}

/// What is held of these steps.
fn held(ops: &[Op], few: usize) -> Vec<Op> {
    let mut held = Held::default();
    held.fill(&[op(7)], 1);
    held.fill(ops, few);
    (0..).map_while(|step| held.get(step)).collect()
}

#[test]
fn steps_of_few_kinds_are_all_held() {
    let ops: Vec<_> = (0..1_000).map(|i| op(i % KINDS as u32)).collect();
    assert_eq!(held(&ops, 8), ops);
    assert_eq!(held(&[], 8), []);
}

#[test]
fn of_more_kinds_those_before_or_the_first_few_are_held() {
    let mut ops: Vec<_> = (0..100).map(op).collect();
    assert_eq!(held(&ops, 64), ops[..64]);
    assert_eq!(held(&ops, 200), ops);
    ops.splice(0..0, vec![op(0); 80]);
    assert_eq!(held(&ops, 64), ops[..80 + KINDS]);
}

/// Lanes that copy the same again and again.
struct Copies {
    steps: usize,
    windows: Cell<usize>,
}

impl Source for Copies {
    fn window(&self, _: usize, window: Range<usize>, ops: &mut Vec<Op>) -> Result<usize> {
        self.windows.set(self.windows.get() + 1);
        ops.clear();
        ops.extend(window.take_while(|step| *step < self.steps).map(|_| op(0)));
        Ok(self.steps)
    }
}

#[test]
fn lanes_of_a_large_group_are_generated_once() -> Result<()> {
    let (ranks, source) = (1 << 16, Copies { steps: 80, windows: Cell::new(0) });
    let model = CostModel::cluster();
    let costs = model.at(8);
    let run = Machine::new(&source, ranks, Wire::new(costs, None, ranks)).run(0)?;
    assert_eq!(source.windows.get(), ranks);
    assert_eq!(run.seconds, (0..80).fold(0.0, |clock, _| clock + 8.0 * costs.copy));
    Ok(())
}
