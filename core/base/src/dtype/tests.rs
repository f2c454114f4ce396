use super::*;
use crate::Scalar;

#[test]
fn names_round_trip_and_unknown_ones_list_the_known() {
    for &dtype in DType::ALL {
        assert_eq!(dtype.name().parse::<DType>().unwrap(), dtype);
        assert_eq!(ScalarType::from(dtype).name(), dtype.name());
    }
    let error = "f23".parse::<DType>().unwrap_err();
    assert!(error.to_string().contains("known: u8, i8"), "{error}");
}

#[test]
fn any_byte_written_to_truth_values_leaves_true_or_false() {
    let mut values = [true, false, false];
    let seen = bool::write_bytes(&mut values, |bytes| {
        let seen = bytes.to_vec();
        bytes.copy_from_slice(&[0, 7, 255]);
        seen
    });
    assert_eq!((seen, values), (vec![1, 0, 0], [false, true, true]));
}

#[test]
fn a_scalar_converts_only_to_its_own_type() {
    assert_eq!(f32::try_from(Scalar::from(1.5_f32)).unwrap(), 1.5);
    let error = f32::try_from(Scalar::from(1_f64)).unwrap_err();
    assert_eq!(error.to_string(), "expected a scalar of type f32, got 1 of type f64");
}

#[test]
fn scalars_of_8_and_16_bits_keep_their_value_as_text() {
    let values: [(Scalar, &str); 6] = [
        (200_u8.into(), r#"{"u8":200}"#),
        ((-100_i8).into(), r#"{"i8":-100}"#),
        (40_000_u16.into(), r#"{"u16":40000}"#),
        (7_usize.into(), r#"{"usize":7}"#),
        (f16::from_f32(0.1).into(), r#"{"f16":0.099975586}"#),
        (bf16::from_f32(-3e38).into(), r#"{"bf16":-3.0040553e+38}"#),
    ];
    for (value, expected) in values {
        let text = serde_json::to_string(&value).unwrap();
        assert_eq!(text, expected);
        assert_eq!(serde_json::to_string(&value.ty()).unwrap(), format!("\"{}\"", value.ty()));
        assert_eq!(serde_json::from_str::<Scalar>(&text).unwrap(), value, "{text}");
    }
}
