use super::*;

#[test]
fn parts_are_joined_when_the_crate_is_compiled() {
    const PARTS: &[&str] = &["kir2 é ", body("kir2 f 0"), " + ", body("kir2")];
    const TEXT: [u8; len(PARTS)] = join(PARTS);
    assert_eq!(text(&TEXT), "kir2 é f 0 + ");
}

#[test]
fn constants_are_written_as_the_text_of_a_kernel_writes_literals() {
    const LEAST: [u8; DIGITS] = integer(i64::MIN as i128);
    const LARGEST: [u8; DIGITS] = integer(u64::MAX as i128);
    const ZERO: [u8; DIGITS] = bits(0);
    const PI: [u8; DIGITS] = bits(std::f64::consts::PI.to_bits());
    assert_eq!(trimmed(&LEAST), i64::MIN.to_string());
    assert_eq!(trimmed(&LARGEST), u64::MAX.to_string());
    assert_eq!(trimmed(&ZERO), "0");
    assert_eq!(trimmed(&PI), format!("{:x}", std::f64::consts::PI.to_bits()));
}
