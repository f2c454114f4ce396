use super::*;

#[test]
fn a_value_is_read_from_its_texts() {
    for ty in Type::ALL {
        let one = Value::of_integer(1, ty);
        for text in [one.to_string(), one.literal()] {
            assert_eq!(Value::parse(ty, &text), Some(one), "`{text}` of type {ty}");
        }
    }
    let small = Value::F32(1e-9);
    assert_eq!((small.to_string().as_str(), small.literal().as_str()), ("0.000000001", "1e-9"));
    assert_eq!(Value::parse(Type::U8, "256"), None);
}

#[test]
fn the_bits_of_a_value_are_those_of_its_type() {
    assert_eq!(Value::I8(-1).to_bits(), 0xff);
    assert_eq!(Value::BF16(bf16::ONE).to_bits(), 0x3f80);
    assert_eq!(Value::F64(-0.0).to_bits(), 1 << 63);
    assert_ne!(Value::F32(f32::NAN).to_bits(), Value::F32(-f32::NAN).to_bits());
}
