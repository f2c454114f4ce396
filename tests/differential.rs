//! Every registered kernel, and some written for this test, run natively and by the interpreter of
//! the kernel IR: the same bits and the same faults, also for odd values, shapes and scalars.

#[path = "support/odd_kernels.rs"]
mod odd_kernels;

#[path = "support/odd_groups.rs"]
mod odd_groups;

use ringwood::kernel::{
    Fault, Form, Instance, KernelDef, KernelSpec, NativeArg, NativeLaunch, NativeSlice, Operand,
    ParamKind, run_native,
};
use ringwood::registry::{Item, Kind, Registry};
use ringwood::{DType, Element, Error, ErrorKind, Scalar, ScalarType, Shape};
use ringwood_ir::interpret::{self, Argument, Refusal};
use ringwood_ir::{Kernel, Type, Value};
use std::ptr::NonNull;

const STEPS: u64 = 2_000_000;

/// A small generator: the test is the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn float(&mut self) -> f64 {
        let specials = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -2.5,
            1e-40,
            -1e-40,
            3e38,
            -3e38,
            88.0,
            -104.0,
            2_147_483_648.0,
            -9.3e18,
            1.9e19,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        match self.below(2) {
            0 => self.pick(&specials),
            _ => (self.below(20_000) as f64 - 10_000.0) / 1024.0,
        }
    }

    fn integer(&mut self) -> i64 {
        let specials = [
            0,
            1,
            -1,
            2,
            31,
            32,
            33,
            63,
            64,
            i64::from(i32::MIN),
            i64::from(i32::MAX),
            i64::MIN,
            i64::MAX,
        ];
        match self.below(2) {
            0 => self.pick(&specials),
            _ => self.below(200) as i64 - 100,
        }
    }

    fn value(&mut self, dtype: DType) -> Value {
        match dtype {
            DType::F32 => Value::F32(self.float() as f32),
            DType::F64 => Value::F64(self.float()),
            DType::I32 => Value::I32(self.integer() as i32),
            DType::U32 => Value::U32(self.integer() as u32),
            DType::I64 => Value::I64(self.integer()),
            DType::F16 => Value::F64(self.float()).cast(Type::F16),
            DType::BF16 => Value::F64(self.float()).cast(Type::Bf16),
            DType::U8 => Value::U8(self.integer() as u8),
            _ => Value::U64(self.integer() as u64),
        }
    }
}

/// Memory of a slice argument, aligned for every element type.
#[derive(Clone)]
struct Memory {
    words: Vec<u64>,
    dtype: DType,
    len: usize,
}

impl Memory {
    fn new(values: &[Value], dtype: DType) -> Self {
        let bytes = values.len() * dtype.size();
        let mut memory = Memory { words: vec![0; bytes.div_ceil(8)], dtype, len: values.len() };
        let size = dtype.size();
        for (chunk, value) in memory.bytes_mut().chunks_exact_mut(size).zip(values) {
            chunk.copy_from_slice(&value.to_bytes());
        }
        memory
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        let bytes = self.len * self.dtype.size();
        &mut bytemuck::cast_slice_mut(&mut self.words)[..bytes]
    }

    fn values(&self) -> Vec<Value> {
        fn read<T: Element + Into<Value>>(memory: &Memory) -> Vec<Value> {
            let elements = &bytemuck::cast_slice::<u64, T>(&memory.words)[..memory.len];
            elements.iter().map(|v| (*v).into()).collect()
        }
        match self.dtype {
            DType::F32 => read::<f32>(self),
            DType::F64 => read::<f64>(self),
            DType::I32 => read::<i32>(self),
            DType::U32 => read::<u32>(self),
            DType::I64 => read::<i64>(self),
            DType::F16 => read::<half::f16>(self),
            DType::BF16 => read::<half::bf16>(self),
            DType::U8 => read::<u8>(self),
            _ => read::<u64>(self),
        }
    }

    fn native<'a>(&'a mut self, strides: Option<&'a [usize]>) -> NativeArg<'a> {
        let bytes = self.len * self.dtype.size();
        let data = NonNull::from(self.words.as_mut_slice()).cast();
        // SAFETY: the words are borrowed mutably for as long as the argument lives, hold that many
        // bytes and are aligned for every element; the tests run ranges one after the other.
        NativeArg::Slice(unsafe { NativeSlice::new(data, bytes, strides) })
    }
}

fn kernels() -> Vec<(&'static KernelDef, &'static Instance, Kernel)> {
    let registry = Registry::global().unwrap();
    let defs = registry.of_kind(Kind::Kernel).filter_map(|entry| match entry.item {
        Item::Kernel(def) => Some(def),
        _ => None,
    });
    let instances = defs.flat_map(|def| def.instances.iter().map(move |i| (def, i)));
    instances.filter_map(|(d, i)| Some((d, i, ringwood_ir::decode(i.ir?).unwrap()))).collect()
}

fn assert_same(what: &str, native: &[Value], oracle: &[Value]) {
    assert_eq!(native.len(), oracle.len(), "{what}");
    for (i, (n, o)) in native.iter().zip(oracle).enumerate() {
        assert!(n.same_bits(*o), "{what}: element {i}: native {n}, interpreter {o}");
    }
}

/// Ranges that together are `0..n`, in a random order.
fn ranges(n: usize, random: &mut Random) -> Vec<std::ops::Range<usize>> {
    let cut = random.below(n + 1);
    let mut parts = vec![0..cut, cut..n];
    if random.below(2) == 0 {
        parts.reverse();
    }
    parts
}

fn dtype(kind: ParamKind) -> DType {
    match kind {
        ParamKind::Slice { dtype, .. } => dtype,
        ParamKind::Scalar(_) => panic!("a map takes tensors"),
    }
}

fn check_map(def: &KernelDef, instance: &'static Instance, ir: &Kernel, random: &mut Random) {
    let mut dims: Vec<_> = (0..random.below(4)).map(|_| random.pick(&[1, 2, 3, 4])).collect();
    if let Some(last) = dims.last_mut() {
        *last = random.pick(&[0, 1, 5, 7, 300]);
    }
    let domain = Shape::new(&dims).unwrap();
    let (inputs, result) = instance.params.split_at(instance.params.len() - 1);
    let mut memories = Vec::new();
    let mut strides = Vec::new();
    for param in inputs {
        let shape: Vec<_> =
            dims.iter().map(|d| if random.below(4) == 0 { 1 } else { *d }).collect();
        let shape = Shape::new(&shape).unwrap();
        let steps: Vec<_> = shape
            .strides()
            .iter()
            .zip(shape.iter().zip(domain.iter()))
            .map(|(step, (own, whole))| if own == whole { *step } else { 0 })
            .collect();
        let dtype = dtype(param.kind);
        let values: Vec<_> = (0..shape.elements()).map(|_| random.value(dtype)).collect();
        memories.push(Memory::new(&values, dtype));
        strides.push(steps);
    }
    let row_major = domain.strides();
    let columns: Vec<_> = memories.iter().map(Memory::values).collect();
    let expected: Vec<_> = (0..domain.elements())
        .map(|item| {
            let at = |s: &Vec<usize>| {
                (0..domain.len())
                    .map(|d| item / row_major[d].max(1) % domain[d] * s[d])
                    .sum::<usize>()
            };
            let inputs: Vec<_> = columns.iter().zip(&strides).map(|(c, s)| c[at(s)]).collect();
            interpret::map(ir, &inputs, STEPS).unwrap()
        })
        .collect();
    let result = dtype(result[0].kind);
    memories.push(Memory::new(&vec![random.value(result); domain.elements()], result));
    let fault = Fault::default();
    let steps = strides.iter().map(|s| Some(&**s)).chain([None]);
    let args: Vec<_> = memories.iter_mut().zip(steps).map(|(m, s)| m.native(s)).collect();
    let launch = NativeLaunch::new(domain, &args, &fault);
    for range in ranges(domain.elements(), random) {
        run_native(&def.spec(instance), &launch, range).unwrap();
    }
    let what = format!("{} over {domain}, strides {strides:?}", def.name);
    assert_same(&what, &memories.pop().unwrap().values(), &expected);
}

/// The same map with its result in place of one of its inputs.
fn check_map_in_place(
    def: &KernelDef,
    instance: &'static Instance,
    ir: &Kernel,
    random: &mut Random,
) {
    let n = random.pick(&[1, 5, 256, 700]);
    let kinds: Vec<_> = instance.params.iter().map(|p| dtype(p.kind)).collect();
    let (result, inputs) = kinds.split_last().expect("a map has a result");
    let like_result: Vec<_> = (0..inputs.len()).filter(|i| inputs[*i] == *result).collect();
    if like_result.is_empty() {
        return;
    }
    let replaced = random.pick(&like_result);
    let columns: Vec<Vec<Value>> =
        inputs.iter().map(|dtype| (0..n).map(|_| random.value(*dtype)).collect()).collect();
    let expected: Vec<_> = (0..n)
        .map(|i| {
            let inputs: Vec<_> = columns.iter().map(|c| c[i]).collect();
            interpret::map(ir, &inputs, STEPS).unwrap()
        })
        .collect();
    let mut memories: Vec<_> =
        columns.iter().zip(&kinds).map(|(c, dtype)| Memory::new(c, *dtype)).collect();
    let mut args: Vec<_> = memories.iter_mut().map(|m| m.native(None)).collect();
    args.push(args[replaced]);
    let fault = Fault::default();
    let launch = NativeLaunch::new(Shape::vector(n), &args, &fault);
    for range in ranges(n, random) {
        run_native(&def.spec(instance), &launch, range).unwrap();
    }
    assert_same(def.name, &memories[replaced].values(), &expected);
}

/// Runs a grid or group kernel in every way; returns whether they ran without a fault.
fn check_grid(
    def: &KernelDef,
    instance: &'static Instance,
    ir: &Kernel,
    random: &mut Random,
) -> bool {
    let groups = def.form == Form::Group;
    let size = if groups { random.below(20) } else { random.below(6) };
    let mut oracle = Vec::new();
    let mut operands = Vec::new();
    for param in instance.params {
        match param.kind {
            ParamKind::Scalar(ty) => {
                let value = scalar(ty, size, random);
                operands.push(Operand::Scalar(value));
                oracle.push(Argument::Scalar(ir_value(value)));
            }
            ParamKind::Slice { dtype, mutable } => {
                let rank = if groups { 1 } else { instance.rank.max(1) };
                let mut dims: Vec<_> = (0..rank)
                    .map(|_| if random.below(3) == 0 { random.below(7) } else { size })
                    .collect();
                if groups {
                    dims[0] = random.pick(&[size * size, size * size, size * size, 16, 200]);
                }
                let shape = Shape::new(&dims).unwrap();
                let values = (0..shape.elements()).map(|_| random.value(dtype)).collect();
                operands.push(Operand::Tensor { dtype, shape, mutable });
                oracle.push(Argument::Slice(values));
            }
        }
    }
    let domain = def.domain(instance, &operands).unwrap();
    let memories: Vec<_> = oracle
        .iter()
        .zip(&operands)
        .filter_map(|(a, o)| match (a, o) {
            (Argument::Slice(v), Operand::Tensor { dtype, .. }) => Some(Memory::new(v, *dtype)),
            _ => None,
        })
        .collect();
    let outcome = interpret::grid(ir, &domain, &mut oracle, STEPS);
    let allowed = matches!(outcome, Ok(_) | Err(Refusal::Requirement(_)));
    assert!(allowed, "{}: {outcome:?}", def.name);
    let what = format!("{} over {domain}: {operands:?}", def.name);
    let written: Vec<_> = oracle
        .iter()
        .filter_map(|a| match a {
            Argument::Slice(values) | Argument::View { elements: values, .. } => Some(values),
            Argument::Scalar(_) => None,
        })
        .collect();
    // Unchecked code runs where the interpreter saw no access out of bounds.
    for unchecked in [false, true].into_iter().filter(|u| !u || outcome == Ok(None)) {
        let mut memories = memories.clone();
        run_grid(
            &def.spec(instance),
            domain,
            &operands,
            &mut memories,
            &outcome,
            unchecked,
            random,
        )
        .unwrap_or_else(|error| panic!("{what}, unchecked {unchecked}: {error}"));
        for (memory, expected) in memories.iter().zip(&written) {
            assert_same(&what, &memory.values(), expected);
        }
    }
    outcome == Ok(None)
}

type Outcome = Result<Option<interpret::OutOfBounds>, Refusal>;

/// Runs the native code of a grid or group kernel, and compares how it ends.
fn run_grid(
    spec: &KernelSpec<'_>,
    domain: Shape,
    operands: &[Operand],
    memories: &mut [Memory],
    outcome: &Outcome,
    unchecked: bool,
    random: &mut Random,
) -> Result<(), String> {
    let mut slices = memories.iter_mut();
    let args: Vec<_> = operands
        .iter()
        .map(|operand| match operand {
            Operand::Scalar(value) => NativeArg::Scalar(*value),
            Operand::Tensor { .. } => slices.next().unwrap().native(None),
        })
        .collect();
    let fault = Fault::default();
    let mut launch = NativeLaunch::new(domain, &args, &fault);
    if unchecked {
        // SAFETY: the interpreter ran this very launch, and every access was in bounds.
        launch = unsafe { launch.assume_in_bounds() };
    }
    let run = |range| run_native(spec, &launch, range);
    let results: Vec<_> = match outcome {
        // In order, so that the first fault is the same one.
        Ok(Some(_)) => vec![run(0..domain.elements())],
        _ => ranges(domain.elements(), random).into_iter().map(run).collect(),
    };
    let kinds: Vec<_> = results.iter().map(|r| r.as_ref().err().map(Error::kind)).collect();
    let expected = match outcome {
        Err(_) => Some(ErrorKind::InvalidArgument),
        Ok(Some(_)) => Some(ErrorKind::OutOfBounds),
        Ok(None) => None,
    };
    if kinds.iter().any(|kind| *kind != expected) {
        return Err(format!("{results:?}, expected {expected:?}"));
    }
    match outcome {
        // Lanes run in another order, which shows in what comes first.
        Ok(Some(first)) if !has_lanes(spec) => {
            let same = fault.get() == Some((first.site, first.index, first.len));
            same.then_some(()).ok_or(format!("{:?} first, expected {first:?}", fault.get()))
        }
        _ => Ok(()),
    }
}

/// Whether the work-items of a kernel may run in another order than that of their indices.
fn has_lanes(spec: &KernelSpec<'_>) -> bool {
    let kernel = spec.kernel().unwrap();
    kernel.group.is_some() || kernel.body.iter().any(|stmt| !stmt.bodies().is_empty())
}

fn scalar(ty: ScalarType, size: usize, random: &mut Random) -> Scalar {
    match ty {
        ScalarType::Bool => Scalar::Bool(random.below(2) == 0),
        ScalarType::Usize if random.below(20) == 0 => Scalar::Usize(random.pick(&[1, 0, 9])),
        ScalarType::Usize => Scalar::Usize(size),
        ScalarType::I32 => Scalar::I32(random.integer() as i32),
        ScalarType::U32 => Scalar::U32(random.integer() as u32),
        ScalarType::I64 => Scalar::I64(random.integer()),
        ScalarType::U64 => Scalar::U64(random.integer() as u64),
        ScalarType::F32 => Scalar::F32(random.float() as f32),
        ScalarType::F64 => Scalar::F64(random.float()),
    }
}

fn ir_value(scalar: Scalar) -> Value {
    match scalar {
        Scalar::Bool(v) => v.into(),
        Scalar::I32(v) => v.into(),
        Scalar::U32(v) => v.into(),
        Scalar::I64(v) => v.into(),
        Scalar::U64(v) => v.into(),
        Scalar::Usize(v) => v.into(),
        Scalar::F32(v) => v.into(),
        Scalar::F64(v) => v.into(),
    }
}

#[test]
fn native_maps_compute_what_the_interpreter_computes() {
    let mut random = Random(1);
    for (def, instance, ir) in kernels().iter().filter(|(def, ..)| def.form == Form::Map) {
        for _ in 0..25 {
            check_map(def, instance, ir, &mut random);
            check_map_in_place(def, instance, ir, &mut random);
        }
    }
}

#[test]
fn native_grid_kernels_compute_and_fail_as_the_interpreter_does() {
    let mut random = Random(2);
    let (mut ran, mut launches) = (0, 0);
    for (def, instance, ir) in kernels().iter().filter(|(def, ..)| def.form == Form::Grid) {
        for _ in 0..150 {
            launches += 1;
            ran += usize::from(check_grid(def, instance, ir, &mut random));
        }
    }
    assert!(launches > 1000 && ran * 5 > launches, "{ran} of {launches} ran without a fault");
}

#[test]
fn native_group_kernels_compute_what_the_interpreter_computes() {
    let mut random = Random(3);
    let (mut ran, mut launches) = (0, 0);
    for (def, instance, ir) in kernels().iter().filter(|(def, ..)| def.form == Form::Group) {
        for _ in 0..20 {
            launches += 1;
            ran += usize::from(check_grid(def, instance, ir, &mut random));
        }
    }
    assert!(launches >= 200 && ran * 3 > launches, "{ran} of {launches} ran without a fault");
}

#[test]
fn the_text_of_every_kernel_is_the_canonical_one() {
    for (_, instance, ir) in kernels() {
        assert_eq!(ringwood_ir::encode(&ir), instance.ir.unwrap());
    }
}
