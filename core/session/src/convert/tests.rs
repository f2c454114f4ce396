use super::*;

fn round_trip<T: FromValue + IntoValue>(value: T) -> Result<T> {
    T::from_value(value.into_value())
}

#[test]
fn every_type_survives_the_way_there_and_back() {
    assert_eq!(round_trip(u64::MAX).unwrap(), u64::MAX);
    assert_eq!(round_trip(-7_i32).unwrap(), -7);
    assert_eq!(round_trip(0.1_f32).unwrap(), 0.1);
    assert!(round_trip(f32::NAN).unwrap().is_nan());
    assert_eq!(round_trip(String::from("é")).unwrap(), "é");
    assert_eq!(round_trip(vec![Some(1_i64), None]).unwrap(), [Some(1), None]);
    assert_eq!(round_trip((1_usize, (), true)).unwrap(), (1, (), true));
    assert_eq!(round_trip(DType::BF16).unwrap(), DType::BF16);
}

#[test]
fn options_of_options_and_of_nothing_keep_each_some() {
    for value in [None, Some(None), Some(Some(None)), Some(Some(Some(3_i64)))] {
        assert_eq!(round_trip(value).unwrap(), value);
    }
    assert_eq!(round_trip(vec![Some(()), None]).unwrap(), [Some(()), None]);
    let lists = Some(Some(vec![None::<i64>]));
    assert_eq!(round_trip(lists.clone()).unwrap(), lists);
    // What a function takes as it is may be none, too.
    assert!(matches!(round_trip(Some(Value::None)), Ok(Some(Value::None))));
    assert!(i64::from_value(Some(()).into_value()).is_err());
}

#[test]
fn a_number_that_does_not_fit_is_refused_with_both_types() {
    let error = u8::from_value(Value::Int(300)).unwrap_err();
    assert_eq!(error.to_string(), "expected u8, got int 300");
    let error = f32::from_value(Value::Float(0.1)).unwrap_err();
    assert_eq!(error.to_string(), "expected f32, got float 0.1");
    assert!(f64::from_value(Value::Int(1)).is_err());
    assert!(i64::from_value(Value::Float(1.0)).is_err());
}

#[test]
fn a_list_of_numbers_is_their_bits_and_is_taken_as_each_of_them_would_be() {
    let list = vec![0.1_f32, f32::NAN].into_value();
    assert!(matches!(&list, Value::Numbers(numbers) if numbers.bytes().len() == 8));
    assert_eq!(list.to_string(), "list of 2");
    assert_eq!(Vec::<f64>::from_value(list).unwrap()[0], f64::from(0.1_f32));
    assert_eq!(round_trip(vec![u64::MAX, 1]).unwrap(), [u64::MAX, 1]);
    assert!(round_trip(Vec::<i8>::new()).unwrap().is_empty());
    assert_eq!(Vec::<u8>::from_value(vec![7_i64, 255].into_value()).unwrap(), [7, 255]);
    assert_eq!(<(i64, u8)>::from_value(vec![-1_i16, 2].into_value()).unwrap(), (-1, 2));
    let error = Vec::<u8>::from_value(vec![7_i64, 256].into_value()).unwrap_err();
    assert_eq!(error.to_string(), "expected u8, got int 256");
    assert!(Vec::<f32>::from_value(vec![0.1_f64].into_value()).is_err());
}

#[test]
fn a_tuple_of_another_length_is_refused() {
    let error = <(i64, bool)>::from_value(vec![1_i64].into_value()).unwrap_err();
    assert_eq!(error.to_string(), "expected list of (i64, bool), got list of 1");
}
