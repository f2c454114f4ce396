use super::*;
use crate::kernel::Form;

fn spec(ir: Option<&'static str>) -> KernelSpec<'static> {
    KernelSpec { ir, ..KernelSpec::new("double", Form::Map, &[]) }
}

#[test]
fn a_kernel_has_a_text_for_every_target() {
    let spec = spec(Some("kir2 double 0 - 0 1 x s f32 0 0 0 0 0 + f32:2 p f32:0 0 p f32:1 0"));
    let none = Registry::default();
    let texts: Vec<_> = emit_targets(&none).map(|t| (t, emit(&none, &spec, t).unwrap())).collect();
    assert!(texts[0].1.contains("(x + x)"));
    assert!(texts[1].1.contains("has no native code") && texts[1].1.contains("(x + x)"));
    let text = |target| &texts.iter().find(|(t, _)| *t == target).unwrap().1;
    assert!(text("opencl").contains("__kernel void double_kernel("));
    assert!(text("cuda").contains("__global__ void double_kernel("));
}

#[test]
fn what_cannot_be_printed_says_why() {
    let emit = |spec, target| emit(&Registry::default(), &spec, target);
    let error = emit(spec(None), "cuda").unwrap_err().to_string();
    assert!(error.contains("not portable"), "{error}");
    let error = emit(spec(None), "fortran").unwrap_err().to_string();
    assert!(error.contains("known: ir, cpu, opencl, cuda"), "{error}");
    assert!(emit(spec(Some("kir2 x")), "ir").unwrap_err().to_string().contains("malformed"));
}
