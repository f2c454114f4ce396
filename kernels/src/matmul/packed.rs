//! Products with weights: packed once, when they are given, and what follows a product in the same launch.

use super::product::{Finish, Float, Lines, product, product_then};
use ringwood_device::kernel;
use ringwood_graph::register_operator;

/// The columns of `b`, `k` by `n`, in panels: as products on this processor read them.
#[kernel(host, T in [f32, f64], device = cpu)]
pub fn matmul_pack<T: Float>(b: &[T], packed: &mut [T], k: usize, n: usize) {
    Lines::columns(b, n, k).pack_all(packed);
}

register_operator! {
    /// The second factor of `matmul_packed`.
    pub MatmulPack = matmul_pack;
    shape: "k n -> k n",
    dtype: "F -> F",
}

/// As [`matmul_pack()`], with `b` stored as `n` by `k`.
#[kernel(host, T in [f32, f64], device = cpu)]
pub fn matmul_pack_nt<T: Float>(b: &[T], packed: &mut [T], k: usize, n: usize) {
    Lines::rows(b, n, k).pack_all(packed);
}

register_operator! {
    /// The second factor of `matmul_packed`, of its transpose.
    pub MatmulPackNt = matmul_pack_nt;
    shape: "n k -> k n",
    dtype: "F -> F",
}

/// The product of a matrix and one that `matmul_pack` packed.
#[kernel(host, T in [f32, f64], device = cpu)]
pub fn matmul_packed<T: Float>(a: &[T], packed: &[T], c: &mut [T], m: usize, k: usize, n: usize) {
    product(Lines::rows(a, m, k), Lines::packed(packed, n, k), c);
}

register_operator! {
    /// The product of a matrix and one that `matmul_pack` packed.
    pub MatmulPacked = matmul_packed;
    shape: "m k, k n -> m n",
    dtype: "F, F -> F",
    computes: ["(x, matmul_pack(w)) = matmul(x, w)", "(x, matmul_pack_nt(w)) = matmul_nt(x, w)"],
}

/// As [`matmul_packed()`], with `bias` added to each row.
#[kernel(host, T in [f32, f64], device = cpu)]
pub fn matmul_add<T: Float>(
    a: &[T],
    packed: &[T],
    bias: &[T],
    c: &mut [T],
    m: usize,
    k: usize,
    n: usize,
) {
    let finish = Finish { bias: Some(bias), relu: false };
    product_then(Lines::rows(a, m, k), Lines::packed(packed, n, k), c, finish);
}

register_operator! {
    /// `matmul_packed`, and a vector added to each row.
    pub MatmulAdd = matmul_add;
    shape: "m k, k n, n -> m n",
    dtype: "F, F, F -> F",
    computes: [
        "(x, p, b) = add(matmul_packed(x, p), b)",
        "(x, p, b) = add(b, matmul_packed(x, p))",
    ],
}

/// As [`matmul_add()`], and 0 where that is negative.
#[kernel(host, T in [f32, f64], device = cpu)]
pub fn matmul_add_relu<T: Float>(
    a: &[T],
    packed: &[T],
    bias: &[T],
    c: &mut [T],
    m: usize,
    k: usize,
    n: usize,
) {
    let finish = Finish { bias: Some(bias), relu: true };
    product_then(Lines::rows(a, m, k), Lines::packed(packed, n, k), c, finish);
}

register_operator! {
    /// `relu` of `matmul_add`.
    pub MatmulAddRelu = matmul_add_relu;
    shape: "m k, k n, n -> m n",
    dtype: "F, F, F -> F",
    computes: ["(x, p, b) = relu(matmul_add(x, p, b))"],
}
