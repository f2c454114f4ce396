//! OpenCL C 1.2.

use super::{Dialect, Facts};

/// OpenCL C 1.2.
pub static OPENCL: Dialect = Dialect {
    name: "opencl",
    header: "#pragma OPENCL FP_CONTRACT OFF\n",
    double: "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n",
    words: &[
        ("bool", "bool"),
        ("i32", "int"),
        ("u32", "uint"),
        ("i64", "long"),
        ("u64", "ulong"),
        ("usize", "ulong"),
        ("f32", "float"),
        ("f64", "double"),
        ("kernel", "__kernel void"),
        ("fn", "static inline"),
        ("global", "__global"),
        ("restrict", "restrict"),
        ("item0", "get_global_id(0)"),
        ("item1", "get_global_id(1)"),
        ("item2", "get_global_id(2)"),
        ("items0", "get_global_size(0)"),
        ("items1", "get_global_size(1)"),
        ("items2", "get_global_size(2)"),
        ("cas", "atomic_cmpxchg"),
        ("bits_f32", "as_uint"),
        ("f32_of", "as_float"),
        ("bits_f64", "as_ulong"),
        ("f64_of", "as_double"),
        ("abs_f32", "fabs"),
        ("abs_f64", "fabs"),
        ("sqrt_f32", "sqrt"),
        ("sqrt_f64", "sqrt"),
        ("rem_f32", "fmod"),
        ("rem_f64", "fmod"),
        ("mul_add_f32", "fma"),
        ("mul_add_f64", "fma"),
    ],
    flags,
};

fn flags(facts: &Facts) -> Vec<&'static str> {
    // Warnings are about style, such as parentheses, and PoCL counts them on standard error.
    let mut flags = vec!["-cl-std=CL1.2", "-w"];
    if facts.rounds_division {
        flags.push("-cl-fp32-correctly-rounded-divide-sqrt");
    }
    flags
}
