//! Names that people bring from Rust's library, from C, CUDA and OpenCL, and what kernels say instead.

use crate::text::text;
use ringwood_ir::MathFn;

/// Functions and values, as written, and what stands for them.
const WORDS: &[(&str, &str)] = &[
    ("__syncthreads", "`barrier();`"),
    ("syncthreads", "`barrier();`"),
    ("get_global_id", "`gid(d)`"),
    ("get_group_id", "`grp(d)`"),
    ("get_local_id", "`lid(d)`"),
    ("get_num_groups", "`groups(d)`"),
    ("blockIdx", "`grp(0)` for `blockIdx.x`, `grp(1)` for `blockIdx.y`"),
    ("threadIdx", "`lid(0)` for `threadIdx.x`, `lid(1)` for `threadIdx.y`"),
    ("blockDim", "the size of the group, which `group = …` declares"),
    ("gridDim", "`groups(0)` for `gridDim.x`, `groups(1)` for `gridDim.y`"),
    ("atomicAdd", "`atomic_add(&mut y[i], value);`"),
    ("group_any", "`group_max(…)` of 0 and 1"),
    ("group_all", "`group_min(…)` of 0 and 1"),
    ("swap", "`(a, b) = (b, a);`"),
    ("mem::swap", "`(a, b) = (b, a);`"),
    ("std::mem::swap", "`(a, b) = (b, a);`"),
];

/// What kernels say for a name of another language; a math function is a method of its first argument.
/// A device function with the name of a method is called by its path.
pub(super) fn translation(function: &syn::Path) -> Option<String> {
    let name = text(function);
    if let Some((_, instead)) = WORDS.iter().find(|(word, _)| *word == name) {
        return Some(format!("write {instead}"));
    }
    let plain = ["std::cmp::", "core::cmp::", "cmp::"].iter().find_map(|p| name.strip_prefix(p));
    let plain = plain.unwrap_or(&name);
    let method = match plain {
        "fmax" | "fmaxf" => "max",
        "fmin" | "fminf" => "min",
        "fabs" | "fabsf" => "abs",
        "pow" | "powf" => "powf",
        "fma" | "fmaf" => "mul_add",
        "log" | "logf" => "ln",
        _ => MathFn::parse(plain).or_else(|| MathFn::parse(plain.strip_suffix('f')?))?.name(),
    };
    Some(match MathFn::parse(method).filter(|f| *f != MathFn::FromBits)?.arity() {
        1 => format!("it is a method: `x.{method}()`"),
        _ => format!("it is a method: `x.{method}(y)`"),
    })
}
