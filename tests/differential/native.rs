//! Native code, checked and unchecked.

use crate::case::{Case, Subject};
use crate::given::difference;
use crate::on_native::run;
use crate::random::Random;
use ringwood::kernel::Form;
use ringwood::{Error, ErrorKind};
use ringwood_ir::interpret::{Argument, broken_requirement};
use ringwood_ir::prove::{Fact, LaunchFacts};
use std::ops::Range;

/// Ranges that together are `0..n`, in a random order.
fn ranges(n: usize, random: &mut Random) -> Vec<Range<usize>> {
    let cut = random.below(n + 1);
    let mut parts = vec![0..cut, cut..n];
    if random.below(2) == 0 {
        parts.reverse();
    }
    parts
}

/// Runs a launch with checks, and without where the interpreter saw no access out of bounds.
fn check(subject: &Subject, case: &Case, random: &mut Random) {
    let n = case.domain.elements();
    let args: Vec<_> = case.args.iter().map(|given| fact(&given.arg)).collect();
    let facts = LaunchFacts { domain: &case.domain, args: &args };
    let broken = broken_requirement(&subject.ir, &facts).is_some();
    assert_eq!(broken, case.outcome.is_err(), "{}: {:?}", case.what, case.outcome);
    if broken {
        // Such a launch is refused before it reaches native code.
        return;
    }
    let expected = (!case.is_clean()).then_some(ErrorKind::OutOfBounds);
    for in_bounds in [false, true].into_iter().filter(|unchecked| !unchecked || case.is_clean()) {
        let ranges = match case.outcome {
            // In order, so that the first fault is the same one.
            Ok(Some(_)) => vec![Range { start: 0, end: n }],
            _ => ranges(n, random),
        };
        // SAFETY: the interpreter ran a launch that is in bounds, and saw no access that is not.
        let ended = unsafe { run(&subject.spec(), case.domain, &case.args, &ranges, in_bounds) };
        let what = format!("{}, in bounds: {in_bounds}", case.what);
        let kinds: Vec<_> =
            ended.results.iter().map(|r| r.as_ref().err().map(Error::kind)).collect();
        assert!(kinds.iter().all(|kind| *kind == expected), "{what}: {kinds:?}, not {expected:?}");
        if let Ok(Some(first)) = case.outcome
            && !subject.has_lanes()
        {
            assert_eq!(ended.fault, Some((first.site, first.index, first.len)), "{what}");
        }
        let different = difference(&ended.slices, &case.expected);
        assert!(different.is_none(), "{what}: {}", different.unwrap_or_default());
    }
}

fn fact(argument: &Argument) -> Fact<'_> {
    match argument {
        Argument::Scalar(value) => Fact::Scalar(*value),
        Argument::Slice(values) => Fact::Len(values.len()),
        Argument::View { shape, strides, .. } => Fact::View { shape, strides },
    }
}

/// Runs random launches of the kernels of a form; returns their number, and that of those that ran
/// without a fault.
fn check_all(form: Form, seed: u64, launches: usize) -> (usize, usize) {
    let mut random = Random(seed);
    let (mut all, mut ran) = (0, 0);
    for subject in crate::subjects().iter().filter(|subject| subject.def.form == form) {
        for _ in 0..launches {
            let case = subject.case(&mut random);
            check(subject, &case, &mut random);
            all += 1;
            ran += usize::from(case.is_clean());
        }
    }
    (all, ran)
}

#[test]
fn maps_compute_what_the_interpreter_computes() {
    assert!(check_all(Form::Map, 1, 25).1 > 1000);
}

#[test]
fn maps_in_place_compute_what_the_interpreter_computes() {
    let mut random = Random(4);
    for subject in crate::subjects().iter().filter(|subject| subject.def.form == Form::Map) {
        for _ in 0..10 {
            let Some(case) = subject.map_in_place(&mut random) else { break };
            check(subject, &case, &mut random);
        }
    }
}

#[test]
fn grid_kernels_compute_and_fail_as_the_interpreter_does() {
    let (launches, ran) = check_all(Form::Grid, 2, 150);
    assert!(launches > 1000 && ran * 5 > launches, "{ran} of {launches} ran without a fault");
}

#[test]
fn group_kernels_compute_what_the_interpreter_computes() {
    let (launches, ran) = check_all(Form::Group, 3, 8);
    assert!(launches >= 200 && ran * 3 > launches, "{ran} of {launches} ran without a fault");
}
