use super::*;

#[test]
fn a_literal_never_depends_on_the_rounding_of_the_compiler() {
    let single = |v: f32| float(v.to_bits().into(), Type::F32);
    assert_eq!(single(1.0), "1.0f");
    assert_eq!(single(-0.5), "(-0.5f)");
    assert_eq!(single(0.1), "f32_of(0x3dcccccdu)");
    assert_eq!(single(-0.0), "f32_of(0x80000000u)");
    assert_eq!(single(f32::INFINITY), "f32_of(0x7f800000u)");
    assert_eq!(single(f32::NAN), "f32_of(0x7fc00000u)");
    assert_eq!(float(2.5_f64.to_bits(), Type::F64), "2.5");
    assert_eq!(float(0.1_f64.to_bits(), Type::F64), "f64_of((u64)0x3fb999999999999au)");
}

#[test]
fn the_least_integers_are_no_overflow() {
    assert_eq!(integer(i32::MIN.into(), Type::I32), "(-2147483647 - 1)");
    assert_eq!(integer(i64::MIN.into(), Type::I64), "(-(i64)9223372036854775807 - 1)");
    assert_eq!(integer(-3, Type::I64), "(-(i64)3)");
    assert_eq!(integer(u64::MAX.into(), Type::U64), "(u64)18446744073709551615u");
    assert_eq!(integer(7, Type::Usize), "(usize)7u");
}
