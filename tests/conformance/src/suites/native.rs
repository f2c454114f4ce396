//! Kernels of the suite, as native code; where that is possible, as IR too.

use ringwood_base::{DType, Element, Result, Scalar, ScalarType, StridedShape};
use ringwood_device::kernel::{
    Form, KernelSpec, Native, NativeArg, NativeFn, NativeLaunch, NativeSlice, Param, ParamKind,
};
use std::ops::Range;
use std::time::Duration;

const fn slice(name: &'static str, dtype: DType, mutable: bool) -> Param {
    Param { name, kind: ParamKind::Slice { dtype, mutable } }
}

const fn view(name: &'static str, mutable: bool) -> Param {
    Param { name, kind: ParamKind::View { dtype: DType::U32, rank: 2, mutable } }
}

const A: Param = Param { name: "a", kind: ParamKind::Scalar(ScalarType::U32) };
const Y: Param = slice("y", DType::U32, true);

const fn spec(
    name: &'static str,
    form: Form,
    params: &'static [Param],
    native: NativeFn,
) -> KernelSpec<'static> {
    let native = Some(Native::new(native));
    KernelSpec { native, ..KernelSpec::new(name, form, params) }
}

/// `y[i] = i + a`; as IR, over a domain of rank 1.
pub(super) const INDEX: KernelSpec<'static> = KernelSpec {
    ir: Some(
        "kir2 index 1 - 0 2 a s u32 y m u32 0 0 0 0 1 \
         st p1 0 1 gid usize:0 0 + u32:0 as u32:0 gid usize:0 0 p u32:0 0 void",
    ),
    ..spec("index", Form::Grid, &[A, Y], index)
};
/// `y[[i, j]] = 3 x[[j, i]]`, where `x` and `y` are views of rank 2.
pub(super) const TURN: KernelSpec<'static> = KernelSpec {
    ir: Some(
        "kir2 turn 2 - 0 2 x vc u32 2 y vm u32 2 0 0 0 0 1 \
         st p1 0 2 gid usize:0 1 gid usize:0 0 \
         * u32:0 ld u32:0 p0 2 gid usize:0 0 gid usize:0 1 i u32:0 3 void",
    ),
    ..spec("turn", Form::Grid, &[view("x", false), view("y", true)], turn)
};
/// `y[i] = 10 y[i] + a`: the digits of an element are the order of the launches.
pub(super) const APPEND: KernelSpec<'static> = KernelSpec {
    ir: Some(
        "kir2 append 1 - 0 2 a s u32 y m u32 0 0 0 0 1 st p1 0 1 gid usize:0 0 \
         + u32:0 * u32:0 ld u32:0 p1 1 gid usize:0 0 i u32:0 10 p u32:0 0 void",
    ),
    ..spec("append", Form::Grid, &[A, Y], append)
};
/// `y[i] = x[i]`, and requires that both have one length.
pub(super) const PAIRED: KernelSpec<'static> = KernelSpec {
    ir: Some(
        "kir2 paired 1 - 0 2 x c u32 y m u32 0 0 0 1 == bool:0 len usize:0 p0 len usize:0 p1 1 \
         st p1 0 1 gid usize:0 0 ld u32:0 p0 1 gid usize:0 0 void",
    ),
    file: file!(),
    line: line!(),
    ..spec("paired", Form::Grid, &[slice("x", DType::U32, false), Y], paired)
};
/// `y[0] += 1`, once for each launch.
pub(super) const COUNT: KernelSpec<'static> = spec("count", Form::Host, &[Y], count);
/// Panics.
pub(super) const PANIC: KernelSpec<'static> = spec("panics", Form::Grid, &[Y], panics);
/// Records an access out of bounds; as IR, `y[i] = y[17]`.
pub(super) const FAULT: KernelSpec<'static> = KernelSpec {
    ir: Some(
        "kir2 faults 1 - 0 1 y m u32 0 0 0 0 1 st p0 0 1 gid usize:0 0 ld u32:0 p0 1 i usize:0 17 void",
    ),
    ..spec("faults", Form::Grid, &[Y], faults)
};
/// Sleeps for a millisecond.
pub(super) const SLEEP: KernelSpec<'static> = spec("sleeps", Form::Host, &[Y], sleeps);

/// The IR of [`INDEX`] for a domain of rank 1 to 3: the items in row-major order.
pub(super) fn index_ir(domain: &[usize]) -> Option<String> {
    let ((_, inner), true) = (domain.split_first()?, domain.len() <= 3) else { return None };
    let mut item = format!("gid usize:0 {}", inner.len());
    for (d, extent) in inner.iter().rev().enumerate().rev() {
        item = format!("+ usize:0 gid usize:0 {d} * usize:0 i usize:0 {extent} {item}");
    }
    let rank = domain.len();
    Some(format!(
        "kir2 index {rank} - 0 2 a s u32 y m u32 0 0 0 0 1 \
         st p1 0 1 {item} + u32:0 as u32:0 {item} p u32:0 0 void"
    ))
}

fn index(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    let NativeArg::Scalar(Scalar::U32(a)) = launch.args()[0] else { unreachable!("a u32") };
    let y = slice_of(launch, 1);
    for i in range {
        store(&y, i, (i as u32).wrapping_add(a));
    }
    Ok(())
}

fn turn(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    let (NativeArg::View(x, from), NativeArg::View(y, to)) = (launch.args()[0], launch.args()[1])
    else {
        unreachable!("two views")
    };
    let at = |shape: &StridedShape, i, j| i * shape.strides()[0] + j * shape.strides()[1];
    for item in range {
        let (i, j) = (item / launch.domain()[1], item % launch.domain()[1]);
        store(&y, at(to, i, j), 3 * load::<u32>(&x, at(from, j, i)));
    }
    Ok(())
}

fn append(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    let NativeArg::Scalar(Scalar::U32(a)) = launch.args()[0] else { unreachable!("a u32") };
    let y = slice_of(launch, 1);
    for i in range {
        store(&y, i, load::<u32>(&y, i).wrapping_mul(10).wrapping_add(a));
    }
    Ok(())
}

fn paired(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    let (x, y) = (slice_of(launch, 0), slice_of(launch, 1));
    for i in range {
        store(&y, i, load::<u32>(&x, i));
    }
    Ok(())
}

fn count(launch: &NativeLaunch<'_>, _: Range<usize>) -> Result<()> {
    let y = slice_of(launch, 0);
    store(&y, 0, load::<u32>(&y, 0) + 1);
    Ok(())
}

/// Without the panic hook's message, which would be taken for a failure of the suite.
fn panics(_: &NativeLaunch<'_>, _: Range<usize>) -> Result<()> {
    std::panic::resume_unwind(Box::new("asked to"))
}

fn faults(launch: &NativeLaunch<'_>, _: Range<usize>) -> Result<()> {
    launch.fault().record(0, 17, 4);
    Ok(())
}

fn sleeps(_: &NativeLaunch<'_>, _: Range<usize>) -> Result<()> {
    std::thread::sleep(Duration::from_millis(1));
    Ok(())
}

fn slice_of<'a>(launch: &NativeLaunch<'a>, i: usize) -> NativeSlice<'a> {
    match launch.args()[i] {
        NativeArg::Slice(slice) => slice,
        NativeArg::Scalar(_) | NativeArg::View(..) => unreachable!("parameter {i} is a slice"),
    }
}

fn load<T: Element>(slice: &NativeSlice<'_>, i: usize) -> T {
    assert!(i < slice.bytes() / size_of::<T>());
    // SAFETY: inside of the slice, aligned for the type; no one else writes the element now, since
    // the kernels here write only the element of their own work-item.
    unsafe { slice.data().cast::<T>().add(i).read() }
}

fn store<T: Element>(slice: &NativeSlice<'_>, i: usize, value: T) {
    assert!(i < slice.bytes() / size_of::<T>());
    // SAFETY: as for `load`; the slice is that of a mutable parameter.
    unsafe { slice.data().cast::<T>().add(i).write(value) }
}
