//! Batches: several programs compiled in one call and linked in one call.

use super::programs::{X, Y, Z, add, append, context, holds, program, root, run, sum};
use super::suite;
use crate::bench::Bench;
use crate::case::{Case, Check, Power, Stop, ensure};
use ringwood_device::device::{Bindings, Role, Routine};

pub(super) const CASES: &[Case] = &suite(
    "batches",
    &[Power::Streams, Power::Kernels],
    [
        ("a_batch_keeps_order_and_gaps", a_batch_keeps_order_and_gaps),
        ("programs_of_a_batch_share_their_nodes", programs_of_a_batch_share_their_nodes),
        ("one_program_links_to_many_contexts", one_program_links_to_many_contexts),
        ("a_wrong_program_refuses_its_batch", a_wrong_program_refuses_its_batch),
    ],
);

fn a_batch_keeps_order_and_gaps(bench: &Bench) -> Check {
    let device = bench.device();
    let compiled = device.compile_batch(vec![Some(sum()), None, Some(append(X))])?;
    let gaps: Vec<_> = compiled.iter().map(Option::is_some).collect();
    ensure!(gaps == [true, false, true], "compiled: {gaps:?}");
    let context = context(bench, &[(X, 1), (Y, 2)])?;
    let batch: Vec<_> = compiled.iter().map(Option::as_ref).collect();
    let (child, routines) = context.link_batch(&batch)?;
    let names: Vec<_> = routines.iter().map(|r| r.as_ref().map(Routine::name)).collect();
    ensure!(names == [Some("sum"), None, Some("append")], "linked: {names:?}");
    for routine in routines.iter().flatten() {
        routine.submit(&Bindings::new().set("i", 4))?;
    }
    holds(&child, Z, 3)?;
    holds(&child, X, 14)?;
    ensure!(device.compile_batch(vec![])?.is_empty(), "no programs compiled to some");
    ensure!(!context.contains(Z), "the parent holds what its child added");
    Ok(())
}

/// What the first program computes, the second one uses, though no context holds it before.
fn programs_of_a_batch_share_their_nodes(bench: &Bench) -> Check {
    let nodes = [(Z, Role::Working), (Y, Role::Working)];
    let doubled = program("doubled", &nodes).launch(add(), [Z, Z, Y]);
    let compiled = bench.device().compile_batch(vec![Some(append(Z)), Some(doubled)])?;
    let batch: Vec<_> = compiled.iter().map(Option::as_ref).collect();
    let (child, routines) = root(bench)?.link_batch(&batch)?;
    for routine in routines.iter().flatten() {
        routine.submit(&Bindings::new().set("i", 6))?;
    }
    holds(&child, Z, 6)?;
    holds(&child, Y, 12)
}

fn one_program_links_to_many_contexts(bench: &Bench) -> Check {
    let compiled = bench.device().compile(sum())?;
    let contexts = [1, 2, 3].map(|x| context(bench, &[(X, x), (Y, 10)]));
    for (context, want) in contexts.into_iter().zip([11, 12, 13]) {
        let context = context?;
        let routine = context.link(&compiled)?;
        drop(context);
        run(&routine)?;
        run(&routine)?;
        holds(routine.context(), Z, want)?;
    }
    Ok(())
}

fn a_wrong_program_refuses_its_batch(bench: &Bench) -> Check {
    let undeclared = program("undeclared", &[]).launch(add(), [X, Y, Z]);
    match bench.device().compile_batch(vec![Some(sum()), Some(undeclared)]) {
        Ok(_) => return Err(Stop::Failed("a program with undeclared nodes compiles".into())),
        Err(e) => ensure!(e.to_string().contains("undeclared"), "the program is not named: {e}"),
    }
    let compiled = bench.device().compile_batch(vec![Some(append(Z)), Some(sum())])?;
    let batch: Vec<_> = compiled.iter().map(Option::as_ref).collect();
    let empty = root(bench)?;
    match empty.link_batch(&batch) {
        Ok(_) => Err(Stop::Failed("a program links without its given nodes".into())),
        Err(e) => {
            ensure!(e.to_string().contains("`sum` needs node `x`"), "{e}");
            Ok(())
        }
    }
}
