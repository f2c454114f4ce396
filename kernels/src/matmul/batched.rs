//! Products of batches of matrices, read at steps: a transposed or repeated operand is not copied.

use super::product::{Float, Lines, each, product, threads};
use crate::composed::{composed, widened};
use crate::formula::gradient;
use ringwood_base::{DType, Error, Result, Shape};
use ringwood_device::kernel;
use ringwood_device::kernel::View;
use ringwood_graph::compose::{Call, v};
use ringwood_graph::graph::Value;
use ringwood_graph::register_operator;

/// The product of each of `p` by `q` pairs of matrices, in the order of additions of `matmul`.
#[kernel(host, T in [f32, f64], device = cpu)]
pub fn matmul_batch<T: Float>(
    a: View<T, 4>,
    b: View<T, 4>,
    c: &mut [T],
    q: usize,
    m: usize,
    k: usize,
    n: usize,
) {
    if c.is_empty() || k == 0 {
        return c.fill(T::ZERO);
    }
    let rows = |i: usize| {
        let elements = &a.elements()[(i / q) * a.step(0) + (i % q) * a.step(1)..];
        Lines::at(elements, [m, k], [a.step(2), a.step(3)])
    };
    let columns = |i: usize| {
        let elements = &b.elements()[(i / q) * b.step(0) + (i % q) * b.step(1)..];
        Lines::at(elements, [n, k], [b.step(3), b.step(2)])
    };
    let batch = c.len() / (m * n);
    let threads = threads(batch * m, k, n);
    // Several pieces for a thread, as threads need not be equally fast; few, as each costs a hand-over.
    let piece = batch.div_ceil(4 * threads);
    each(c.chunks_mut(piece * m * n).enumerate(), threads, |(at, c)| {
        for (i, c) in c.chunks_mut(m * n).enumerate() {
            product(rows(at * piece + i), columns(at * piece + i), c);
        }
    });
}

/// The product of each pair of matrices, in tiles of 16 by 16. A group stores a tile of its own, whose rows are
/// below `m`: that is what the proof does not follow.
#[kernel(
    unique,
    T in [f32, f64],
    device = [opencl, cuda],
    implements = matmul_batch,
    group = (1, 16, 16),
    groups = (a.extent(0) * q, m.div_ceil(16), n.div_ceil(16)),
    requires(c.len() == a.extent(0) * q * m * n)
)]
pub fn matmul_batch_tiled<T>(
    a: View<T, 4>,
    b: View<T, 4>,
    c: &mut [T],
    q: usize,
    m: usize,
    k: usize,
    n: usize,
) {
    shared!(left: [[T; 16]; 16]);
    shared!(right: [[T; 16]; 16]);
    let outer = grp(2) / q;
    let inner = grp(2) % q;
    let mut total = 0.0;
    let mut sum = 0.0;
    for tile in 0..k.div_ceil(16) {
        let i = grp(1) * 16 + lid(1);
        let l = tile * 16 + lid(0);
        left[lid(1)][lid(0)] = if i < m && l < k { a[[outer, inner, i, l]] } else { 0.0 };
        let h = tile * 16 + lid(1);
        let j = grp(0) * 16 + lid(0);
        right[lid(1)][lid(0)] = if h < k && j < n { b[[outer, inner, h, j]] } else { 0.0 };
        barrier();
        for s in 0..16 {
            sum = left[lid(1)][s].mul_add(right[s][lid(0)], sum);
        }
        barrier();
        if tile % 16 == 15 {
            total += sum;
            sum = 0.0;
        }
    }
    total += sum;
    let row = grp(1) * 16 + lid(1);
    let column = grp(0) * 16 + lid(0);
    if row < m && column < n {
        c[(grp(2) * m + row) * n + column] = total;
    }
}

register_operator! {
    /// The product of each of `p` by `q` pairs of matrices.
    pub MatmulBatch = matmul_batch;
    shape: "p q m k, p q k n -> p q m n",
    dtype: "F, F -> F",
    gradient: |c| gradient(c, |[a, b], _, g| {
        let [at, bt] = [a, b].map(|x| x.apply_with("permute", [], [("axes", vec![0_i64, 1, 3, 2])]));
        [a.gets(g.apply("matmul_batch", [bt])), b.gets(at.apply("matmul_batch", [g]))]
    }),
}

/// The product of each of `p` by `q` pairs of matrices of integers, which wraps.
#[kernel(T in [i32, i64, u32, u64], device = [cpu, opencl, cuda])]
pub fn matmul_integers<T>(
    a: View<T, 4>,
    b: View<T, 4>,
    y: &mut [T],
    q: usize,
    m: usize,
    k: usize,
    n: usize,
) {
    let batch = gid(0) / (m * n);
    let row = gid(0) / n % m;
    let mut total = 0 as T;
    for l in 0..k {
        total += a[[batch / q, batch % q, row, l]] * b[[batch / q, batch % q, l, gid(0) % n]];
    }
    y[gid(0)] = total;
}

register_operator! {
    /// The product of each of `p` by `q` pairs of matrices of integers.
    pub MatmulIntegers = matmul_integers;
    shape: "p q m k, p q k n -> p q m n",
    dtype: "I, I -> I",
}

register_operator! {
    /// The products of matrices along the last two dimensions; those before them broadcast. An operand of
    /// rank 1 is a row on the left and a column on the right, whose dimension the result lacks: NumPy's and
    /// PyTorch's `matmul`. Operands may be floats or integers; those of 16 bits are multiplied as `f32`, and
    /// the result is rounded once.
    pub BatchedMatmul = "batched_matmul";
    decompose: |c| {
        let [a, b] = c.exactly()?;
        batched(c, a, b).map(|value| vec![value])
    },
}

fn batched(c: &mut Call<'_>, a: Value, b: Value) -> Result<Value> {
    let types = [c.type_of(a)?, c.type_of(b)?];
    let dtype = types[0].dtype;
    if matches!(dtype, DType::F16 | DType::BF16) && types[1].dtype == dtype {
        let [a, b] = [a, b].map(|x| c.cast(x, DType::F32));
        let product = batched(c, a?, b?)?;
        return c.cast(product, dtype);
    }
    let [left, right] = types.map(|ty| ty.shape);
    let left = if left.len() == 1 { vec![1, left[0]] } else { left.to_vec() };
    let right = if right.len() == 1 { vec![right[0], 1] } else { right.to_vec() };
    let ([above @ .., m, k], [beside @ .., h, n]) = (&left[..], &right[..]) else {
        return Err(Error::shape("a number is no matrix"));
    };
    if k != h {
        return Err(Error::shape(format!("{} and {}: {k} terms are not {h}", types[0], types[1])));
    }
    let batch = Shape::new(above)?.broadcast(&Shape::new(beside)?)?;
    let product = if beside.is_empty() {
        // All rows are those of one product.
        let rows = above.iter().product::<usize>() * m;
        let (a, b) = (c.reshape(a, &[rows, *k])?, c.reshape(b, &[*k, *n])?);
        match dtype.is_float() {
            true => c.apply("matmul", &[a, b])?,
            false => pairs(c, [(a, [rows, *k]), (b, [*k, *n])], &[])?,
        }
    } else {
        let (a, b) = (c.reshape(a, &left)?, c.reshape(b, &right)?);
        pairs(c, [(a, [*m, *k]), (b, [*k, *n])], &batch)?
    };
    let mut shape = batch.to_vec();
    shape.extend((types[0].shape.len() > 1).then_some(m));
    shape.extend((types[1].shape.len() > 1).then_some(n));
    c.reshape(product, &shape)
}

/// The products of matrices of these extents, repeated to a batch.
fn pairs(c: &mut Call<'_>, factors: [(Value, [usize; 2]); 2], batch: &[usize]) -> Result<Value> {
    let q = *batch.last().unwrap_or(&1);
    let p = batch.iter().rev().skip(1).product();
    let mut operands = Vec::with_capacity(2);
    for (factor, extents) in factors {
        let all = c.broadcast(factor, &[batch, &extents].concat())?;
        operands.push(c.reshape(all, &[p, q, extents[0], extents[1]])?);
    }
    let float = c.type_of(operands[0])?.dtype.is_float();
    c.apply(if float { "matmul_batch" } else { "matmul_integers" }, &operands)
}

composed! {
    /// `alpha · A B + beta · C`, of matrices or their transposes; `C` may be left out. ONNX's `Gemm`.
    Gemm "gemm" { alpha: f32, beta: f32, transA: bool, transB: bool } = gemm;
}

fn gemm(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let mut operands = vec![c.operand(0)?, c.operand(1)?];
    operands.extend(c.maybe(2));
    let own = c.type_of(operands[0])?.dtype;
    let types = operands.iter().map(|x| c.type_of(*x)).collect::<Result<Vec<_>>>()?;
    // Operands of several types are refused by what they meet.
    if types.iter().all(|ty| ty.dtype == own) {
        for x in &mut operands {
            *x = widened(c, *x)?;
        }
    }
    let (mut a, mut b) = (operands[0], operands[1]);
    if c.flag("transA", false)? {
        a = c.permute(a, &[1, 0])?;
    }
    let mut operator = "batched_matmul";
    if c.flag("transB", false)? {
        match c.type_of(b)?.dtype {
            DType::F32 | DType::F64 => operator = "matmul_nt",
            _ => b = c.permute(b, &[1, 0])?,
        }
    }
    let (alpha, beta) = (c.or("alpha", 1.0_f32)?, c.or("beta", 1.0_f32)?);
    let dtype = c.type_of(a)?.dtype;
    if !dtype.is_float() && (alpha.fract() != 0.0 || beta.fract() != 0.0) {
        return Err(Error::unsupported(format!("{alpha} and {beta} times integers, of {dtype}")));
    }
    let product = c.apply(operator, &[a, b])?;
    let mut y = v(product) * alpha;
    if let Some(&bias) = operands.get(2) {
        let [whole, own] = [c.type_of(product)?.shape, c.type_of(bias)?.shape];
        if whole.broadcast(&own)? != whole {
            return Err(Error::shape(format!("{own} does not spread over a product of {whole}")));
        }
        // Infinities times 0 are NaN.
        if beta != 0.0 {
            y = y + v(bias) * beta;
        }
    }
    Ok(vec![c.eval(y.to(own))?])
}
