use super::*;

#[test]
fn min_and_max_drop_a_nan_and_order_the_zeros() {
    for (a, b) in [(0.0_f32, -0.0_f32), (-0.0, 0.0)] {
        assert_eq!(Number::max(a, b).to_bits(), 0.0_f32.to_bits());
        assert_eq!(Number::min(a, b).to_bits(), (-0.0_f32).to_bits());
    }
    assert_eq!(Number::max(f64::NAN, -1.0), -1.0);
    assert_eq!(Number::min(-1.0, f64::NAN), -1.0);
    assert!(Number::min(f32::NAN, f32::NAN).is_nan());
    assert_eq!(Number::max(f32::NEG_INFINITY, f32::INFINITY), f32::INFINITY);
}

#[test]
fn division_has_a_value_for_every_operand() {
    assert_eq!(Number::div(7_i32, 0), 0);
    assert_eq!(Number::rem(7_i32, 0), 0);
    assert_eq!(Number::div(i32::MIN, -1), i32::MIN);
    assert_eq!(Number::rem(i64::MIN, -1), 0);
    assert_eq!(Number::div(7_usize, 0), 0);
    assert_eq!(Signed::abs(i64::MIN), i64::MIN);
}

#[test]
fn powers_by_squares_have_the_limits_of_products() {
    assert_eq!((Float::powi(3.0_f32, 4), Float::powi(2.0_f64, -3)), (81.0, 0.125));
    assert_eq!((Float::powi(f32::NAN, 0), Float::powi(0.0_f32, -1)), (1.0, f32::INFINITY));
    assert_eq!((Float::powi(-1.0_f32, i32::MIN), Float::powi(-1.0_f32, i32::MAX)), (1.0, -1.0));
    let third = half::f16::from_f32(3.0);
    assert_eq!(Float::powi(third, 3).to_f32(), 27.0);
    assert_eq!((Integer::pow(3_u8, 6), Integer::pow(-2_i32, 31)), (217, i32::MIN));
    assert_eq!(Integer::rotate_left(0x81_u8, 9), 0x03);
    assert_eq!(Integer::rotate_right(1_i64, 1), i64::MIN);
}
