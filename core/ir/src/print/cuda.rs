//! CUDA C, as NVRTC compiles it.

use super::{Dialect, Facts};

/// CUDA C, as NVRTC compiles it.
pub static CUDA: Dialect = Dialect {
    name: "cuda",
    header: "",
    double: "",
    words: &[
        ("bool", "bool"),
        ("i32", "int"),
        ("u32", "unsigned int"),
        ("i64", "long long"),
        ("u64", "unsigned long long"),
        ("usize", "unsigned long long"),
        ("f32", "float"),
        ("f64", "double"),
        ("kernel", "extern \"C\" __global__ void"),
        ("fn", "static __device__ inline"),
        ("global", ""),
        ("restrict", "__restrict__"),
        ("item0", "((unsigned long long)blockIdx.x * blockDim.x + threadIdx.x)"),
        ("item1", "((unsigned long long)blockIdx.y * blockDim.y + threadIdx.y)"),
        ("item2", "((unsigned long long)blockIdx.z * blockDim.z + threadIdx.z)"),
        ("items0", "(unsigned long long)gridDim.x * blockDim.x"),
        ("items1", "(unsigned long long)gridDim.y * blockDim.y"),
        ("items2", "(unsigned long long)gridDim.z * blockDim.z"),
        ("cas", "atomicCAS"),
        ("bits_f32", "__float_as_uint"),
        ("f32_of", "__uint_as_float"),
        ("bits_f64", "(unsigned long long)__double_as_longlong"),
        ("f64_of", "__longlong_as_double"),
        ("abs_f32", "fabsf"),
        ("abs_f64", "fabs"),
        ("sqrt_f32", "__fsqrt_rn"),
        ("sqrt_f64", "__dsqrt_rn"),
        ("rem_f32", "fmodf"),
        ("rem_f64", "fmod"),
        ("mul_add_f32", "__fmaf_rn"),
        ("mul_add_f64", "__fma_rn"),
    ],
    flags: |_: &Facts| vec!["--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false"],
};
