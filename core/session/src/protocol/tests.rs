use super::*;
use crate::HostTensor;
use ringwood_base::Shape;

fn round_trip<T: Serialize + for<'de> Deserialize<'de> + std::fmt::Debug>(message: &T) {
    let json = serde_json::to_string(message).unwrap();
    let back: T = serde_json::from_str(&json).unwrap();
    assert_eq!(format!("{back:?}"), format!("{message:?}"));
}

#[test]
fn commands_survive_serialisation() {
    let register = Register(7);
    let tensor = HostTensor::new(&[2], &[1.0_f32, -0.5]).unwrap();
    let values = vec![
        Value::None,
        Value::Bytes([1, 2].into()),
        Value::Shape(Shape::vector(3)),
        Value::Scalar(2_u64.into()),
        Value::Host(tensor),
    ];
    let operands = vec![Operand::Register(register), Operand::Value(Value::List(values))];
    round_trip(&Command::Call { call: 1, function: "f".into(), operands, target: register });
    round_trip(&Command::Free { registers: vec![register] });
    round_trip(&Command::Sync { request: 3 });
    round_trip(&Command::Shutdown);
}

#[test]
fn replies_survive_serialisation() {
    let kind = ErrorKind::OutOfMemory;
    let failure = Failure { kind, text: "no room".into(), call: 3, closes: true };
    round_trip(&Reply { request: u64::MAX, outcome: Err(failure) });
    round_trip(&Reply { request: 1, outcome: Ok(Value::Float(0.5)) });
}

#[test]
fn a_worker_of_another_version_is_refused() {
    check_version(&Value::Int(VERSION)).unwrap();
    let error = check_version(&Value::Int(9)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol);
}
