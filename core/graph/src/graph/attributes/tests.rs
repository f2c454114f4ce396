use super::*;

#[test]
fn attributes_compare_by_bits_whatever_their_order() {
    let nan = Attributes::from([("x", f32::NAN), ("y", 1.0)]);
    assert_eq!(nan, Attributes::from([("y", 1.0_f32), ("x", f32::NAN)]));
    assert_ne!(Attributes::from([("x", 0.0_f32)]), Attributes::from([("x", -0.0_f32)]));
    assert_ne!(Attributes::from([("x", 1_u32)]), Attributes::from([("x", 1_i32)]));
}

#[test]
fn every_value_survives_serialisation() {
    for value in [
        Scalar::Bool(true),
        Scalar::I64(i64::MIN),
        Scalar::U64(u64::MAX),
        Scalar::Usize(3),
        Scalar::F32(0.1),
        Scalar::F32(f32::NEG_INFINITY),
        Scalar::F64(f64::MIN_POSITIVE),
    ] {
        let attributes = Attributes::from([("a", value)]);
        let text = serde_json::to_string(&attributes).unwrap();
        assert_eq!(serde_json::from_str::<Attributes>(&text).unwrap(), attributes, "{text}");
    }
    let error = serde_json::from_str::<Attributes>(r#"{"a": "0.5"}"#).unwrap_err();
    assert!(error.to_string().contains("`0.5` is no attribute"), "{error}");
}
