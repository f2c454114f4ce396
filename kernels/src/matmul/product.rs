//! A safe face of `gemm::gemm`: the only unsafe code of the crate.
#![allow(unsafe_code, reason = "the library takes pointers")]

use gemm::Parallelism;

/// The element types that `gemm` multiplies here.
pub trait Float: Copy + 'static {
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
}

impl Float for f32 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
}

impl Float for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
}

/// A factor of a product: dense elements, stored by rows or by columns.
pub(super) struct Factor<'a, T> {
    elements: &'a [T],
    by_rows: bool,
}

impl<'a, T> Factor<'a, T> {
    pub(super) fn rows(elements: &'a [T]) -> Self {
        Self { elements, by_rows: true }
    }

    pub(super) fn columns(elements: &'a [T]) -> Self {
        Self { elements, by_rows: false }
    }

    /// Column and row stride of the factor as a matrix of `rows` by `columns`.
    fn strides(&self, rows: usize, columns: usize) -> (isize, isize) {
        let extent = if self.by_rows { columns } else { rows };
        // A slice holds at most `isize::MAX` elements, and `product` checked that it holds all.
        if self.by_rows { (1, extent as isize) } else { (extent as isize, 1) }
    }
}

/// `c = a b` for `a` of `m` by `k`, `b` of `k` by `n` and `c` of `m` by `n`, stored by rows.
///
/// # Panics
/// A slice has another length than its extents say.
pub(super) fn product<T: Float>(
    [m, k, n]: [usize; 3],
    a: Factor<'_, T>,
    b: Factor<'_, T>,
    c: &mut [T],
) {
    let holds = |len: usize, x: usize, y: usize| x.checked_mul(y) == Some(len);
    assert!(
        holds(a.elements.len(), m, k) && holds(b.elements.len(), k, n) && holds(c.len(), m, n),
        "a product of {m}×{k} and {k}×{n} got slices of {}, {} and {} elements",
        a.elements.len(),
        b.elements.len(),
        c.len()
    );
    if k == 0 || c.is_empty() {
        c.fill(T::ZERO);
        return;
    }
    let ((a_cs, a_rs), (b_cs, b_rs)) = (a.strides(m, k), b.strides(k, n));
    // SAFETY: each slice holds exactly the elements that its extents and strides reach, as was
    // asserted; `c` is borrowed mutably, so it overlaps neither factor; `T` is `f32` or `f64`,
    // which `gemm` dispatches by type; `c` is written before it is read (`read_dst` is false).
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            c.as_mut_ptr(),
            1,
            n as isize,
            false,
            a.elements.as_ptr(),
            a_cs,
            a_rs,
            b.elements.as_ptr(),
            b_cs,
            b_rs,
            T::ZERO,
            T::ONE,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let (a, b): (Vec<_>, Vec<_>) =
                (numbers(m * k, 7).collect(), numbers(k * n, 3).collect());
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
}
