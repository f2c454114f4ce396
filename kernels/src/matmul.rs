//! Products of matrices: native code on the CPU, tiles on other devices.
//!
//! The additions of an element have one order, whatever computes it and beside which others: the numerics
//! guide, `docs/numerics.md`, says which. So the bits depend neither on the device nor on the number of
//! threads, and a row of a product has those of the same row alone.

mod batched;
mod packed;
pub(crate) mod product;
mod tiled;

pub use batched::*;
pub use packed::*;
pub use tiled::{matmul_nt_tiled, matmul_tiled, matmul_tn_tiled};

use crate::formula::gradient;
use product::{Lines, product};
use ringwood_device::kernel;
use ringwood_graph::register_operator;

/// `c = a b`: `m` by `k` times `k` by `n`.
#[kernel(host, T in [f32, f64], device = cpu)]
pub fn matmul<T: product::Float>(a: &[T], b: &[T], c: &mut [T], m: usize, k: usize, n: usize) {
    product(Lines::rows(a, m, k), Lines::columns(b, n, k), c);
}

register_operator! {
    /// The product of two matrices.
    pub Matmul = matmul;
    shape: "m k, k n -> m n",
    dtype: "F, F -> F",
    gradient: |c| gradient(c, |[a, b], _, g| {
        [a.gets(g.apply("matmul_nt", [b])), b.gets(a.apply("matmul_tn", [g]))]
    }),
}

/// `c = aᵀ b`, with `a` stored as `k` by `m`.
#[kernel(host, T in [f32, f64], device = cpu)]
pub fn matmul_tn<T: product::Float>(a: &[T], b: &[T], c: &mut [T], m: usize, k: usize, n: usize) {
    product(Lines::columns(a, m, k), Lines::columns(b, n, k), c);
}

register_operator! {
    /// The product of two matrices, the first of them transposed.
    pub MatmulTn = matmul_tn;
    shape: "k m, k n -> m n",
    dtype: "F, F -> F",
    gradient: |c| gradient(c, |[a, b], _, g| {
        [a.gets(b.apply("matmul_nt", [g])), b.gets(a.apply("matmul", [g]))]
    }),
}

/// `c = a bᵀ`, with `b` stored as `n` by `k`.
#[kernel(host, T in [f32, f64], device = cpu)]
pub fn matmul_nt<T: product::Float>(a: &[T], b: &[T], c: &mut [T], m: usize, k: usize, n: usize) {
    product(Lines::rows(a, m, k), Lines::rows(b, n, k), c);
}

register_operator! {
    /// The product of two matrices, the second of them transposed.
    pub MatmulNt = matmul_nt;
    shape: "m k, n k -> m n",
    dtype: "F, F -> F",
    gradient: |c| gradient(c, |[a, b], _, g| {
        [a.gets(g.apply("matmul", [b])), b.gets(g.apply("matmul_tn", [a]))]
    }),
}
