use super::*;
use ringwood_device::device::Tensor;

static FUNCTION: GlobalFn = GlobalFn {
    name: "scale",
    parameters: &[Parameter::of::<f32>("factor"), Parameter::of::<Vec<i64>>("items")],
    run: |_, _| Ok(Value::None),
};

#[test]
fn a_wrong_number_of_arguments_names_the_function_and_its_parameters() {
    let error = Arguments::new(&FUNCTION, vec![Value::None]).err().unwrap();
    assert_eq!(
        error.to_string(),
        "scale(factor: f32, items: list of i64) takes 2 arguments, got 1"
    );
}

#[test]
fn a_wrong_type_names_the_parameter_and_both_types() {
    let values = vec![Value::Float(2.0), Value::Str("abc".into())];
    let mut arguments = Arguments::new(&FUNCTION, values).unwrap();
    assert_eq!(arguments.take::<f32>().unwrap(), 2.0);
    let error = arguments.take::<Vec<i64>>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "argument 2, `items`, of `scale`: expected list of i64, got str \"abc\""
    );
    assert!(arguments.take::<i64>().unwrap_err().to_string().contains("more arguments"));
}

#[test]
fn a_known_argument_is_checked_before_it_is_sent() {
    let bad = Value::Bool(true);
    let error = FUNCTION.check([Some(&bad), None].into_iter()).unwrap_err();
    assert!(error.to_string().contains("`factor`, of `scale`: expected f32, got bool true"));
}

#[test]
fn tensors_that_become_the_workers_are_not_put_onto_a_device_to_be_checked() {
    let tensor = Value::Host(crate::HostTensor::new(&[1], &[1.0_f32]).unwrap());
    let list = Value::List(vec![tensor.clone()]);
    (Parameter::of::<Option<Tensor>>("tensor").check)(&tensor).unwrap();
    (Parameter::of::<Vec<Tensor>>("tensors").check)(&list).unwrap();
    assert!((Parameter::of::<i64>("number").check)(&tensor).is_err());
    assert!((Parameter::of::<Vec<String>>("names").check)(&list).is_err());
}

#[test]
fn a_controller_of_another_version_is_refused() {
    check_version(RINGWOOD_VERSION).unwrap();
    let error = check_version("7.8.9").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Mismatch);
    let text = format!("it has version {RINGWOOD_VERSION} of Ringwood, its controller 7.8.9");
    assert_eq!(error.message(), text);
}
