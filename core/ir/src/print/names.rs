//! Names of the user in the text.
//!
//! A parameter `x` becomes `x_`, a later one of the same name `k_p` with its index, a variable `i`
//! becomes `i_0`, an array `t` becomes `t_0_a`, a kernel `f` becomes `f_kernel` and `f_map`, a function
//! `f` becomes `f_function`. Internal names start with `k_` and end neither in `_` nor in `_` and
//! digits, nor in `_`, digits and `_a`, and no keyword does either, so that no name of the user meets
//! one.

use crate::{Buffer, Kernel};

/// The name, if C can have it: macros of C have capital letters.
fn plain(name: &str) -> Option<&str> {
    let starts = name.starts_with(|c: char| c.is_ascii_lowercase());
    let rest = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    (starts && name.len() <= 40 && name.chars().all(rest)).then_some(name)
}

/// What the names of a kernel start with.
pub(super) fn base(name: &str) -> String {
    plain(name).unwrap_or("unnamed").to_owned()
}

pub(super) fn param(kernel: &Kernel, index: usize) -> String {
    let Some(param) = kernel.params.get(index) else { return "k_result".to_owned() };
    let first = kernel.params[..index].iter().all(|other| other.name != param.name);
    match plain(&param.name).filter(|_| first) {
        Some(name) => format!("{name}_"),
        None => format!("k_p{index}"),
    }
}

pub(super) fn variable(kernel: &Kernel, index: u32) -> String {
    let name = kernel.vars.get(index as usize).and_then(|v| plain(&v.name));
    format!("{}_{index}", name.unwrap_or("v"))
}

pub(super) fn buffer(kernel: &Kernel, buffer: Buffer) -> String {
    match buffer {
        Buffer::Param(index) => param(kernel, index as usize),
        Buffer::Array(index) => {
            let name = kernel.arrays.get(index as usize).and_then(|a| plain(&a.name));
            format!("{}_{index}_a", name.unwrap_or("k"))
        }
    }
}
