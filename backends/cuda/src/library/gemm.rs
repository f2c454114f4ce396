//! Products of matrices that are stored by rows, as cuBLAS takes them: it stores them by columns.

/// How the factors of a product are stored.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Layouts {
    /// The routine that kernels name.
    pub(crate) name: &'static str,
    /// Whether the first factor, `m` by `k`, is stored as `k` by `m`.
    pub(crate) first_transposed: bool,
    /// Whether the second factor, `k` by `n`, is stored as `n` by `k`.
    pub(crate) second_transposed: bool,
}

/// The routines that kernels may name.
pub(crate) const ROUTINES: &[Layouts] = &[
    Layouts { name: "gemm", first_transposed: false, second_transposed: false },
    Layouts { name: "gemm_tn", first_transposed: true, second_transposed: false },
    Layouts { name: "gemm_nt", first_transposed: false, second_transposed: true },
];

/// The arguments of `cublas<t>gemm`, but for the addresses and factors 1 and 0. Its left operand is the
/// second factor, its right one the first: stored by columns, `c = a b` reads `cᵀ = bᵀ aᵀ`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gemm {
    /// Whether cuBLAS transposes the left operand.
    pub(crate) left_transposed: bool,
    /// Whether cuBLAS transposes the right operand.
    pub(crate) right_transposed: bool,
    /// The rows of what it computes, its columns, and the terms of each sum.
    pub(crate) extents: [i32; 3],
    /// The leading dimensions of left and right operand and result.
    pub(crate) leading: [i32; 3],
}

impl Gemm {
    /// The arguments for `c = a b` with `[m, k, n]`, or `None` if an extent is beyond `i32`, or `a`, `b`
    /// and `c` do not have as many elements as the extents say.
    pub(crate) fn new(layouts: &Layouts, extents: [usize; 3], lens: [usize; 3]) -> Option<Self> {
        let [m, k, n] = extents;
        let expected = [m.checked_mul(k), k.checked_mul(n), m.checked_mul(n)];
        if expected != lens.map(Some) {
            return None;
        }
        let leading = [
            if layouts.second_transposed { k } else { n },
            if layouts.first_transposed { m } else { k },
            n,
        ];
        let int = |extent: usize| i32::try_from(extent).ok();
        Some(Self {
            left_transposed: layouts.second_transposed,
            right_transposed: layouts.first_transposed,
            extents: [int(n)?, int(m)?, int(k)?],
            leading: [int(leading[0].max(1))?, int(leading[1].max(1))?, int(leading[2].max(1))?],
        })
    }

    /// Whether every sum has no terms.
    pub(crate) fn is_zero(&self) -> bool {
        self.extents[2] == 0
    }
}

#[cfg(test)]
mod tests;
