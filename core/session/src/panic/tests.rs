use super::*;

#[test]
fn a_panic_becomes_an_error_with_its_place() {
    let line = line!() + 1;
    let error = guard("function `f`", || panic!("index {}", 3)).map(|(): ()| ()).unwrap_err();
    assert_eq!(error.to_string(), format!("function `f` panicked: index 3 ({}:{line})", file!()));
    assert_eq!(guard("function `f`", || 5).unwrap(), 5);
}

#[test]
fn a_payload_that_panics_when_dropped_stays_inside() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("the payload's destructor");
        }
    }
    let error = guard("function `f`", || std::panic::panic_any(Bomb)).map(|(): ()| ());
    assert!(error.unwrap_err().to_string().contains("not text"));
}

#[test]
fn a_panic_without_a_place_has_not_that_of_another() {
    let caught = || catch_unwind(|| panic!("earlier")).is_err();
    assert!(guard("function `f`", caught).unwrap());
    let again = || std::panic::resume_unwind(Box::new("later"));
    let error = guard("function `f`", again).map(|(): ()| ()).unwrap_err();
    assert_eq!(error.to_string(), "function `f` panicked: later");
}
