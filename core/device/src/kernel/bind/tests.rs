//! What the parameters of printed kernels are set to.

use super::*;
use crate::kernel::{Code, Form, Kernel, KernelSpec, Param, ParamKind};
use ringwood_base::{Result, ScalarType, Shape};
use ringwood_ir::print::slots;

const SCALE: &str = "kir2 scale 1 - 0 2 a s f32 y m f32 0 0 0 1 > bool:0 len usize:0 p1 i usize:0 2 1 \
    st p1 1 1 gid usize:2 0 p f32:3 0 void";
const SUM: &str = "kir2 sum 0 - 0 2 a s f32 b s f32 0 0 0 0 0 + f32:0 p f32:0 0 p f32:0 1";

const fn param(name: &'static str, mutable: bool) -> Param {
    Param { name, kind: ParamKind::Slice { dtype: DType::F32, mutable } }
}

const A: Param = Param { name: "a", kind: ParamKind::Scalar(ScalarType::F32) };

fn slice<'a>(elements: usize, strides: Option<&'a [usize]>) -> Arg<'a, ()> {
    let region = Region { memory: &(), offset: 8, bytes: elements * 4 };
    Arg::Slice { region, strides }
}

/// As [`slice`], of another memory.
fn result<'a>(elements: usize) -> Arg<'a, ()> {
    let region = Region { memory: &(), offset: 1024, bytes: elements * 4 };
    Arg::Slice { region, strides: None }
}

fn kernel(ir: &str) -> (Portable, Code<()>) {
    let sum = [param("a", false), param("b", false), param("result", true)];
    let (form, params) = match ir {
        SUM => (Form::Map, &sum[..]),
        _ => (Form::Grid, &[A, param("y", true)][..]),
    };
    let spec = KernelSpec { ir: Some(ir), ..KernelSpec::new("probe", form, params) };
    (Portable::new(&spec).unwrap(), Code::new(Kernel::from(&spec), ()).unwrap())
}

fn words(ir: &str, domain: Shape, args: &[Arg<'_, ()>]) -> Result<Vec<String>> {
    let (portable, code) = kernel(ir);
    let launch = code.launch(domain, args.iter().copied())?;
    let bound = BoundLaunch::new(&portable, &launch);
    let word = |slot: &Slot| match bound.value(*slot) {
        Bound::Memory(()) | Bound::Start(_) => "memory".to_owned(),
        Bound::Fault => "fault".to_owned(),
        Bound::Word(word) => format!("{word:x}"),
        Bound::DoubleWord(word) => word.to_string(),
    };
    Ok(slots(portable.ir(), &bound.options()).iter().map(word).collect())
}

#[test]
fn every_parameter_of_a_grid_kernel_gets_its_value() {
    let args = [Arg::Scalar(Scalar::F32(1.0)), slice(5, None)];
    let expected = ["3f800000", "memory", "2", "5", "6", "fault"];
    assert_eq!(words(SCALE, Shape::vector(6), &args).unwrap(), expected);
    let (portable, code) = kernel(SCALE);
    let launch = code.launch(Shape::vector(6), args).unwrap();
    assert_eq!(BoundLaunch::new(&portable, &launch).items(), [6, 1, 1]);
}

#[test]
fn a_launch_that_is_proved_needs_no_checks() {
    let (portable, code) = kernel(SCALE);
    let args = [Arg::Scalar(Scalar::F32(1.0)), slice(5, None)];
    let checked = |points| {
        let launch = code.launch(Shape::vector(points), args).unwrap();
        let options = BoundLaunch::new(&portable, &launch).options();
        (options.checked, options.narrow)
    };
    assert_eq!([checked(5), checked(6)], [(false, true), (true, false)]);
    let expected = ["3f800000", "memory", "2", "5", "5"];
    assert_eq!(words(SCALE, Shape::vector(5), &args).unwrap(), expected);
}

#[test]
fn a_map_gets_the_layout_of_its_arguments() {
    let domain = Shape::new(&[2, 3]).unwrap();
    let args = [slice(6, None), slice(1, Some(&[0, 0])), result(6)];
    let expected = ["memory", "2", "memory", "2", "memory", "256", "6"];
    assert_eq!(words(SUM, domain, &args).unwrap(), expected);
    let args = [slice(6, None), slice(3, Some(&[0, 1])), result(6)];
    assert_eq!(words(SUM, domain, &args).unwrap().len(), 14);
}
