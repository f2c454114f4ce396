//! Static indices: bound at each submission, captured then, checked against their range.

use super::programs::{X, append, holding, holds, root};
use super::suite;
use crate::bench::{Bench, WAIT};
use crate::case::{Case, Check, Power, ensure, ensure_holds};
use ringwood_base::ErrorKind;
use ringwood_device::device::Bindings;

pub(super) const CASES: &[Case] = &suite(
    "bindings",
    &[Power::Streams, Power::Kernels],
    [
        ("bindings_are_captured_at_submission", bindings_are_captured_at_submission),
        ("a_binding_out_of_range_is_refused", a_binding_out_of_range_is_refused),
        ("an_unbound_symbol_is_refused", an_unbound_symbol_is_refused),
        ("bindings_of_threads_do_not_mix", bindings_of_threads_do_not_mix),
    ],
);

fn bindings_are_captured_at_submission(bench: &Bench) -> Check {
    let compiled = bench.device().compile(append(X))?;
    for kind in bench.seeded_kinds() {
        let context = holding(&bench.device().new_stream(&kind)?, &[])?;
        let routine = context.link(&compiled)?;
        let mut bindings = Bindings::new();
        for digit in 1..10 {
            bindings = bindings.set("i", digit).set("of another routine", -digit);
            routine.submit(&bindings)?;
        }
        drop(bindings);
        holds(routine.context(), X, 123_456_789)?;
    }
    Ok(())
}

fn a_binding_out_of_range_is_refused(bench: &Bench) -> Check {
    let routine = root(bench)?.link(&bench.device().compile(append(X))?)?;
    for value in [0, 10, -1, i64::MAX, i64::MIN] {
        let error = routine.submit(&Bindings::new().set("i", value)).err();
        let text = error.as_ref().map(ToString::to_string).unwrap_or_default();
        let kind = error.map(|e| e.kind());
        ensure!(kind == Some(ErrorKind::InvalidArgument), "{value} is bound: {kind:?}");
        for part in ["`i`", "1..10", "append"] {
            ensure!(text.contains(part), "`{part}` is not in: {text}");
        }
    }
    for value in [1, 9] {
        routine.submit(&Bindings::new().set("i", value))?.wait(WAIT)?;
    }
    holds(routine.context(), X, 19)
}

fn an_unbound_symbol_is_refused(bench: &Bench) -> Check {
    let routine = root(bench)?.link(&bench.device().compile(append(X))?)?;
    let names: Vec<_> = routine.symbols().iter().map(|s| s.name.as_str()).collect();
    ensure!(names == ["i"], "the symbols are {names:?}");
    for bindings in [Bindings::new(), Bindings::new().set("j", 1)] {
        let error = routine.submit(&bindings).err();
        let told = error.as_ref().is_some_and(|e| e.to_string().contains("`i`"));
        ensure!(told, "an unbound symbol: {error:?}");
    }
    let failure = routine.stream().failure();
    ensure!(failure.is_none(), "a refusal became a failure: {failure:?}");
    Ok(())
}

fn bindings_of_threads_do_not_mix(bench: &Bench) -> Check {
    let routine = root(bench)?.link(&bench.device().compile(append(X))?)?;
    let submitted = std::thread::scope(|scope| {
        let thread = |digit| {
            let routine = &routine;
            scope.spawn(move || routine.submit(&Bindings::new().set("i", digit)).map(drop))
        };
        let threads = [1, 2, 3, 4, 5].map(thread);
        threads.map(|thread| thread.join().expect("a submission does not panic"))
    });
    submitted.into_iter().collect::<Result<(), _>>()?;
    let got = routine.context().tensor(X)?.to_vec::<u32>()?;
    let mut digits: Vec<_> = got[0].to_string().into_bytes();
    digits.sort_unstable();
    ensure_holds!(digits == b"12345", "the digits of {} were bound", got[0]);
    ensure_holds!(got.iter().all(|v| *v == got[0]), "elements saw different orders: {got:?}");
    Ok(())
}
