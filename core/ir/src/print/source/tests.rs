use super::*;
use crate::print::{CUDA, OPENCL};

fn kernel(text: &str) -> Kernel {
    crate::decode(text).unwrap()
}

fn printed(dialect: &Dialect) -> Printed {
    let kernel = kernel("kir2 scale_4 2 - 0 4 a s f64 b s bool x c f16 y m f16 0 0 0 0 0 void");
    let names = [("T", "f16"), ("WIDE", "-4")];
    let (text, file) = ("body", "src/scale \"a\".c");
    let source = Source { text, entry: "scale", file, line: 7, names: &names };
    print_source(&kernel, &source, dialect)
}

#[test]
fn a_text_comes_with_its_names_a_prototype_and_its_place() {
    let cuda = printed(&CUDA);
    assert_eq!(
        cuda.source,
        "typedef unsigned short T;\n#define WIDE -4\nextern \"C\" __global__ void scale(double a_, \
         unsigned int b_, const unsigned short* __restrict__ x_, unsigned long long k_len2, \
         unsigned short* __restrict__ y_, unsigned long long k_len3, unsigned long long k_extent0, \
         unsigned long long k_extent1);\n#line 7 \"src/scale _a_.c\"\nbody\n\
         #line 1 \"<declaration>\"\ntypedef decltype(&scale) k_declared;\n"
    );
    let opencl = printed(&OPENCL).source;
    assert!(
        opencl.starts_with("#pragma OPENCL FP_CONTRACT OFF\n#pragma OPENCL EXTENSION cl_khr_fp64")
    );
    assert!(
        opencl
            .contains("__kernel void scale(double a_, uint b_, __global const ushort* restrict x_")
    );
}

#[test]
fn a_group_kernel_takes_no_extents() {
    let grid = kernel("kir2 zero 1 - 0 1 y m f32 0 0 0 0 0 void");
    let group = kernel("kir2 zero 1 - 3 8 1 1 1 y m f32 0 0 0 0 0 void");
    assert!(matches!(
        source_slots(&grid)[..],
        [Slot::Start { .. }, Slot::Len { .. }, Slot::Extent { dim: 0 }]
    ));
    assert!(matches!(source_slots(&group)[..], [Slot::Start { .. }, Slot::Len { .. }]));
}
