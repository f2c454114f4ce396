//! Launches compute what the plain function of the kernel does, as Rust understands it.

use crate::device;
use half::{bf16, f16};
use ringwood_base::Result;
use ringwood_device::{device_fn, kernel};

/// The values that a map has for 1, 2 and 3.
fn launched(
    launch: fn(&ringwood_device::device::Tensor) -> Result<ringwood_device::device::Tensor>,
) -> Vec<f32> {
    launch(&device("toy:0").tensor(&[1.0_f32, 2.0, 3.0]).unwrap()).unwrap().to_vec().unwrap()
}

#[kernel(map, device = toy)]
fn shifted(x: f32) -> f32 {
    const LOST: u32 = (0x9E3779B9 << 3) / 8;
    const HIGH: u32 = 0xff << 28;
    const HALF: i32 = (1 << 31) / 2;
    const SIGN: i32 = 1 << 31;
    x + (LOST as f32) + (HIGH as f32) + (HALF as f32) + (SIGN as f32) / 4.0
}

#[test]
fn shifts_of_constants_lose_the_bits_that_their_type_has_not() {
    assert_eq!(launched(shifted::launch), [1.0, 2.0, 3.0].map(shifted));
}

macro_rules! scaled {
    ($name:ident, $x:ident, $e:expr) => {
        #[kernel(map, device = toy)]
        fn $name($x: f32) -> f32 {
            const TABLE: [f32; 2] = [1.0, 3.0];
            let s = $x * 2.0;
            let s = s + 1.0;
            s + $e
        }
    };
}

// Constants of a body are everybody's.
scaled!(scaled, x, x * TABLE[1]);

#[test]
fn the_variables_of_a_macro_are_its_own() {
    assert_eq!(launched(scaled::launch), [6.0, 11.0, 16.0]);
    assert_eq!([1.0, 2.0, 3.0].map(scaled), [6.0, 11.0, 16.0]);
}

macro_rules! inserted {
    ($t:ty, $e:expr, $one:literal, $less:literal, $cond:expr, $d:expr, $array:expr, $range:expr) => {
        #[device_fn]
        fn doubled(x: $t) -> $t {
            x * $one as $t - $less as $t
        }

        #[kernel(map, device = toy)]
        fn chosen(x: $t) -> $t {
            const ONE: $t = $one as $t;
            let mut table: [$t; 3] = $array;
            table[$d] = $e * ONE;
            let mut sum: $t = 0.0;
            for k in $range {
                sum += 2.0 * $e - table[k] as $t;
            }
            let k = x as i32;
            let factor = match k {
                $less => 5.0,
                $one => 3.0,
                _ => 2.0,
            };
            let most = <$t>::max((x + $e).min(<$t>::MAX), 0.5);
            if $cond { doubled(sum) * factor + most } else { -$e }
        }
    };
}

inserted!(f32, 1.0 + 2.0, 1, -1, 1 < 2, 2 - 1, [0.5, 1.5, 2.5], 0..3);

#[test]
fn what_a_macro_inserts_means_what_it_does_in_rust() {
    assert_eq!(launched(chosen::launch), [1.0, 2.0, 3.0].map(chosen));
}

macro_rules! turned {
    ($t:ty, $n:ident, $first:expr, $size:expr, $groups:expr, $some:expr) => {
        #[kernel(device = toy, group = $size, groups = $groups, requires($some))]
        fn turned(x: &[$t], y: &mut [$t], count: &mut [u32], $n: usize) {
            shared!(tile: [$t; $size]);
            let l = lid($first);
            let i = grp($first) * $size + l;
            tile[l] = x[i];
            barrier();
            y[i] = tile[$size - 1 - l];
            atomic_add(&mut count[$first], 1);
        }
    };
}

turned!(f32, n, 0, 2 + 2, n / 4, n > 0);

#[test]
fn what_a_macro_inserts_into_a_group_kernel_means_what_it_does_in_rust() {
    let device = device("toy:0");
    let x = device.tensor(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).unwrap();
    let mut y = device.tensor(&[0.0_f32; 8]).unwrap();
    let mut count = device.tensor(&[0_u32]).unwrap();
    turned(&x, &mut y, &mut count, 8).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [4.0, 3.0, 2.0, 1.0, 8.0, 7.0, 6.0, 5.0]);
    assert_eq!(count.to_vec::<u32>().unwrap(), [8]);
}

#[kernel(host, device = toy)]
fn args(args: f32, launch: f32, y: &mut [f32]) {
    y.fill(args + launch);
}

#[kernel(map, device = toy, T in [f32, f64])]
fn own<T>(own: T) -> T {
    own + own
}

#[test]
fn parameters_may_have_the_name_of_their_kernel() {
    let mut y = device("toy:0").tensor(&[0.0_f32; 2]).unwrap();
    args::launch(1.0, 2.0, &mut y).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [3.0, 3.0]);
    assert_eq!(launched(own::launch), [1.0, 2.0, 3.0].map(own));
}

#[kernel(map, device = toy)]
fn raised(x: f16, by: bf16) -> f16 {
    x * 1.5 + by as f16
}

#[kernel(map, device = toy)]
fn rough(x: f32) -> f32 {
    (x as bf16 * 0.3) as f32
}

#[kernel(reduce(identity = 0.0), device = toy)]
fn total(a: bf16, b: bf16) -> bf16 {
    a + b
}

#[test]
fn plain_functions_of_16_bits_have_the_arithmetic_of_kernels() {
    let (x, by) = ([1.0, 2.0, 0.1].map(f16::from_f32), bf16::from_f32(0.3));
    let device = device("toy:0");
    let (tensor, more) = (device.tensor(&x).unwrap(), device.tensor(&[by; 3]).unwrap());
    let found = raised::launch(&tensor, &more).unwrap().to_vec::<f16>().unwrap();
    assert_eq!(found, x.map(|x| raised(x, by)));
    assert_eq!(launched(rough::launch), [1.0, 2.0, 3.0].map(rough));
    let sum = total::launch(&more).unwrap().to_vec::<bf16>().unwrap();
    assert_eq!(sum, [total(total(by, by), by)]);
}

/// Has no name for the types of its instances.
mod without_half {
    use ringwood_device::kernel;

    #[kernel(host, device = toy, T in [f16, bf16])]
    pub(super) fn kept<T: Copy>(x: &[T], last: T, y: &mut [T]) {
        y.copy_from_slice(x);
        y[0] = last;
    }
}

#[test]
fn a_host_kernel_names_types_of_16_bits_for_itself() {
    let device = device("toy:0");
    let x = [1.0, 2.0].map(f16::from_f32);
    let mut y = device.tensor(&[f16::ZERO; 2]).unwrap();
    without_half::kept::launch(&device.tensor(&x).unwrap(), f16::from_f32(3.0), &mut y).unwrap();
    assert_eq!(y.to_vec::<f16>().unwrap(), [3.0, 2.0].map(f16::from_f32));
}

#[deprecated = "use `doubled`"]
#[must_use]
#[kernel(map, device = toy, T in [f32])]
fn twice<T>(x: T) -> T {
    x + x
}

#[deprecated]
#[kernel(device = toy)]
fn double(y: &mut [f32]) {
    let i = gid(0);
    y[i] = y[i] * 2.0;
}

#[deprecated]
#[kernel(host, device = toy)]
fn doubled_on_the_host(y: &mut [f32]) {
    y.iter_mut().for_each(|y| *y *= 2.0);
}

#[test]
fn callers_of_a_kernel_see_what_its_attributes_say() {
    let mut y = device("toy:0").tensor(&[1.0_f32]).unwrap();
    #[expect(deprecated)]
    double(&mut y).unwrap();
    #[expect(deprecated)]
    double::launch(&mut y).unwrap();
    #[expect(deprecated)]
    doubled_on_the_host::launch(&mut y).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [8.0]);
    #[expect(deprecated, unused_must_use)]
    twice(1.0_f32);
    #[expect(deprecated)]
    let launch = twice::launch;
    assert_eq!(launched(launch), [2.0, 4.0, 6.0]);
}

/// Nothing but what it declares has a name here.
mod nameless {
    #![no_implicit_prelude]

    use ::ringwood_device::kernel;

    const DEF: f32 = 3.0;

    #[kernel(map, device = toy)]
    pub(super) fn by_def(x: f32) -> f32 {
        x * DEF
    }

    #[kernel(device = toy, group = 4, groups = 1)]
    pub(super) fn positive(x: &[f32], y: &mut [f32]) {
        let mut sum = 0.0;
        for k in group_range(x.len()) {
            if x[k] < 0.0 {
                break;
            }
            sum += x[k];
        }
        let sum = group_sum(sum);
        if lid(0) == 0 {
            y[0] = sum;
        }
    }
}

#[test]
fn kernels_need_no_names_but_those_that_they_use() {
    assert_eq!(launched(nameless::by_def::launch), [1.0, 2.0, 3.0].map(nameless::by_def));
    let device = device("toy:0");
    let x = device.tensor(&[1.0_f32, -2.0, 3.0, 4.0, -5.0, 6.0]).unwrap();
    let mut y = device.tensor(&[0.0_f32]).unwrap();
    nameless::positive(&x, &mut y).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [8.0]);
}

#[kernel(map, device = toy, T in [f32, f64])]
fn mixed<T>(x: T) -> T {
    let hash = 0x9E3779B9 as u32;
    let small = 200 as u8;
    x * 0.1 as T + (hash as i32) as T + (small as i8) as T + 3 as T
}

#[test]
fn a_literal_takes_the_type_that_it_is_cast_to() {
    assert_eq!(launched(mixed::launch), [1.0, 2.0, 3.0].map(mixed));
}
