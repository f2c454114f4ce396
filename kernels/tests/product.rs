//! The safe face of `gemm`. Its file is compiled here, as the whole crate takes long to compile once more.

#[path = "../src/matmul/product.rs"]
#[allow(unreachable_pub, reason = "it is private here")]
mod product;

use product::{Factor, product};

fn naive([m, k, n]: [usize; 3], a: &[f64], b: &[f64]) -> Vec<f64> {
    let element = |i: usize, j: usize| (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum();
    (0..m * n).map(|at| element(at / n, at % n)).collect()
}

fn transposed(x: &[f64], rows: usize, columns: usize) -> Vec<f64> {
    (0..x.len()).map(|at| x[at % rows * columns + at / rows]).collect()
}

#[test]
fn products_of_all_layouts_equal_the_plain_loop() {
    for extents @ [m, k, n] in [[1, 1, 1], [3, 5, 2], [17, 33, 9], [64, 10, 64]] {
        let numbers = |count, step| (0..count).map(move |i| ((i * step) % 11) as f64 - 5.0);
        let (a, b): (Vec<_>, Vec<_>) = (numbers(m * k, 7).collect(), numbers(k * n, 3).collect());
        let (at, bt) = (transposed(&a, m, k), transposed(&b, k, n));
        let expected = naive(extents, &a, &b);
        let mut c = vec![f64::NAN; m * n];
        for (a, b) in [
            (Factor::rows(&a), Factor::rows(&b)),
            (Factor::columns(&at), Factor::rows(&b)),
            (Factor::rows(&a), Factor::columns(&bt)),
            (Factor::columns(&at), Factor::columns(&bt)),
        ] {
            c.fill(f64::NAN);
            product(extents, a, b, &mut c);
            assert_eq!(c, expected, "{extents:?}");
        }
    }
}

#[test]
fn an_empty_inner_dimension_gives_zeros() {
    let mut c = [f32::NAN; 6];
    product([2, 0, 3], Factor::rows(&[]), Factor::rows(&[]), &mut c);
    assert_eq!(c, [0.0; 6]);
    product([0, 4, 3], Factor::rows(&[]), Factor::rows(&[1.0_f32; 12]), &mut []);
}

#[test]
#[should_panic(expected = "a product of 2×2 and 2×2 got slices of 3, 4 and 4 elements")]
fn slices_of_another_length_are_refused() {
    product([2, 2, 2], Factor::rows(&[1.0_f32; 3]), Factor::rows(&[1.0; 4]), &mut [0.0; 4]);
}
