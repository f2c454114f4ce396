use super::*;
use crate::ErrorKind;

#[test]
fn names_round_trip_and_unknown_ones_list_the_known() {
    for &dtype in DType::ALL {
        assert_eq!(dtype.name().parse::<DType>().unwrap(), dtype);
        assert_eq!(Type::from(dtype).name(), dtype.name());
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
    let error = f32::try_from(Scalar::from(1.5_f64)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DType);
}

#[test]
fn scalars_of_8_and_16_bits_keep_their_value_as_text() {
    let values = [
        Scalar::U8(200),
        Scalar::I8(-100),
        Scalar::U16(40_000),
        f16::from_f32(0.1).into(),
        bf16::from_f32(-3e38).into(),
    ];
    for value in values {
        let text = serde_json::to_string(&value).unwrap();
        assert_eq!(serde_json::from_str::<Scalar>(&text).unwrap(), value, "{text}");
    }
}
