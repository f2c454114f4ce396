//! The standard kernels give the bits that their IR says.

use super::suite;
use crate::bench::{Bench, Raw, all};
use crate::case::{Case, Check, Power, Stop, ensure, ensure_holds};
use ringwood_base::registry::Entry;
use ringwood_base::{DType, ScalarType, Shape, StridedShape};
use ringwood_device::backend::Handle;
use ringwood_device::device::Kernel;
use ringwood_device::kernel::{Arg, Form, Instance, KernelDef, KernelSpec, ParamKind};
use ringwood_ir::interpret::{self, Argument};
use ringwood_ir::{Type, Value};

pub(super) const CASES: &[Case] = &suite(
    "standard",
    &[Power::Streams, Power::Kernels],
    [
        ("maps_equal_their_interpreted_ir", maps_equal_their_interpreted_ir),
        ("grids_equal_their_interpreted_ir", grids_equal_their_interpreted_ir),
    ],
);

/// The bound of an interpreted run, in statements.
pub(super) const STEPS: u64 = 1 << 20;

/// The sum of `u32`, which wraps.
pub(crate) fn add() -> KernelSpec<'static> {
    let (def, instance) = declared("add", DType::U32);
    def.spec(instance)
}

/// A standard map of two operands of one type.
pub(super) fn kernel(name: &str, dtype: DType) -> Kernel {
    let (def, instance) = declared(name, dtype);
    Kernel::new(def, instance)
}

fn declared(name: &str, dtype: DType) -> (&'static KernelDef, &'static Instance) {
    let mut kernels = ringwood_kernels::ENTRIES.iter().filter_map(Entry::declared::<KernelDef>);
    let def = kernels.find(|def| def.meta.name == name).expect("a standard kernel");
    (def, def.instance(&[dtype; 3]).expect("it is declared for the type"))
}

/// A standard map that has an argument of the type.
pub(super) fn of_type(dtype: DType) -> KernelSpec<'static> {
    let kernels = ringwood_kernels::ENTRIES.iter().filter_map(Entry::declared::<KernelDef>);
    let mut maps = kernels
        .filter(|def| def.form == Form::Map)
        .flat_map(|def| def.instances.iter().map(move |instance| (def, instance)));
    let found = maps.find(|(_, instance)| dtypes(instance).any(|d| d == dtype));
    let (def, instance) = found.expect("each type has a standard map");
    def.spec(instance)
}

/// One portable instance of every kernel of `form`, of element types that the device claims: another
/// one for each kernel, as a device that compiles takes long for all.
fn instances(bench: &Bench, form: Form) -> Check<Vec<(&'static KernelDef, &'static Instance)>> {
    let claimed = &bench.device().capabilities().dtypes;
    let kernels = ringwood_kernels::ENTRIES
        .iter()
        .filter_map(Entry::declared::<KernelDef>)
        .filter(|def| def.form == form);
    let pick = |(number, def): (usize, &'static KernelDef)| {
        let portable = def.instances.iter().filter(|instance| instance.ir.is_some());
        let claims = |instance: &&Instance| dtypes(instance).all(|d| claimed.contains(&d));
        let known: Vec<_> = portable.filter(claims).collect();
        let instance = known.get(number % known.len().max(1))?;
        Some((def, *instance))
    };
    let instances: Vec<_> = kernels.enumerate().filter_map(pick).collect();
    if instances.is_empty() {
        return Err(Stop::Skipped(format!("no standard kernel has only types of {claimed:?}")));
    }
    Ok(instances)
}

fn dtypes(instance: &Instance) -> impl Iterator<Item = DType> {
    instance.params.iter().filter_map(|param| param.kind.dtype())
}

fn maps_equal_their_interpreted_ir(bench: &Bench) -> Check {
    for (def, instance) in instances(bench, Form::Map)? {
        let elements = 300;
        let args: Vec<_> = dtypes(instance)
            .enumerate()
            .map(|(i, dtype)| Argument::Slice(values(dtype, elements, i as u64)))
            .collect();
        let got = on_device(bench, &def.spec(instance), &[elements], &args)?;
        let kernel = decode(instance)?;
        let inputs = &args[..args.len() - 1];
        for i in 0..elements {
            let inputs: Vec<_> = inputs.iter().map(|arg| element(arg, i)).collect();
            let want = interpret::map(&kernel, &inputs, STEPS).map_err(|e| refused(def, &e))?;
            same(def, element(&got[inputs.len()], i), want, &format!("of {inputs:?}"))?;
        }
    }
    Ok(())
}

fn grids_equal_their_interpreted_ir(bench: &Bench) -> Check {
    for (def, instance) in instances(bench, Form::Grid)? {
        let kernel = decode(instance)?;
        let domain = vec![4; usize::from(kernel.rank)];
        let mut args = Vec::new();
        for (i, param) in instance.params.iter().enumerate() {
            args.push(match param.kind {
                // Small enough to be an index of the domain.
                ParamKind::Slice { dtype: DType::I32, .. } => {
                    Argument::Slice((0..4096).map(|i| Value::I32(i * 7 % 4)).collect())
                }
                ParamKind::Slice { dtype: DType::I64, .. } => {
                    Argument::Slice((0..4096).map(|i| Value::I64(i * 7 % 4)).collect())
                }
                ParamKind::Slice { dtype, .. } => Argument::Slice(values(dtype, 4096, i as u64)),
                ParamKind::View { dtype, rank, .. } => view(dtype, rank, i as u64),
                ParamKind::Scalar(ScalarType::Usize) => Argument::Scalar(Value::Usize(4)),
                ParamKind::Scalar(ty) => Argument::Scalar(Value::F32(0.5).cast(ty)),
            });
        }
        let got = on_device(bench, &def.spec(instance), &domain, &args)?;
        let fault = interpret::grid(&kernel, &domain, &mut args, STEPS);
        let fault = fault.map_err(|e| refused(def, &e))?;
        ensure!(fault.is_none(), "`{}` is out of bounds: {fault:?}", def.meta.name);
        for (got, want) in got.iter().zip(&args) {
            if let Argument::Slice(want) | Argument::View { elements: want, .. } = want {
                for (i, want) in want.iter().enumerate() {
                    same(def, element(got, i), *want, &format!("at {i}"))?;
                }
            }
        }
    }
    Ok(())
}

fn decode(instance: &Instance) -> Check<ringwood_ir::Kernel> {
    let text = instance.ir.unwrap_or_default();
    ringwood_ir::decode(text).map_err(|e| Stop::Failed(format!("the IR is malformed: {e}")))
}

fn refused(def: &KernelDef, refusal: &interpret::Refusal) -> Stop {
    Stop::Failed(format!("the interpreter refuses `{}`: {refusal}", def.meta.name))
}

/// The same bits; any NaN equals any other.
pub(super) fn same(def: &KernelDef, got: Value, want: Value, place: &str) -> Check {
    ensure_holds!(got.same_bits(want), "`{}` {place}: {got:?}, not {want:?}", def.meta.name);
    Ok(())
}

/// Runs a kernel and returns the arguments afterwards.
pub(super) fn on_device(
    bench: &Bench,
    spec: &KernelSpec<'_>,
    domain: &[usize],
    args: &[Argument],
) -> Check<Vec<Argument>> {
    let raw = bench.raw()?;
    let (stream, code) = (raw.stream()?, raw.compile(spec)?);
    let memories = args.iter().map(|arg| upload(&raw, &stream, arg)).collect::<Check<Vec<_>>>()?;
    let shapes: Vec<_> = args.iter().map(strided).collect();
    let launched: Vec<_> = args
        .iter()
        .zip(&memories)
        .zip(&shapes)
        .map(|((arg, memory), shape)| match (arg, memory) {
            (Argument::View { .. }, Some((memory, bytes))) => {
                Arg::View { region: all(memory, *bytes), shape }
            }
            (_, Some((memory, bytes))) => Arg::Slice { region: all(memory, *bytes), strides: None },
            (Argument::Scalar(value), None) => Arg::Scalar(*value),
            (other, None) => unreachable!("the cases pass slices and scalars, not {other:?}"),
        })
        .collect();
    raw.launch(&stream, &code, domain, &launched)?;
    let download = |(arg, memory): (&Argument, &Option<(Handle, usize)>)| match (arg, memory) {
        (
            Argument::Slice(values) | Argument::View { elements: values, .. },
            Some((memory, bytes)),
        ) => {
            let read = raw.read(&stream, all(memory, *bytes))?;
            let size = bytes / values.len();
            let value = |b| Value::from_bytes(values[0].ty(), b).expect("bytes of one element");
            Ok(Argument::Slice(read.chunks_exact(size).map(value).collect()))
        }
        _ => Ok(arg.clone()),
    };
    args.iter().zip(&memories).map(download).collect()
}

/// A view with 4 indices along each dimension, the first of which is contiguous.
fn view(dtype: DType, rank: u8, seed: u64) -> Argument {
    let rank = u32::from(rank);
    let elements = values(dtype, 4_usize.pow(rank), seed);
    let strides = (0..rank).map(|d| 4_usize.pow(d)).collect();
    Argument::View { elements, offset: 0, shape: vec![4; rank as usize], strides }
}

/// The extents and steps of a view; those of one element for other arguments.
fn strided(arg: &Argument) -> StridedShape {
    let scalar = StridedShape::dense(Shape::scalar());
    let Argument::View { shape, strides, .. } = arg else { return scalar };
    let shape = Shape::new(shape).and_then(|shape| StridedShape::new(shape, strides));
    shape.unwrap_or(scalar)
}

fn upload(raw: &Raw, stream: &Handle, arg: &Argument) -> Check<Option<(Handle, usize)>> {
    let (Argument::Slice(values) | Argument::View { elements: values, .. }) = arg else {
        return Ok(None);
    };
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_bytes()).collect();
    let memory = raw.memory(bytes.len())?;
    raw.write(stream, all(&memory, bytes.len()), &bytes)?;
    Ok(Some((memory, bytes.len())))
}

fn element(arg: &Argument, i: usize) -> Value {
    match arg {
        Argument::Slice(values) | Argument::View { elements: values, .. } => values[i],
        Argument::Scalar(value) => *value,
    }
}

/// Numbers of a type: the special ones first, then a fixed random sequence.
pub(super) fn values(dtype: DType, count: usize, seed: u64) -> Vec<Value> {
    let special =
        [0.0, -0.0, 1.0, -1.0, 1e-40, f64::MIN_POSITIVE / 4.0, f64::INFINITY, 3e38, -87.5, 0.5];
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let number = |i: usize| {
        let bits = random();
        // Each argument starts at another special number.
        let float = special.get(i.wrapping_sub(seed as usize)).copied();
        let float = float.unwrap_or((bits >> 11) as f64 / (1_u64 << 50) as f64 - 4.0);
        match dtype {
            DType::F32 => Value::F32(float as f32),
            DType::F64 => Value::F64(float),
            DType::I32 => Value::I32(bits as i32),
            DType::U32 => Value::U32(bits as u32),
            DType::I64 => Value::I64(bits as i64),
            DType::U64 => Value::U64(bits),
            DType::F16 => Value::F64(float).cast(Type::F16),
            DType::BF16 => Value::F64(float).cast(Type::BF16),
            DType::U8 => Value::U8(bits as u8),
            DType::I8 => Value::I8(bits as i8),
            DType::I16 => Value::I16(bits as i16),
            DType::U16 => Value::U16(bits as u16),
            DType::Bool => Value::Bool(bits & 1 == 1),
        }
    };
    (0..count).map(number).collect()
}
