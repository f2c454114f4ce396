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

#[test]
fn the_bits_of_a_product_do_not_depend_on_the_number_of_threads() {
    for extents @ [m, k, n] in [[128, 784, 512], [1, 900, 700], [700, 300, 1], [257, 129, 65]] {
        let numbers = |count: usize, step: usize| {
            (0..count).map(move |i| ((i * step) % 1009) as f32 / 311.0 - 1.6).collect::<Vec<_>>()
        };
        let (a, b) = (numbers(m * k, 7919), numbers(k * n, 104_729));
        let bits = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut c = vec![f32::NAN; m * n];
            pool.install(|| product(extents, Factor::rows(&a), Factor::rows(&b), &mut c));
            c.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        let mut alone = vec![f32::NAN; m * n];
        product(extents, Factor::rows(&a), Factor::rows(&b), &mut alone);
        let alone: Vec<_> = alone.into_iter().map(f32::to_bits).collect();
        for threads in [1, 2, 3, 8] {
            assert!(bits(threads) == alone, "{extents:?} on {threads} threads");
        }
    }
}
