use super::*;

#[test]
fn a_worker_of_another_version_is_refused() {
    check_version(&Value::Int(VERSION)).unwrap();
    let error = check_version(&Value::Int(9)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol);
}
