use super::*;

/// `c = left right` as the manual of cuBLAS defines it: element `[i, j]` is at `i + j * leading`.
fn by_columns(gemm: &Gemm, left: &[f64], right: &[f64], c: &mut [f64]) {
    let [rows, columns, terms] = gemm.extents.map(|extent| extent as usize);
    let [of_left, of_right, of_c] = gemm.leading.map(|leading| leading as usize);
    let at = |x: &[f64], i, j, leading: usize, transposed| {
        let (i, j) = if transposed { (j, i) } else { (i, j) };
        assert!(i < leading, "a leading dimension is at least the number of rows");
        x[i + j * leading]
    };
    for i in 0..rows {
        for j in 0..columns {
            let term = |l| {
                at(left, i, l, of_left, gemm.left_transposed)
                    * at(right, l, j, of_right, gemm.right_transposed)
            };
            c[i + j * of_c] = (0..terms).map(term).sum();
        }
    }
}

fn transposed(x: &[f64], rows: usize, columns: usize) -> Vec<f64> {
    (0..x.len()).map(|at| x[at % rows * columns + at / rows]).collect()
}

fn numbers(count: usize, step: usize) -> Vec<f64> {
    (0..count).map(|i| ((i * step) % 11) as f64 - 5.0).collect()
}

#[test]
fn every_routine_computes_the_product_of_matrices_stored_by_rows() {
    for extents @ [m, k, n] in [[1, 1, 1], [2, 3, 5], [7, 1, 4], [1, 6, 3], [5, 4, 1], [3, 0, 2]] {
        let (a, b) = (numbers(m * k, 7), numbers(k * n, 3));
        let element = |at: usize| (0..k).map(|l| a[at / n * k + l] * b[l * n + at % n]).sum();
        let expected: Vec<f64> = (0..m * n).map(element).collect();
        for layouts in ROUTINES {
            let a = if layouts.first_transposed { transposed(&a, m, k) } else { a.clone() };
            let b = if layouts.second_transposed { transposed(&b, k, n) } else { b.clone() };
            let gemm = Gemm::new(layouts, extents, [a.len(), b.len(), m * n]).unwrap();
            let mut c = vec![f64::NAN; m * n];
            by_columns(&gemm, &b, &a, &mut c);
            assert_eq!(c, expected, "{}: {extents:?}", layouts.name);
            assert_eq!(gemm.is_zero(), k == 0);
        }
    }
}

#[test]
fn what_cublas_cannot_take_is_left_to_the_body() {
    let gemm = |extents, lens| Gemm::new(&ROUTINES[0], extents, lens);
    assert!(gemm([2, 3, 4], [6, 12, 8]).is_some());
    for lens in [[5, 12, 8], [6, 13, 8], [6, 12, 7]] {
        assert_eq!(gemm([2, 3, 4], lens), None);
    }
    let long = i32::MAX as usize + 1;
    assert_eq!(gemm([1, long, 1], [long, long, 1]), None);
    assert_eq!(gemm([1, 1, long], [1, long, long]), None);
    assert!(gemm([1, long - 1, 1], [long - 1, long - 1, 1]).is_some());
    assert_eq!(gemm([usize::MAX, 2, 1], [usize::MAX, 2, usize::MAX]), None);
}
