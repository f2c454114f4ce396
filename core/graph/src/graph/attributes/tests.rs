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
    let values: [Attribute; 14] = [
        true.into(),
        i64::MIN.into(),
        u64::MAX.into(),
        3_usize.into(),
        0.1_f32.into(),
        f32::NEG_INFINITY.into(),
        f64::MIN_POSITIVE.into(),
        vec![i64::MAX, -1].into(),
        Attribute::Integers(Vec::new()),
        vec![0.1_f32, f32::INFINITY, -0.0].into(),
        "a \"b\", [c]_i64".into(),
        vec!["a, b".to_owned(), "]".to_owned()].into(),
        Attribute::Texts(Vec::new()),
        DType::BF16.into(),
    ];
    for value in values {
        let attributes = Attributes::from([("a", value)]);
        let text = serde_json::to_string(&attributes).unwrap();
        assert_eq!(serde_json::from_str::<Attributes>(&text).unwrap(), attributes, "{text}");
    }
    let error = serde_json::from_str::<Attributes>(r#"{"a": "0.5"}"#).unwrap_err();
    assert!(error.to_string().contains("`0.5` is no attribute"), "{error}");
}

#[test]
fn extents_beyond_those_of_tensors_stay_large() {
    let extents = Attribute::from(&[3, usize::MAX][..]);
    assert_eq!(extents, vec![3, i64::MAX].into());
}
