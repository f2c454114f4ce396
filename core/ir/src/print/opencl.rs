//! OpenCL C 1.2.

use super::{Dialect, Facts};

/// OpenCL C 1.2.
pub static OPENCL: Dialect = Dialect {
    name: "opencl",
    header: "#pragma OPENCL FP_CONTRACT OFF\n",
    double: "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n",
    wide_atomics: "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
",
    group: "__kernel __attribute__((reqd_work_group_size($X, $Y, $Z))) void",
    closing: "",
    single: "",
    words: &[
        ("bool", "bool"),
        ("u8", "uchar"),
        ("i8", "char"),
        ("i16", "short"),
        ("u16", "ushort"),
        ("i32", "int"),
        ("u32", "uint"),
        ("i64", "long"),
        ("u64", "ulong"),
        ("usize", "ulong"),
        ("f32", "float"),
        ("f16", "float"),
        ("bf16", "float"),
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
        ("lane0", "get_local_id(0)"),
        ("lane1", "get_local_id(1)"),
        ("lane2", "get_local_id(2)"),
        ("group0", "get_group_id(0)"),
        ("group1", "get_group_id(1)"),
        ("group2", "get_group_id(2)"),
        ("shared", "__local"),
        ("shared_data", "__local"),
        ("meet", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"),
        ("atomic_add32", "atomic_add"),
        ("atomic_and32", "atomic_and"),
        ("atomic_or32", "atomic_or"),
        ("atomic_xor32", "atomic_xor"),
        ("atomic_min32", "atomic_min"),
        ("atomic_max32", "atomic_max"),
        ("atomic_exchange32", "atomic_xchg"),
        ("atomic_add64", "atom_add"),
        ("atomic_and64", "atom_and"),
        ("atomic_or64", "atom_or"),
        ("atomic_xor64", "atom_xor"),
        ("atomic_min64", "atom_min"),
        ("atomic_max64", "atom_max"),
        ("atomic_exchange64", "atom_xchg"),
        ("atomic_cas64", "atom_cmpxchg"),
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
