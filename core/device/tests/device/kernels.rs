//! Kernels written by hand, as the macro would.

use ringwood_base::registry::{Entry, EntryMeta};
use ringwood_base::{DType, Error, Result, Scalar, ScalarType};
use ringwood_device::kernel::{
    Form, Instance, KernelDef, Native, NativeArg, NativeFn, NativeLaunch, NativeSlice, Param,
    ParamKind,
};
use std::ops::Range;

const DEVICES: &[&str] = &["toy", "shared"];
const FILE: &str = "kernels.rs";

const fn read(name: &'static str) -> Param {
    Param { name, kind: ParamKind::Slice { dtype: DType::F32, mutable: false } }
}

const fn write(name: &'static str) -> Param {
    Param { name, kind: ParamKind::Slice { dtype: DType::F32, mutable: true } }
}

const fn scalar(name: &'static str, scalar: ScalarType) -> Param {
    Param { name, kind: ParamKind::Scalar(scalar) }
}

const fn instance(params: &'static [Param], native: NativeFn) -> Instance {
    let native = Some(Native::new(native));
    Instance { native, rank: 1, ..Instance::new(params) }
}

const fn meta(name: &'static str) -> EntryMeta<'static> {
    EntryMeta { package: "tests", name, module_path: "kernels", file: FILE, line: 1 }
}

const fn def(name: &'static str, form: Form, instances: &'static [Instance]) -> KernelDef {
    KernelDef { meta: meta(name), form, devices: DEVICES, instances }
}

/// `out = x + y`, broadcast.
pub(crate) static ADD: KernelDef =
    def("add", Form::Map, &[instance(&[read("x"), read("y"), write("out")], add)]);
/// `y = a * x + y`.
pub(crate) static SAXPY: KernelDef = def(
    "saxpy",
    Form::Grid,
    &[instance(&[scalar("a", ScalarType::F32), read("x"), write("y")], saxpy)],
);
/// `y *= a`
pub(crate) static SCALE: KernelDef =
    def("scale", Form::Grid, &[instance(&[scalar("a", ScalarType::F32), write("y")], scale)]);
/// `y[i] = y[i] * 10 + at`: the digits of `y` are the order of the launches.
pub(crate) static APPEND: KernelDef =
    def("append", Form::Grid, &[instance(&[scalar("at", ScalarType::Usize), write("y")], append)]);
/// Logs the first element of `y`.
pub(crate) static LOG: KernelDef =
    def("log", Form::Host, &[instance(&[scalar("log", ScalarType::U64), write("y")], log)]);
/// Fails with "on purpose".
pub(crate) static FAIL: KernelDef = def("fail", Form::Host, &[instance(&[write("y")], fail)]);
/// Panics with "boom".
pub(crate) static PANIC: KernelDef = def("panic", Form::Host, &[instance(&[write("y")], panic)]);
/// Does nothing.
pub(crate) static COUNTED: KernelDef =
    def("counted", Form::Host, &[instance(&[write("y")], |_, _| Ok(()))]);
/// Has no code that a toy device could run.
pub(crate) static OPAQUE: KernelDef =
    def("opaque", Form::Host, &[Instance { native: None, ..instance(&[write("y")], fail) }]);
/// Only for devices that do not exist.
pub(crate) static ELSEWHERE: KernelDef = KernelDef {
    meta: meta("elsewhere"),
    form: Form::Host,
    devices: &["moon", "mars"],
    instances: &[instance(&[write("y")], fail)],
};

pub(crate) const fn entry(def: &'static KernelDef) -> Entry {
    Entry::new(def.meta, def)
}

fn slice<'a>(launch: &NativeLaunch<'a>, i: usize) -> NativeSlice<'a> {
    match launch.args()[i] {
        NativeArg::Slice(slice) => slice,
        NativeArg::Scalar(_) | NativeArg::View(..) => panic!("argument {i} is no slice"),
    }
}

/// The address of the element of `slice` at the linear index `i` of the domain.
fn at(launch: &NativeLaunch<'_>, slice: NativeSlice<'_>, i: usize) -> *mut f32 {
    let domain = launch.domain();
    let own = match slice.strides() {
        None => i,
        Some(strides) => {
            let (mut rest, mut own) = (i, 0);
            for (extent, stride) in domain.iter().zip(strides).rev() {
                own += rest % extent * stride;
                rest /= extent;
            }
            own
        }
    };
    assert!((own + 1) * 4 <= slice.bytes(), "element {own} of {} bytes", slice.bytes());
    // SAFETY: the element lies in the slice, as was just checked.
    unsafe { slice.data().cast::<f32>().as_ptr().add(own) }
}

fn load(launch: &NativeLaunch<'_>, arg: usize, i: usize) -> f32 {
    // SAFETY: `at` checks the bounds; the backend promises memory that is valid to read.
    unsafe { at(launch, slice(launch, arg), i).read() }
}

fn store(launch: &NativeLaunch<'_>, arg: usize, i: usize, value: f32) {
    // SAFETY: `at` checks the bounds; the backend promises that a mutable parameter is ours.
    unsafe { at(launch, slice(launch, arg), i).write(value) }
}

fn add(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    for i in range {
        store(launch, 2, i, load(launch, 0, i) + load(launch, 1, i));
    }
    Ok(())
}

fn saxpy(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    let NativeArg::Scalar(Scalar::F32(a)) = launch.args()[0] else { panic!("`a` is not f32") };
    for i in range {
        store(launch, 2, i, a * load(launch, 1, i) + load(launch, 2, i));
    }
    Ok(())
}

fn scale(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    let NativeArg::Scalar(Scalar::F32(a)) = launch.args()[0] else { panic!("`a` is not f32") };
    for i in range {
        store(launch, 1, i, a * load(launch, 1, i));
    }
    Ok(())
}

fn append(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    let NativeArg::Scalar(Scalar::Usize(digit)) = launch.args()[0] else { panic!("not usize") };
    for i in range {
        store(launch, 1, i, load(launch, 1, i) * 10.0 + digit as f32);
    }
    Ok(())
}

fn log(launch: &NativeLaunch<'_>, _: Range<usize>) -> Result<()> {
    let NativeArg::Scalar(Scalar::U64(number)) = launch.args()[0] else { panic!("not u64") };
    ringwood_device::device::log(number, format_args!("y[0] is {}", load(launch, 1, 0)))
}

fn fail(_: &NativeLaunch<'_>, _: Range<usize>) -> Result<()> {
    Err(Error::backend("on purpose"))
}

fn panic(_: &NativeLaunch<'_>, _: Range<usize>) -> Result<()> {
    panic!("boom")
}
