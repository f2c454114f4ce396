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

/// On a thread of a pool, all of that pool: rows and columns are split over it, never the sum over `k`,
/// so that the bits of a product do not depend on it. `gemm` keeps small products on one.
fn threads() -> Parallelism {
    match rayon::current_thread_index() {
        Some(_) => Parallelism::Rayon(0),
        None => Parallelism::None,
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
            threads(),
        );
    }
}
