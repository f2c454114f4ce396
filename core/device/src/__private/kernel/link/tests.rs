use super::*;

#[test]
fn parts_are_joined_when_the_crate_is_compiled() {
    const PARTS: &[&str] = &["kir2 é ", body("kir2 f 0"), " + ", body("kir2")];
    const TEXT: [u8; len(PARTS)] = join(PARTS);
    assert_eq!(text(&TEXT), "kir2 é f 0 + ");
}

#[test]
fn the_types_of_parameters_stand_in_the_text_of_a_function() {
    const IR: &str = "kir2 f 0 - 0 2 x c f32 k c u32 0 0";
    const TYPES: [&str; 3] = [parameter(IR, 0), parameter(IR, 1), parameter("", 1)];
    assert_eq!(TYPES, ["f32", "u32", ""]);
    const { assert!(fits("u32", TYPES[1]) && !fits("i32", TYPES[1]) && !fits("u3", TYPES[1])) };
    const { assert!(fits("i32", TYPES[2])) };
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
