//! Mutants of right plans: those that the checker lets pass are run in random orders with real
//! memory, and must end right in each; the score is printed.

mod support;

use ringwood_base::registry::Registry;
use ringwood_collectives as _;
use ringwood_formats::{ExecutionPlan, Relaxed, check, msccl, read};
use ringwood_schedule::plan::PlanAction;
use ringwood_schedule::{Action, ChunkRange, Params, Schedule};
use support::{Random, run};

/// Random orders for each mutant that passes.
const ORDERS: usize = 30;

/// A change of one operation, by the lane and the place in it; `false` if it does not apply.
type Mutation = fn(&mut ExecutionPlan, usize, usize) -> bool;

const MUTATIONS: [(&str, Mutation); 7] = [
    ("dropped move or signal", |plan, lane, op| {
        let action = &mut plan.lanes[lane].ops[op].action;
        let applies = matches!(
            action,
            PlanAction::Move { .. } | PlanAction::Release { .. } | PlanAction::Acquire { .. }
        );
        replace(action, applies)
    }),
    ("dropped dependency", |plan, lane, op| {
        let action = &mut plan.lanes[lane].ops[op].action;
        replace(action, matches!(action, PlanAction::After { .. }))
    }),
    ("dependency on an earlier step", |plan, lane, op| {
        match &mut plan.lanes[lane].ops[op].action {
            PlanAction::After { op: Some(op), .. } if *op > 0 => {
                *op -= 1;
                true
            }
            _ => false,
        }
    }),
    ("dropped barrier, semaphore or flush", |plan, lane, op| {
        let action = &mut plan.lanes[lane].ops[op].action;
        let applies = matches!(
            action,
            PlanAction::Barrier { .. } | PlanAction::Acquire { .. } | PlanAction::Flush { .. }
        );
        replace(action, applies)
    }),
    ("off-by-one source", |plan, lane, op| match &mut plan.lanes[lane].ops[op].action {
        PlanAction::Move { step, .. } if step.action == Action::Send => {
            shift(&mut step.source);
            step.chunks = step.source;
            true
        }
        PlanAction::Move { step, .. } => !step.receives() && shift(&mut step.source),
        _ => false,
    }),
    ("off-by-one target", |plan, lane, op| match &mut plan.lanes[lane].ops[op].action {
        PlanAction::Move { step, .. } => step.action != Action::Send && shift(&mut step.chunks),
        _ => false,
    }),
    ("swapped neighbours", |plan, lane, op| {
        let ops = &mut plan.lanes[lane].ops;
        let applies = op + 1 < ops.len() && ops[op].action != ops[op + 1].action;
        if applies {
            ops.swap(op, op + 1);
        }
        applies
    }),
];

fn replace(action: &mut PlanAction, applies: bool) -> bool {
    if applies {
        *action = PlanAction::Nop;
    }
    applies
}

/// Moves cells by one.
fn shift(cells: &mut ChunkRange) -> bool {
    cells.first = if cells.first == 0 { 1 } else { cells.first - 1 };
    true
}

/// Plans with several lanes, dependencies, signals and proxies.
fn plans() -> Vec<ExecutionPlan> {
    let names = [
        ("ring", 3),
        ("double_tree", 4),
        ("recursive_doubling", 4),
        ("rabenseifner", 4),
        ("one_shot", 3),
        ("two_shot", 3),
        ("swing", 4),
        ("ring_all_gather", 3),
        ("bruck_all_gather", 3),
        ("ring_reduce_scatter", 3),
        ("direct_all_to_all", 3),
        ("bruck_all_to_all", 3),
    ];
    let registered = names.map(|(name, ranks)| {
        let collective = &*Registry::global()
            .unwrap()
            .find::<ringwood_schedule::CollectiveDef>(name)
            .unwrap()
            .collective;
        let params = Params::new(&collective.describe(), ranks).unwrap();
        let schedule = Schedule::of(collective, &params).unwrap();
        msccl::write(&schedule, &params, &msccl::Head::default()).unwrap().text
    });
    let written = [
        include_str!("../plans/all_gather_3.xml"),
        include_str!("../plans/two_channels.xml"),
        include_str!("../plans/one_shot_packets.json"),
        include_str!("../plans/two_shot.json"),
        include_str!("../plans/port_puts.json"),
    ];
    let texts = registered.into_iter().chain(written.map(str::to_owned));
    texts.map(|text| read(text.as_bytes()).unwrap()).collect()
}

#[test]
fn right_plans_end_right_in_every_order() {
    let mut random = Random(1);
    for plan in plans() {
        for _ in 0..ORDERS {
            assert!(run(&plan, plan.modes[0], &mut random), "{}", plan.name);
        }
    }
}

#[test]
fn mutants_that_pass_end_right_in_every_order() {
    let mut random = Random(2);
    let plans = plans();
    for (name, mutate) in MUTATIONS {
        let (mut applied, mut killed, mut seen) = (0, 0, 0);
        for plan in &plans {
            let places = plan.lanes.iter().enumerate();
            for (lane, op) in places.flat_map(|(i, l)| (0..l.ops.len()).map(move |op| (i, op))) {
                let mut mutant = plan.clone();
                if !mutate(&mut mutant, lane, op) {
                    continue;
                }
                applied += 1;
                let mode = mutant.modes[0];
                // Interleavings have no relaxed memory.
                let report = check(&mutant, mode, Relaxed::Memory).unwrap();
                let in_bounds =
                    !report.findings.iter().any(|f| f.to_string().contains("do not all exist"));
                let right = !in_bounds || (0..ORDERS).all(|_| run(&mutant, mode, &mut random));
                if report.ok() {
                    assert!(right, "{name} passes but is wrong: {} lane {lane} op {op}", plan.name);
                } else {
                    killed += 1;
                    seen += usize::from(!right);
                }
            }
        }
        println!(
            "{name:36} {killed:4} of {applied:4} found, {seen:4} of those also in {ORDERS} random orders"
        );
        assert!(killed > 0, "{name}");
    }
}
