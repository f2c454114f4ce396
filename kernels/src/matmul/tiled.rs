//! Products of matrices for devices without native code: tiles of 16 by 16 in the memory of a group.
//!
//! The products of an element are added as docs/numerics.md says: fused, in blocks of 256, which are 16
//! tiles. Tiles at the edges are filled up with zeros. They may turn the sum of a block from -0 to +0, which
//! changes no element: an element begins at +0.

use ringwood_device::kernel;

/// A product whose factors are stored as the index of an element says: `[i, l]` of the first one, `[l, j]`
/// of the second one. The work-items of a group load what is contiguous side by side.
macro_rules! tiled {
    ($(
        $(#[$doc:meta])*
        $name:ident implements $kernel:ident:
        a[$i:ident, $l:ident by $a_i:expr, $a_l:expr] at $a_at:expr,
        b[$bl:ident, $j:ident by $b_l:expr, $b_j:expr] at $b_at:expr,
        for $m:ident, $k:ident, $n:ident;
    )*) => {$(
        $(#[$doc])*
        #[kernel(
            T in [f32, f64],
            device = [opencl, cuda],
            implements = super::$kernel,
            group = (16, 16),
            groups = ($m.div_ceil(16), $n.div_ceil(16)),
            requires(a.len() == $m * $k, b.len() == $k * $n, c.len() == $m * $n)
        )]
        pub fn $name<T>(a: &[T], b: &[T], c: &mut [T], $m: usize, $k: usize, $n: usize) {
            shared!(left: [[T; 16]; 16]);
            shared!(right: [[T; 16]; 16]);
            let mut total = 0.0;
            let mut sum = 0.0;
            for tile in 0..$k.div_ceil(16) {
                let $i = grp(1) * 16 + $a_i;
                let $l = tile * 16 + $a_l;
                left[$a_i][$a_l] = if $i < $m && $l < $k { a[$a_at] } else { 0.0 };
                let $bl = tile * 16 + $b_l;
                let $j = grp(0) * 16 + $b_j;
                right[$b_l][$b_j] = if $bl < $k && $j < $n { b[$b_at] } else { 0.0 };
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
            if row < $m && column < $n {
                c[row * $n + column] = total;
            }
        }
    )*};
}

tiled! {
    /// `c = a b`, in tiles.
    matmul_tiled implements matmul:
    a[i, l by lid(1), lid(0)] at i * k + l, b[h, j by lid(1), lid(0)] at h * n + j, for m, k, n;
    /// `c = aᵀ b`, in tiles.
    matmul_tn_tiled implements matmul_tn:
    a[i, l by lid(0), lid(1)] at l * m + i, b[h, j by lid(1), lid(0)] at h * n + j, for m, k, n;
    /// `c = a bᵀ`, in tiles.
    matmul_nt_tiled implements matmul_nt:
    a[i, l by lid(1), lid(0)] at i * k + l, b[h, j by lid(0), lid(1)] at j * k + h, for m, k, n;
}
