//! Every kernel for every element type on one thread of the CPU: nanoseconds of a launch on operands in
//! cache, and a hash of the bits of its results.
//!
//! `cargo bench -p ringwood-kernels --bench kernels` prints the table; the program itself, called with
//! `compare BEFORE AFTER` for two builds of it, runs them in turns and prints the worst ratios.

use half::{bf16, f16};
use ringwood_backend_cpu as _;
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Error, ErrorKind, Result, Scalar, ScalarType, Shape};
use ringwood_device::device::{Device, LaunchArg, Tensor, launch};
use ringwood_device::kernel::{Form, Instance, KernelDef, Param, ParamKind};
use ringwood_kernels as _;
use std::collections::BTreeMap;
use std::process::Command;
use std::time::Instant;

/// The elements of operands of maps.
const ELEMENTS: usize = 1 << 14;

/// The elements of slices and the values of scalars of kernels that are no maps.
const SIZES: &[(&str, &str)] = &[
    ("argmax argmin largest smallest mean product sum", "x 16384 y 64 n 256 b 16"),
    ("argmax_rows argmin_rows largest_rows smallest_rows mean_rows", "x 16384 y 64 n 256"),
    ("sum_rows log_sum_exp log_sum_exp_rows", "x 16384 y 64 n 256"),
    ("cross_entropy cross_entropy_rows", "x 16384 labels 64 y 64 n 256"),
    ("cross_entropy_grad", "x 16384 totals 64 labels 64 g 64 y 16384 n 256"),
    ("fill", "value 3 y 16384"),
    ("gather", "x 16384 index 256 y 16384 v 256 d 64"),
    ("index_order", "index 4096 order 4096"),
    ("index_starts", "index 4096 order 4096 starts 256"),
    ("sum_picked", "x 4096 index 64 order 64 starts 64 y 4096 d 64"),
    ("int8_encode", "x 16384 y 4608"),
    ("int8_add", "x 4608 y 16384"),
    ("layer_norm layer_norm_rows", "x 16384 weight 256 bias 256 y 16384 r 64 n 256 epsilon 1"),
    (
        "layer_norm_grad layer_norm_grad_rows",
        "x 16384 weight 256 g 16384 y 16384 r 64 n 256 epsilon 1",
    ),
    ("rms_norm rms_norm_rows", "x 16384 weight 256 y 16384 r 64 n 256 epsilon 1"),
    ("rms_norm_grad rms_norm_grad_rows", "x 16384 weight 256 g 16384 y 16384 r 64 n 256 epsilon 1"),
    ("softmax softmax_rows log_softmax log_softmax_rows", "x 16384 y 16384 r 64 n 256"),
    ("matmul matmul_nt matmul_tn", "a 4096 b 4096 c 4096 m 64 k 64 n 64"),
    ("max_pool mean_pool", "x 8192 y 1800 h 32 w 32 p 15 q 15 window 3 stride 2"),
    ("max_pool_grad", "x 8192 y 1800 g 1800 to_x 8192 h 32 w 32 p 15 q 15 window 3 stride 2"),
    ("mean_pool_grad", "g 1800 to_x 8192 h 32 w 32 p 15 q 15 window 3 stride 2"),
    ("mean_all mean_all_group sum_all sum_all_group", "x 16384 y 1"),
    ("repeat", "x 1024 y 16384 n 16 b 32"),
    ("narrow_bf16 narrow_f16", "x 16384 y 8192"),
    ("widen_bf16 widen_f16", "x 8192 y 16384"),
    ("reproducible_encode_f32", "x 4096 y 8192"),
    ("reproducible_merge_f32", "x 8192 y 8192"),
    ("reproducible_decode_f32", "x 8192 y 4096"),
    ("reproducible_encode_f64", "x 4096 y 16384"),
    ("reproducible_merge_f64", "x 16384 y 16384"),
    ("reproducible_decode_f64", "x 16384 y 4096"),
    ("transpose", "x 16384 y 16384 m 128 n 128"),
    ("windows", "x 8192 y 73728 c 2 h 32 w 32 p 32 q 32 window 3 stride 1 padding 1"),
    ("windows_grad", "g 73728 to_x 8192 c 2 h 32 w 32 p 32 q 32 window 3 stride 1 padding 1"),
];

fn main() -> Result<()> {
    let args: Vec<_> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["compare", before, after] => compare([before, after]),
        [] => table(""),
        [name, ..] => table(name),
    }
}

/// Prints a line for each kernel, or for that of a name.
fn table(name: &str) -> Result<()> {
    let device = Device::named("cpu:0")?;
    device.set_stream(&device.new_stream("sync")?)?;
    for (_, def) in Registry::global()?.of::<KernelDef>() {
        let here = def.devices.contains(&"cpu") && (name.is_empty() || name == def.meta.name);
        for instance in def.instances.iter().filter(|_| here) {
            measure(&device, def, instance, false)?;
            let same = |p: &Param| p.kind.dtype();
            let (first, last) = (instance.params.first(), instance.params.last());
            if def.form == Form::Map && first.and_then(same) == last.and_then(same) {
                measure(&device, def, instance, true)?;
            }
        }
    }
    Ok(())
}

fn size(def: &KernelDef, param: &Param) -> Result<usize> {
    let known = SIZES.iter().find(|(names, _)| names.split(' ').any(|name| name == def.meta.name));
    let size = known.and_then(|(_, sizes)| {
        let mut words = sizes.split(' ');
        words.find(|word| *word == param.name).and_then(|_| words.next()?.parse().ok())
    });
    let missing = || format!("the bench has no size of `{}` of `{}`", param.name, def.meta.name);
    size.ok_or_else(|| Error::new(ErrorKind::NotFound, missing()))
}

/// One kernel for one list of types; `in_place`, its result replaces its first input.
fn measure(
    device: &Device,
    def: &'static KernelDef,
    instance: &'static Instance,
    in_place: bool,
) -> Result<()> {
    let mut run = Run::new(device, def, instance, in_place, true)?;
    run.launch()?;
    let hash = run.hash()?;
    let mut run = Run::new(device, def, instance, in_place, false)?;
    let time = time(|| run.launch().expect("the kernel runs"));
    let types: Vec<_> = instance.params.iter().filter_map(|p| p.kind.dtype()).collect();
    let types: Vec<_> = types.iter().map(|ty| ty.name()).collect();
    let place = if in_place { "in-place" } else { "apart" };
    println!("{} {} {place} {:.0} {hash:016x}", def.meta.name, types.join(","), time * 1e9);
    Ok(())
}

/// A kernel and its arguments.
struct Run {
    def: &'static KernelDef,
    params: &'static [Param],
    tensors: Vec<Option<Tensor>>,
    scalars: Vec<Scalar>,
}

impl Run {
    /// With `wild`, every other number has any bits.
    fn new(
        device: &Device,
        def: &'static KernelDef,
        instance: &'static Instance,
        in_place: bool,
        wild: bool,
    ) -> Result<Self> {
        let params = instance.params;
        let (mut tensors, mut scalars): (Vec<Option<Tensor>>, _) = (Vec::new(), Vec::new());
        for (i, param) in params.iter().enumerate() {
            let size = if def.form == Form::Map { ELEMENTS } else { size(def, param)? };
            scalars.push(scalar(param.kind, size));
            tensors.push(match param.kind.dtype().filter(|_| !is_scalar(param.kind)) {
                Some(_) if in_place && i + 1 == params.len() => tensors[0].clone(),
                Some(dtype) => {
                    let index = matches!(param.name, "index" | "labels");
                    let bytes = bytes(dtype, size, i, wild && !index);
                    Some(device.tensor_of_bytes(&bytes, Shape::vector(size), dtype)?)
                }
                None => None,
            });
        }
        Ok(Self { def, params, tensors, scalars })
    }

    fn launch(&mut self) -> Result<()> {
        let args = self.tensors.iter_mut().zip(&self.scalars).zip(self.params);
        let args: Vec<_> = args
            .map(|((tensor, scalar), param)| match (tensor, param.kind.is_written()) {
                (Some(tensor), true) => LaunchArg::Write(tensor),
                (Some(tensor), false) => LaunchArg::Read(tensor),
                (None, _) => LaunchArg::Scalar(*scalar),
            })
            .collect();
        launch(self.def, &args)
    }

    /// Of the bits of what was written, where every NaN has the same ones.
    fn hash(&self) -> Result<u64> {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let written = self.params.iter().zip(&self.tensors).filter(|(p, _)| p.kind.is_written());
        for tensor in written.filter_map(|(_, tensor)| tensor.as_ref()) {
            let (bytes, dtype) = (tensor.to_bytes()?, tensor.dtype());
            for element in bytes.chunks(dtype.size()) {
                let bits = element.iter().rev().fold(0_u64, |bits, b| bits << 8 | u64::from(*b));
                let bits = if is_nan(dtype, bits) { !0 } else { bits };
                hash = (hash ^ bits).wrapping_mul(0x0100_0000_01b3);
                hash ^= hash >> 29;
            }
        }
        Ok(hash)
    }
}

fn is_scalar(kind: ParamKind) -> bool {
    matches!(kind, ParamKind::Scalar(_))
}

fn scalar(kind: ParamKind, value: usize) -> Scalar {
    match kind {
        ParamKind::Scalar(ScalarType::F32) => Scalar::F32(value as f32),
        ParamKind::Scalar(ScalarType::F64) => Scalar::F64(value as f64),
        ParamKind::Scalar(ScalarType::F16) => Scalar::F16(f16::from_f32(value as f32)),
        ParamKind::Scalar(ScalarType::BF16) => Scalar::BF16(bf16::from_f32(value as f32)),
        ParamKind::Scalar(ScalarType::I32) => Scalar::I32(value as i32),
        ParamKind::Scalar(ScalarType::I64) => Scalar::I64(value as i64),
        ParamKind::Scalar(ScalarType::U32) => Scalar::U32(value as u32),
        ParamKind::Scalar(ScalarType::U64) => Scalar::U64(value as u64),
        ParamKind::Scalar(ScalarType::U8) => Scalar::U8(value as u8),
        ParamKind::Scalar(ScalarType::I8) => Scalar::I8(value as i8),
        ParamKind::Scalar(ScalarType::I16) => Scalar::I16(value as i16),
        ParamKind::Scalar(ScalarType::U16) => Scalar::U16(value as u16),
        _ => Scalar::Usize(value),
    }
}

/// Elements of argument `of`: small numbers, and with `wild` every other one of any bits.
fn bytes(dtype: DType, elements: usize, of: usize, wild: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(elements * dtype.size());
    for i in 0..elements {
        let (small, mixed) =
            ((i * (of + 7)) % 61, (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let float = small as f64 / 16.0 - 1.5;
        let bits = match dtype {
            _ if wild && i % 2 == 1 => mixed ^ mixed >> 31,
            DType::F16 => u64::from(f16::from_f64(float).to_bits()),
            DType::BF16 => u64::from(bf16::from_f64(float).to_bits()),
            DType::F32 => u64::from((float as f32).to_bits()),
            DType::F64 => float.to_bits(),
            _ => small as u64,
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..dtype.size()]);
    }
    bytes
}

fn is_nan(dtype: DType, bits: u64) -> bool {
    match dtype {
        DType::F16 => f16::from_bits(bits as u16).is_nan(),
        DType::BF16 => bf16::from_bits(bits as u16).is_nan(),
        DType::F32 => f32::from_bits(bits as u32).is_nan(),
        DType::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}

/// The shortest time of a call, in seconds, of rounds of a millisecond.
fn time(mut call: impl FnMut()) -> f64 {
    let mut round = |repeats: u32| {
        let start = Instant::now();
        (0..repeats).for_each(|_| call());
        start.elapsed().as_secs_f64() / f64::from(repeats)
    };
    let repeats = (0.001 / round(2)).clamp(1.0, 1e5) as u32;
    (0..7).map(|_| round(repeats)).fold(f64::INFINITY, f64::min)
}

/// Runs two builds of this bench in turns, and prints the ratios of their shortest times, the worst
/// last, and what has other bits.
fn compare(builds: [&str; 2]) -> Result<()> {
    let mut best: BTreeMap<String, [(f64, String); 2]> = BTreeMap::new();
    for (round, side) in (0..2 * 4).map(|i| (i / 2, i % 2)) {
        let output = Command::new(builds[side])
            .envs([("RAYON_NUM_THREADS", "1"), ("RINGWOOD_THREADS", "1")])
            .output();
        let output = output
            .map_err(|e| Error::new(ErrorKind::NotFound, format!("{}: {e}", builds[side])))?;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let words: Vec<_> = line.split(' ').collect();
            let [name, types, place, ns, hash] = words[..] else { continue };
            let slot = best.entry(format!("{name} {types} {place}")).or_default();
            let ns = ns.parse().unwrap_or(f64::NAN);
            slot[side].0 = if round == 0 { ns } else { slot[side].0.min(ns) };
            slot[side].1 = hash.to_owned();
        }
    }
    let mut lines: Vec<_> = best.iter().map(|(what, [a, b])| (b.0 / a.0, what, a, b)).collect();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (ratio, what, a, b) in lines {
        let bits = if a.1 == b.1 { "" } else { "  OTHER BITS" };
        println!("{ratio:6.2}  {:>9} ns {:>9} ns  {what}{bits}", a.0, b.0);
    }
    Ok(())
}
