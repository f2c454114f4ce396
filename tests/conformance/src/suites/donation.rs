//! Donation: a routine takes the memory of a node for its result.

use super::programs::{LEN, X, Y, Z, append, context, holds, run, sum};
use super::suite;
use crate::bench::{Bench, WAIT};
use crate::case::{Case, Check, Power, ensure, ensure_holds};
use ringwood_device::device::Bindings;

pub(super) const CASES: &[Case] = &suite(
    "donation",
    &[Power::Streams, Power::Kernels],
    [
        ("a_donated_buffer_holds_the_result", a_donated_buffer_holds_the_result),
        ("use_after_donation_is_refused", use_after_donation_is_refused),
        ("donation_waits_for_readers", donation_waits_for_readers),
    ],
);

fn a_donated_buffer_holds_the_result(bench: &Bench) -> Check {
    let device = bench.device();
    let (context, compiled) = (context(bench, &[(X, 1), (Y, 2)])?, device.compile(sum())?);
    device.synchronize(WAIT)?;
    let before = device.memory_in_use();
    let routine = context.link_donating(&compiled, &[X])?;
    run(&routine)?;
    let used = device.memory_in_use();
    ensure!(used == before, "{used} bytes are in use, not {before}");
    holds(routine.context(), Z, 3)?;
    holds(&context, Y, 2)
}

fn use_after_donation_is_refused(bench: &Bench) -> Check {
    let device = bench.device();
    let (context, compiled) = (context(bench, &[(X, 1), (Y, 2)])?, device.compile(sum())?);
    let (x, routine) = (context.tensor(X)?, context.link_donating(&compiled, &[X])?);
    run(&routine)?;
    let uses = [
        ("a read", x.to_vec::<u32>().err()),
        ("a fill", context.stream().fill(x.region(), 0).err()),
        ("a second link", context.link(&compiled).err()),
        ("a second submit", routine.submit(&Bindings::new()).err()),
    ];
    for (what, error) in uses {
        let text = error.map(|e| e.to_string()).unwrap_or_default();
        ensure!(text.contains("`sum` by donation"), "{what} after the donation: {text}");
    }
    let failure = context.stream().failure();
    ensure!(failure.is_none(), "a refusal became a failure: {failure:?}");
    holds(routine.context(), Z, 3)
}

/// Another stream still reads the buffer when the routine writes its result there.
fn donation_waits_for_readers(bench: &Bench) -> Check {
    let device = bench.device();
    for kind in bench.seeded_kinds() {
        let (mine, theirs) = (device.new_stream(&kind)?, device.new_stream(&kind)?);
        let own = super::programs::holding(&mine, &[(X, 7)])?;
        let copy = device.tensor(&[0_u32; LEN])?;
        let x = own.tensor(X)?;
        for _ in 0..3 {
            theirs.copy(x.region(), copy.region())?;
        }
        let routine = own.link_donating(&device.compile(append(X))?, &[X])?;
        routine.submit(&Bindings::new().set("i", 5))?;
        let seen = copy.to_vec::<u32>()?;
        ensure_holds!(seen == [7; LEN], "the reader saw {seen:?}");
        holds(routine.context(), X, 75)?;
    }
    Ok(())
}
