//! Random kernels, compiled from Rust source: native code with checks and without gives the bits and
//! the faults of the interpreter.
#![cfg(feature = "inventory")]

#[path = "../core/ir/tests/random/launch.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod launch;
#[path = "support/on_opencl.rs"]
mod on_opencl;
#[path = "../core/ir/tests/random/parallel.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod parallel;
#[path = "support/random_kernels.rs"]
#[rustfmt::skip]
#[allow(
    unused, clippy::all, arithmetic_overflow, unconditional_panic, invalid_nan_comparisons,
    unused_comparisons,
    reason = "they are random"
)]
mod random_kernels;
#[path = "../core/ir/tests/printed/values.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod values;

use on_opencl::OnOpenCl;
use parallel::Parallel;
use ringwood::kernel::{
    Fault, Instance, KernelDef, NativeArg, NativeLaunch, NativeSlice, run_native,
};
use ringwood::registry::{Item, Kind, Registry};
use ringwood::{ErrorKind, Scalar, Shape};
use ringwood_ir::interpret::{Argument, OutOfBounds, grid};
use ringwood_ir::{Type, Value};
use std::ops::Range;
use std::ptr::NonNull;

/// The kernels that run on a device, some of them with accesses out of bounds.
const ON_A_DEVICE: Range<usize> = 15..30;

/// The statements after which a run is given up.
const STEPS: u64 = 2_000_000;

/// The random kernels, with their seeds.
fn kernels() -> Vec<(u64, &'static KernelDef)> {
    let entries = Registry::global().unwrap().of_kind(Kind::Kernel);
    let kernel = entries.filter_map(|entry| match entry.item {
        Item::Kernel(def) => Some((def.name.strip_prefix("random")?.parse().ok()?, def)),
        _ => None,
    });
    let mut all: Vec<_> = kernel.collect();
    all.sort_by_key(|(seed, _)| *seed);
    all
}

fn scalar(value: Value) -> Scalar {
    match value {
        Value::Bool(v) => Scalar::Bool(v),
        Value::I32(v) => Scalar::I32(v),
        Value::U32(v) => Scalar::U32(v),
        Value::I64(v) => Scalar::I64(v),
        Value::U64(v) => Scalar::U64(v),
        Value::Usize(v) => Scalar::Usize(v),
        Value::F32(v) => Scalar::F32(v),
        Value::F64(v) => Scalar::F64(v),
        other => panic!("{other:?} is no argument of a random kernel"),
    }
}

/// Host memory of a slice, aligned for every type.
struct Memory {
    words: Vec<u64>,
    bytes: usize,
    ty: Type,
}

impl Memory {
    fn new(values: &[Value]) -> Self {
        let bytes = values::to_bytes(values);
        let word = |chunk: &[u8]| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_ne_bytes(word)
        };
        let words = bytes.chunks(8).map(word).collect();
        Memory { words, bytes: bytes.len(), ty: values[0].ty() }
    }

    fn values(&self) -> Vec<Value> {
        let bytes: Vec<u8> = self.words.iter().flat_map(|w| w.to_ne_bytes()).collect();
        values::from_bytes(self.ty, &bytes[..self.bytes])
    }

    fn native(&mut self) -> NativeArg<'_> {
        let data = NonNull::from(self.words.as_mut_slice()).cast();
        // SAFETY: the words are borrowed mutably for as long as the argument lives, hold that many
        // bytes and are aligned for every element; ranges run one after the other.
        NativeArg::Slice(unsafe { NativeSlice::new(data, self.bytes, None) })
    }
}

/// Runs the native code over two ranges, the second one first; returns the arguments afterwards, and
/// whether an access was out of bounds.
fn native(
    def: &KernelDef,
    instance: &'static Instance,
    domain: &[usize],
    args: &[Argument],
    in_bounds: bool,
) -> (Vec<Option<Vec<Value>>>, bool) {
    let memory = |arg: &Argument| match arg {
        Argument::Slice(values) => Some(Memory::new(values)),
        _ => None,
    };
    let mut memories: Vec<_> = args.iter().map(memory).collect();
    let natives = memories.iter_mut().zip(args).map(|(memory, arg)| match (memory, arg) {
        (Some(memory), _) => memory.native(),
        (None, Argument::Scalar(value)) => NativeArg::Scalar(scalar(*value)),
        (None, other) => panic!("{other:?} is no argument of a random kernel"),
    });
    let natives: Vec<_> = natives.collect();
    let (domain, fault) = (Shape::new(domain).unwrap(), Fault::default());
    let mut launch = NativeLaunch::new(domain, &natives, &fault);
    if in_bounds {
        // SAFETY: the interpreter ran this very launch, and every access was in bounds.
        launch = unsafe { launch.assume_in_bounds() };
    }
    let (all, half) = (domain.elements(), domain.elements() / 2);
    for range in [half..all, 0..half] {
        if let Err(error) = run_native(&def.spec(instance), &launch, range) {
            assert_eq!(error.kind(), ErrorKind::OutOfBounds, "{}: {error}", def.name);
        }
    }
    let outside = fault.get().is_some();
    (memories.into_iter().map(|m| m.map(|m| m.values())).collect(), outside)
}

fn differences(
    what: &str,
    got: &[Option<Vec<Value>>],
    expected: &[Argument],
    wrong: &mut Vec<String>,
) {
    for (p, (got, expected)) in got.iter().zip(expected).enumerate() {
        let (Some(got), Argument::Slice(expected)) = (got, expected) else { continue };
        let differs = got.iter().zip(expected).position(|(g, e)| !g.same_bits(*e));
        if let Some(i) = differs {
            wrong.push(format!("{what}, parameter {p}[{i}]: {} is not {}", got[i], expected[i]));
        }
    }
}

#[test]
fn native_random_kernels_give_the_bits_of_the_interpreter() {
    let (mut wrong, mut groups, mut faults) = (Vec::new(), 0, 0);
    let kernels = kernels();
    for (seed, def) in &kernels {
        let instance = &def.instances[0];
        let ir = def.spec(instance).kernel().unwrap();
        groups += usize::from(ir.group.is_some());
        for turn in 0..4 {
            let launch = Parallel::plain(*seed).launch(seed + 1000 * turn);
            let mut expected = launch.args.clone();
            let outcome: Option<OutOfBounds> = grid(&ir, &launch.domain, &mut expected, STEPS)
                .unwrap_or_else(|refusal| panic!("{}: {refusal}\n{ir}", def.name));
            faults += usize::from(outcome.is_some());
            for in_bounds in [false, true].into_iter().filter(|u| !u || outcome.is_none()) {
                let what = format!("{}, turn {turn}, in bounds: {in_bounds}", def.name);
                let (got, outside) = native(def, instance, &launch.domain, &launch.args, in_bounds);
                if outside != outcome.is_some() {
                    wrong.push(format!("{what}: fault {outside}, expected {outcome:?}"));
                }
                differences(&what, &got, &expected, &mut wrong);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(kernels.len() >= 100 && groups > 60 && faults > 10, "{groups} groups, {faults} faults");
}

/// Through the backend: the proof of each launch chooses the variant.
#[test]
fn random_kernels_on_a_device_give_the_bits_of_the_interpreter() {
    let Some(opencl) = OnOpenCl::open() else { return };
    let (mut wrong, mut faults) = (Vec::new(), 0);
    for (seed, def) in &kernels()[ON_A_DEVICE] {
        let instance = &def.instances[0];
        let (spec, ir) = (def.spec(instance), def.spec(instance).kernel().unwrap());
        let code = opencl.compile(spec).unwrap_or_else(|error| panic!("{error}"));
        for turn in 0..2 {
            let launch = Parallel::plain(*seed).launch(seed + 1000 * turn);
            let mut expected = launch.args.clone();
            let outcome = grid(&ir, &launch.domain, &mut expected, STEPS).unwrap();
            let what = format!("{}, turn {turn}", def.name);
            let run = opencl.run(&code, &launch.domain, &launch.args);
            let (got, outside) = run.unwrap_or_else(|error| panic!("{what}: {error}"));
            if outside != outcome.is_some() {
                wrong.push(format!("{what}: fault {outside}, expected {outcome:?}"));
            }
            faults += usize::from(outside);
            differences(&what, &got, &expected, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(faults > 0, "no launch was out of bounds");
}
