//! Products by cuBLAS where it is installed: these kernels give up the order of their additions.

use ringwood_device::kernel;

macro_rules! products {
    ($($name:ident by $routine:ident: a[$($a:tt)*], b[$($b:tt)*] of $i:ident $l:ident $j:ident in $m:ident $k:ident $n:ident;)*) => {$(
        #[kernel(T in [f32, f64], device = cuda, domain = c.len(), library(cuda = $routine))]
        fn $name<T>(a: &[T], b: &[T], c: &mut [T], $m: usize, $k: usize, $n: usize) {
            let $i = gid(0) / $n;
            let $j = gid(0) % $n;
            let mut sum = 0.0;
            for $l in 0..$k {
                sum += a[$($a)*] * b[$($b)*];
            }
            c[gid(0)] = if $i < $m { sum } else { 0.0 };
        }
    )*};
}

products! {
    any_order by gemm: a[i * k + l], b[l * n + j] of i l j in m k n;
    any_order_tn by gemm_tn: a[l * m + i], b[l * n + j] of i l j in m k n;
    any_order_nt by gemm_nt: a[i * k + l], b[j * k + l] of i l j in m k n;
}
