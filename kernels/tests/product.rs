//! Products of matrices on the CPU: the order of additions of docs/numerics.md, bit by bit.

use ringwood_device::pool::Pool;
use ringwood_kernels::convolution::{convolution, convolution_pack, convolution_packed};
use ringwood_kernels::matmul::{matmul, matmul_nt, matmul_tn};

/// Extents around the borders of tiles, parts and blocks of terms.
const EXTENTS: [usize; 15] = [0, 1, 5, 6, 7, 8, 11, 12, 16, 17, 255, 256, 257, 300, 513];
/// Extents of what one dimension does not depend on.
const FEW: [[usize; 2]; 4] = [[1, 33], [7, 17], [17, 1], [40, 7]];

type Product = fn(&[f32], &[f32], &mut [f32], usize, usize, usize);

fn numbers(count: usize, step: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * step + 3) % 1009) as f32 / 311.0 - 1.6).collect()
}

fn bits(x: &[f32]) -> Vec<u32> {
    x.iter().map(|x| x.to_bits()).collect()
}

/// The rule, as the guide has it.
macro_rules! rule {
    ($name:ident $ty:ident) => {
        fn $name([m, k, n]: [usize; 3], a: &[$ty], b: &[$ty]) -> Vec<$ty> {
            let block = |i: usize, j: usize, at: usize| {
                (at..k.min(at + 256)).fold(0.0, |s, l| a[i * k + l].mul_add(b[l * n + j], s))
            };
            let element = |i, j| (0..k).step_by(256).fold(0.0, |c, at| c + block(i, j, at));
            (0..m * n).map(|at| element(at / n, at % n)).collect()
        }
    };
}

rule!(rule_f32 f32);
rule!(rule_f64 f64);

fn transposed<T: Copy>(x: &[T], rows: usize, columns: usize) -> Vec<T> {
    (0..x.len()).map(|at| x[at % rows * columns + at / rows]).collect()
}

#[test]
fn every_path_adds_in_the_order_of_the_rule() {
    let all = EXTENTS.iter().flat_map(|&x| FEW.map(|[y, z]| [x, y, z]));
    for extents @ [m, k, n] in all.flat_map(|[x, y, z]| [[x, y, z], [y, x, z], [y, z, x]]) {
        let (a, b) = (numbers(m * k, 7919), numbers(k * n, 104_729));
        let (at, bt) = (transposed(&a, m, k), transposed(&b, k, n));
        let expected = bits(&rule_f32(extents, &a, &b));
        let all: [(Product, _, _); 3] =
            [(matmul, &a, &b), (matmul_tn, &at, &b), (matmul_nt, &a, &bt)];
        for (product, a, b) in all {
            let mut c = vec![f32::NAN; m * n];
            product(a, b, &mut c, m, k, n);
            assert!(bits(&c) == expected, "{extents:?}");
        }
    }
}

#[test]
fn doubles_follow_the_rule_too() {
    for extents @ [m, k, n] in [[1, 300, 40], [7, 257, 17], [40, 600, 33], [300, 40, 1]] {
        let wide = |x: Vec<f32>| x.into_iter().map(|x| f64::from(x) / 3.0).collect::<Vec<_>>();
        let (a, b) = (wide(numbers(m * k, 7919)), wide(numbers(k * n, 104_729)));
        let mut c = vec![f64::NAN; m * n];
        matmul(&a, &b, &mut c, m, k, n);
        let expected = rule_f64(extents, &a, &b);
        assert!(c.iter().zip(&expected).all(|(c, e)| c.to_bits() == e.to_bits()), "{extents:?}");
    }
}

/// More terms and columns than panels are packed for at a time.
#[test]
fn long_sums_and_wide_results_follow_the_rule() {
    for extents @ [m, k, n] in [[200, 4200, 3], [193, 130, 8200]] {
        let (a, b) = (numbers(m * k, 7919), numbers(k * n, 104_729));
        let mut c = vec![f32::NAN; m * n];
        matmul(&a, &b, &mut c, m, k, n);
        // Unoptimised, the rule takes seconds for all rows.
        for i in (0..m).step_by(13).chain([m - 2, m - 1]) {
            let row = rule_f32([1, k, n], &a[i * k..][..k], &b);
            assert!(bits(&c[i * n..][..n]) == bits(&row), "row {i} of {extents:?}");
        }
    }
}

#[test]
fn a_row_alone_has_the_bits_of_that_row_in_a_batch() {
    for [m, k, n] in [[128, 784, 512], [13, 300, 10], [200, 64, 33]] {
        let (a, b) = (numbers(m * k, 7919), numbers(k * n, 104_729));
        let mut batch = vec![f32::NAN; m * n];
        matmul(&a, &b, &mut batch, m, k, n);
        for i in [0, 1, m / 2, m - 1] {
            let mut row = vec![f32::NAN; n];
            matmul(&a[i * k..][..k], &b, &mut row, 1, k, n);
            assert!(bits(&row) == bits(&batch[i * n..][..n]), "row {i} of {m}");
        }
    }
}

#[test]
fn a_product_that_underflows_is_no_negative_zero() {
    let mut c = [f32::NAN];
    matmul(&[f32::MIN_POSITIVE], &[-f32::MIN_POSITIVE], &mut c, 1, 1, 1);
    assert_eq!(c[0].to_bits(), 0);
}

#[test]
#[should_panic(expected = "a product of 2×2 and 2×2 got slices of 3, 4 and 4 elements")]
fn slices_of_another_length_are_refused() {
    matmul(&[1.0_f32; 3], &[1.0; 4], &mut [0.0; 4], 2, 2, 2);
}

#[test]
fn the_bits_of_a_product_do_not_depend_on_the_number_of_threads() {
    for [m, k, n] in [[128, 784, 512], [1, 900, 700], [700, 300, 1], [257, 129, 65], [33, 300, 90]]
    {
        let (a, b) = (numbers(m * k, 7919), numbers(k * n, 104_729));
        let mut alone = vec![f32::NAN; m * n];
        matmul(&a, &b, &mut alone, m, k, n);
        for threads in [1, 2, 3, 8] {
            let pool = Pool::new("pool", threads).unwrap();
            let mut c = vec![f32::NAN; m * n];
            pool.install(|| matmul(&a, &b, &mut c, m, k, n));
            assert!(bits(&c) == bits(&alone), "{:?} on {threads} threads", [m, k, n]);
        }
    }
}

/// The images, their channels, height and width, the filters, the channels of a group, and both sides of a
/// window; the windows are half a window apart, and there are zeros around the image.
fn convolved([n, c, h, w, m, e, j, k]: [usize; 8]) -> Vec<f32> {
    let (strides, pads) = ([(j / 2).max(1), (k / 2).max(1)], [j / 2, k / 2]);
    let count = |extent, window, d: usize| (extent + 2 * pads[d] - window) / strides[d] + 1;
    let (q, r) = (count(h, j, 0), count(w, k, 1));
    let (x, weights) = (numbers(n * c * h * w, 7919), numbers(m * e * j * k, 104_729));
    let ([sq, sr], [ph, pw]) = (strides.map(|s| s as i64), pads.map(|p| p as i64));
    let (groups, filters) = (c / e, m / (c / e));
    let mut packed = vec![f32::NAN; weights.len()];
    convolution_pack(&weights, &mut packed, filters, e, 1, j, k);
    let [plain, packed] = [(false, &weights), (true, &packed)].map(|(packed, weights)| {
        let compute = if packed { convolution_packed::<f32> } else { convolution::<f32> };
        let mut y = vec![f32::NAN; n * m * q * r];
        #[rustfmt::skip]
        compute(
            &x, weights, &mut y, n * groups, e, 1, h, w, groups, filters, 1, j, k, 1, q, r,
            1, sq, sr, 0, ph, pw, 1, 1, 1, 1, 1, 1,
        );
        y
    });
    assert!(bits(&plain) == bits(&packed), "packed filters give other bits");
    plain
}

#[test]
fn the_bits_of_a_convolution_do_not_depend_on_the_number_of_threads() {
    for extents in [
        [1, 32, 30, 31, 64, 32, 3, 3],
        [3, 64, 20, 20, 96, 64, 1, 1],
        [2, 32, 40, 41, 32, 1, 5, 5],
        [1, 600, 9, 9, 8, 300, 3, 3],
        [1, 40, 8, 8, 150, 40, 3, 3],
        [1, 300, 1, 1, 70, 300, 1, 1],
    ] {
        let alone = convolved(extents);
        for threads in [1, 2, 3, 8] {
            let pool = Pool::new("pool", threads).unwrap();
            let y = pool.install(|| convolved(extents));
            assert!(bits(&y) == bits(&alone), "{extents:?} on {threads} threads");
        }
    }
}

#[test]
fn a_filter_of_its_own_for_each_channel_follows_the_rule() {
    let widths = [1, 3, 15, 16, 17, 31, 32, 33, 50, 81];
    for (w, side) in
        widths.iter().flat_map(|&w| [1, 3, 4, 7].map(|side| (w, side))).chain([(9, 17)])
    {
        let (c, h) = (3, side + 2);
        let y = convolved([1, c, h, w, c, 1, side, side]);
        let (x, weights) = (numbers(c * h * w, 7919), numbers(c * side * side, 104_729));
        let (pad, stride) = (side / 2, (side / 2).max(1));
        let count = |extent: usize| (extent + 2 * pad - side) / stride + 1;
        let (q, r) = (count(h), count(w));
        let term = |at: usize, l: usize| {
            let (channel, row, column) = (at / (q * r), at / r % q, at % r);
            let (i, j) = (row * stride + l / side, column * stride + l % side);
            let inside = (pad..h + pad).contains(&i) && (pad..w + pad).contains(&j);
            let x = if inside { x[(channel * h + i - pad) * w + j - pad] } else { 0.0 };
            (weights[channel * side * side + l], x)
        };
        let block = |at: usize, from: usize| {
            let terms = (from..(side * side).min(from + 256)).map(|l| term(at, l));
            terms.fold(0.0_f32, |sum, (weight, x)| weight.mul_add(x, sum))
        };
        let element = |at| (0..side * side).step_by(256).fold(0.0, |y, from| y + block(at, from));
        let expected: Vec<_> = (0..c * q * r).map(element).collect();
        assert!(bits(&y) == bits(&expected), "{w} wide, {side} by {side}");
    }
}
