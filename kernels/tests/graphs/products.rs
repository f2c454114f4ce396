//! Products of batches of matrices, against the rule of docs/numerics.md.

use crate::support::{cpu, graph, random, tensor};
use half::f16;
use ringwood_base::DType::{F16, F32, I64};
use ringwood_base::{Element, ErrorKind, Result};
use ringwood_graph::graph::{Graph, Node, Value};

/// The operands of `batched_matmul`, and the shape of its result.
const SHAPES: &[[&[usize]; 3]] = &[
    [&[3, 4], &[4, 5], &[3, 5]],
    [&[4], &[4], &[]],
    [&[4], &[4, 5], &[5]],
    [&[3, 4], &[4], &[3]],
    [&[2, 3, 4], &[4, 5], &[2, 3, 5]],
    [&[2, 3, 4], &[4], &[2, 3]],
    [&[4], &[2, 4, 5], &[2, 5]],
    [&[3, 4], &[2, 4, 1], &[2, 3, 1]],
    [&[2, 3, 300], &[2, 300, 17], &[2, 3, 17]],
    [&[3, 1, 3, 4], &[1, 2, 4, 2], &[3, 2, 3, 2]],
    [&[2, 3, 2, 7, 40], &[3, 1, 40, 33], &[2, 3, 2, 7, 33]],
    [&[2, 0, 4], &[2, 4, 5], &[2, 0, 5]],
    [&[2, 3, 0], &[2, 0, 5], &[2, 3, 5]],
    [&[0, 3, 4], &[1, 4, 5], &[0, 3, 5]],
];

fn applied<T: Element>(
    [a, b]: [(&[usize], &[T]); 2],
    apply: impl Fn(&mut Graph, Value, Value) -> Result<Value>,
) -> Result<(Vec<usize>, Vec<T>)> {
    let mut g = graph();
    let (x, y) = (g.input("a", T::DTYPE, a.0)?, g.input("b", T::DTYPE, b.0)?);
    let product = apply(&mut g, x, y)?;
    g.output("c", product)?;
    let device = cpu();
    let (a, b) = (tensor(&device, a.0, a.1), tensor(&device, b.0, b.1));
    let c = g.plan(&[device])?.run(&[("a", &a), ("b", &b)])?.remove(0);
    Ok((c.shape().to_vec(), c.to_vec()?))
}

fn product<T: Element>(operands: [(&[usize], &[T]); 2]) -> Result<(Vec<usize>, Vec<T>)> {
    applied(operands, |g, a, b| g.apply("batched_matmul", &[a, b]))
}

/// The product by indices, as NumPy defines it: `element` adds up terms at places of both operands.
fn expected<T>(
    [a, b, c]: [&[usize]; 3],
    element: impl Fn(&mut dyn Iterator<Item = (usize, usize)>) -> T,
) -> Vec<T> {
    let whole = |dims: &[usize], at: usize| match dims {
        [only] if at == 0 => vec![1, *only],
        [only] => vec![*only, 1],
        _ => dims.to_vec(),
    };
    let (wide_a, wide_b) = (whole(a, 0), whole(b, 1));
    let rank = wide_a.len().max(wide_b.len());
    let batch = &c[..rank - 2];
    let (m, k) = (wide_a[wide_a.len() - 2], wide_a[wide_a.len() - 1]);
    let n = wide_b[wide_b.len() - 1];
    // The place of the matrix of a batch among those of an operand.
    let matrix = |dims: &[usize], mut at: usize| {
        let own = &dims[..dims.len() - 2];
        let (mut place, mut step) = (0, 1);
        for d in (0..batch.len()).rev() {
            let index = at % batch[d];
            at /= batch[d];
            if let Some(own_d) = (d + own.len()).checked_sub(batch.len()) {
                place += if own[own_d] == 1 { 0 } else { index * step };
                step *= own[own_d];
            }
        }
        place
    };
    let mut all = Vec::new();
    for at in 0..batch.iter().product() {
        let (left, right) = (matrix(&wide_a, at) * m * k, matrix(&wide_b, at) * k * n);
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let mut places = (0..k).map(|l| (left + i * k + l, right + l * n + j));
            all.push(element(&mut places));
        }
    }
    all
}

fn numbers(seed: u64, dims: &[usize]) -> Vec<f32> {
    random(seed, dims.iter().product()).into_iter().map(|x| x as f32).collect()
}

/// The sum of products in the order of the rule.
fn sum(a: &[f32], b: &[f32], terms: &mut dyn Iterator<Item = (usize, usize)>) -> f32 {
    let terms: Vec<_> = terms.collect();
    let block = |block: &[(usize, usize)]| {
        block.iter().fold(0.0_f32, |sum, &(x, y)| a[x].mul_add(b[y], sum))
    };
    terms.chunks(256).fold(0.0, |sum, terms| sum + block(terms))
}

#[test]
fn batches_have_the_bits_of_the_rule() {
    for shapes @ [a, b, c] in SHAPES {
        let (x, y) = (numbers(1, a), numbers(2, b));
        let (shape, got) = product([(a, &x), (b, &y)]).unwrap();
        assert_eq!(shape, *c, "{a:?} {b:?}");
        assert_eq!(got, expected(*shapes, |terms| sum(&x, &y, terms)), "{a:?} {b:?}");
    }
}

#[test]
fn integers_wrap_and_halves_are_rounded_once() {
    for shapes @ [a, b, _] in SHAPES {
        let whole = |seed, dims| -> Vec<i64> {
            numbers(seed, dims).iter().map(|x| (f64::from(*x) * 6e18) as i64).collect()
        };
        let (x, y) = (whole(1, a), whole(2, b));
        let (_, got) = product([(a, &x), (b, &y)]).unwrap();
        let term = |sum: i64, (i, j): (usize, usize)| sum.wrapping_add(x[i].wrapping_mul(y[j]));
        assert_eq!(got, expected(*shapes, |terms| terms.fold(0, term)), "{a:?} {b:?}");

        let half = |seed, dims| -> Vec<f16> {
            numbers(seed, dims).into_iter().map(f16::from_f32).collect()
        };
        let (x, y) = (half(1, a), half(2, b));
        let (_, got) = product([(a, &x), (b, &y)]).unwrap();
        let wide = |x: &[f16]| x.iter().map(|x| x.to_f32()).collect::<Vec<_>>();
        let (x, y) = (wide(&x), wide(&y));
        let all = expected(*shapes, |terms| f16::from_f32(sum(&x, &y, terms)));
        assert_eq!(got, all, "{a:?} {b:?}");
    }
}

#[test]
fn a_matrix_of_a_batch_has_the_bits_of_that_product_alone() {
    let (m, k, n) = (13, 300, 37);
    let (x, y) = (numbers(3, &[5, m, k]), numbers(4, &[5, k, n]));
    let (_, all) = product([(&[5, m, k], &x), (&[5, k, n], &y)]).unwrap();
    for i in 0..5 {
        let (a, b) = (&x[i * m * k..][..m * k], &y[i * k * n..][..k * n]);
        let alone =
            applied([(&[m, k], a), (&[k, n], b)], |g, a, b| g.apply("matmul", &[a, b])).unwrap().1;
        assert_eq!(alone, all[i * m * n..][..m * n], "matrix {i}");
        let row = applied([(&[1, k], &a[..k]), (&[k, n], b)], |g, a, b| {
            g.apply("batched_matmul", &[a, b])
        });
        assert_eq!(row.unwrap().1, all[i * m * n..][..n], "first row of matrix {i}");
    }
}

/// Heads of attention: operands that are transposed or repeated are read where they lie.
#[test]
fn operands_at_steps_are_not_copied() {
    let [sequence, heads, width] = [5, 3, 4];
    let dims = [2, sequence, heads, width];
    let (q, k) = (numbers(5, &dims), numbers(6, &dims));
    let scores = |g: &mut Graph, q: Value, k: Value| {
        let q = g.apply_with("permute", &[q], [("axes", vec![0_i64, 2, 1, 3])])?;
        let k = g.apply_with("permute", &[k], [("axes", vec![0_i64, 2, 3, 1])])?;
        g.apply("batched_matmul", &[q, k])
    };
    let (shape, got) = applied([(&dims, &q), (&dims, &k)], scores).unwrap();
    assert_eq!(shape, [2, heads, sequence, sequence]);
    let at = |i: usize, s: usize, h: usize, l: usize| ((i * sequence + s) * heads + h) * width + l;
    for (place, got) in got.iter().enumerate() {
        let (column, row) = (place % sequence, place / sequence % sequence);
        let (h, i) = (place / (sequence * sequence) % heads, place / (sequence * sequence * heads));
        let term = |sum: f32, l| q[at(i, row, h, l)].mul_add(k[at(i, column, h, l)], sum);
        assert_eq!(*got, (0..width).fold(0.0, term));
    }
    let mut g = graph();
    let (q, k) = (g.input("q", F32, &dims).unwrap(), g.input("k", F32, &dims).unwrap());
    let y = scores(&mut g, q, k).unwrap();
    g.output("y", y).unwrap();
    let plan = g.plan(&[cpu()]).unwrap();
    assert_eq!(plan.graph().nodes().iter().filter(|node| Node::is_launch(node)).count(), 1);
}

#[test]
fn operands_that_do_not_fit_are_refused() {
    let refused = |a: &[usize], b: &[usize], dtype| {
        let mut g = graph();
        let (a, b) = (g.input("a", dtype, a).unwrap(), g.input("b", F32, b).unwrap());
        g.apply("batched_matmul", &[a, b]).unwrap_err()
    };
    for (a, b, text) in [
        (&[2, 3][..], &[4, 5][..], "f32[2, 3] and f32[4, 5]: 3 terms are not 4"),
        (&[3], &[4], "3 terms are not 4"),
        (&[2, 3, 4], &[3, 4, 5], "do not broadcast"),
        (&[], &[4], "a number is no matrix"),
    ] {
        let error = refused(a, b, F32);
        assert_eq!(error.kind(), ErrorKind::Shape, "{error}");
        assert!(error.to_string().contains(text), "{error}");
    }
    assert_eq!(refused(&[2, 3], &[3, 2], F16).kind(), ErrorKind::DType);
    assert_eq!(refused(&[2, 3], &[3, 2], I64).kind(), ErrorKind::DType);
}
