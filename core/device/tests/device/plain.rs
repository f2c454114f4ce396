//! Launches compute what the plain function of the kernel does, as Rust understands it.

use crate::device;
use ringwood_base::Result;
use ringwood_device::kernel;

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
            let s = $x * 2.0;
            let s = s + 1.0;
            s + $e
        }
    };
}

scaled!(scaled, x, x * 3.0);

#[test]
fn the_variables_of_a_macro_are_its_own() {
    assert_eq!(launched(scaled::launch), [6.0, 11.0, 16.0]);
    assert_eq!([1.0, 2.0, 3.0].map(scaled), [6.0, 11.0, 16.0]);
}
