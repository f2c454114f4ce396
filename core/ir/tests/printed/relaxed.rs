//! Relaxed kernels call the functions of the device, whose errors have bounds.

use crate::build::*;
use crate::maps::MapCase;
use crate::opencl::{in_child, open};
use crate::{skip, values};
use ringwood_ir::print::{OPENCL, Options, Program};
use ringwood_ir::{MathFn, ParamKind, Type, Value};

#[test]
fn relaxed_functions_are_as_near_as_the_standard_says_on_opencl() {
    if let Err(why) = open() {
        return skip("opencl", &why);
    }
    in_child("relaxed::some_relaxed_functions", &[]);
}

/// A function that devices have, of special values and of those where it is not trivial.
fn case(function: MathFn, ty: Type) -> MapCase {
    let near = |i: usize| Value::F64((i as f64 - 500.0) / 40.0).cast(ty);
    let inputs = if function.arity() == 2 {
        let (left, right) = values::pairs(ty);
        let more = |step: usize| (0..1000).map(move |i| near(i * step % 1000));
        vec![left.into_iter().chain(more(1)).collect(), right.into_iter().chain(more(37)).collect()]
    } else {
        vec![values::special(ty).into_iter().chain((0..1000).map(near)).collect::<Vec<_>>()]
    };
    let name = format!("relaxed_{}_{ty}", function.name());
    let args = [0, 1].map(|p| param(p, ty));
    let args: Vec<_> = args.iter().take(inputs.len()).collect();
    let params = vec![ParamKind::Scalar(ty); inputs.len()];
    let mut kernel = kernel(&name, 0, &params, &[], vec![], Some(math(function, &args)));
    kernel.modes.relaxed = true;
    let strides = vec![vec![1]; inputs.len() + 1];
    MapCase { kernel, domain: vec![inputs[0].len()], strides, inputs }
}

/// The distance in units of the last place of the expected value; beyond the largest value is as the
/// next number would be.
fn ulps(got: Value, expected: Value) -> f64 {
    match (got, expected) {
        _ if got.same_bits(expected) => 0.0,
        (Value::F32(got), Value::F32(expected)) => {
            let size = |v: f32| {
                if v.is_infinite() { 2_f64.powi(128).copysign(v.into()) } else { v.into() }
            };
            let last = expected.abs().min(f32::MAX.next_down());
            (size(got) - size(expected)).abs() / (size(last.next_up()) - size(last))
        }
        (Value::F64(got), Value::F64(expected)) => {
            let last = expected.abs().min(f64::MAX.next_down());
            let limit = |v: f64| v.clamp(f64::MIN, f64::MAX);
            (limit(got) - limit(expected)).abs() / (last.next_up() - last)
        }
        _ => f64::NAN,
    }
}

#[test]
fn distances_count_what_lies_between() {
    let f32 = |v: f32| Value::F32(v);
    assert_eq!(ulps(f32(1.0), f32(1.0_f32.next_up())), 1.0);
    assert_eq!(ulps(f32(-1e-45), f32(1e-45)), 2.0);
    assert_eq!(ulps(f32(f32::INFINITY), f32(f32::MAX)), 1.0);
    assert_eq!(ulps(Value::F64(3.0), Value::F64(3.0_f64.next_down().next_down())), 2.0);
    assert!(ulps(f32(f32::NAN), f32(1.0)).is_nan(), "no bound allows that");
}

#[test]
#[ignore = "started by another test"]
fn some_relaxed_functions() {
    let opencl = open().unwrap();
    let mut program = Program::new(&OPENCL, &opencl.facts);
    let mut entries = Vec::new();
    for function in MathFn::ALL.iter().filter(|f| f.accuracy().library.is_some()) {
        for ty in [Type::F32, Type::F64] {
            let case = case(*function, ty);
            let layout = case.collapsed().layout();
            let entry = program.add(&case.kernel, &Options { layout, ..Options::default() });
            entries.push((entry, *function, ty, case));
        }
    }
    let source = program.source();
    assert!(source.contains("pow("), "the functions of the device are called");
    let built = opencl.build(&source);
    let mut wrong = Vec::new();
    for (entry, function, ty, case) in &entries {
        let accuracy = function.accuracy();
        let own = if *ty == Type::F64 { accuracy.f64 } else { accuracy.f32 };
        let bound = own + accuracy.library.unwrap().1;
        let got = opencl.run_map(&built, entry, case);
        for (i, (got, expected)) in got.iter().zip(case.expected()).enumerate() {
            let distance = ulps(*got, expected);
            if distance.is_nan() || distance > bound {
                let inputs: Vec<_> = case.inputs.iter().map(|input| input[i].literal()).collect();
                let inputs = inputs.join(", ");
                wrong.push(format!(
                    "{}({inputs}): {}, not {}: {distance} ulp",
                    entry.name,
                    got.literal(),
                    expected.literal()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} results\n{}", wrong.len(), wrong.join("\n"));
}
