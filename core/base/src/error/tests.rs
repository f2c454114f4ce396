use super::*;

#[test]
fn a_clone_keeps_kind_text_and_source() {
    let io = std::io::Error::other("disk on fire");
    let error = Error::new(ErrorKind::Backend, "cannot read").with("rank", 3).because(io);
    assert_eq!(error.clone().to_string(), "cannot read (rank: 3): disk on fire");
    assert_eq!(error.get("rank"), Some("3"));
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn an_error_that_crosses_a_process_keeps_kind_text_and_facts() {
    let io = std::io::Error::other("disk on fire");
    let error = Error::new(ErrorKind::Backend, "cannot read").with("rank", 3).because(io);
    let error = error.help("buy a new one");
    let bytes = serde_json::to_vec(&error).unwrap();
    let back: Error = serde_json::from_slice(&bytes).unwrap();
    assert_eq!((back.kind(), back.to_string()), (error.kind(), error.to_string()));
    assert_eq!(back.get("rank"), Some("3"));
}

#[test]
fn a_panic_payload_of_any_type_has_a_text() {
    let text: Box<dyn std::any::Any + Send> = Box::new(String::from("boom"));
    let odd: Box<dyn std::any::Any + Send> = Box::new(17_u8);
    assert_eq!(Error::from_panic("kernel `k`", text).message(), "kernel `k` panicked: boom");
    assert!(Error::from_panic("kernel `k`", odd).message().contains("not text"));
}

#[test]
fn a_payload_whose_destructor_panics_is_an_error_as_any_other() {
    struct Bomb(u32);
    impl Drop for Bomb {
        fn drop(&mut self) {
            if self.0 > 0 {
                std::panic::panic_any(Bomb(self.0 - 1));
            }
        }
    }
    for left in [1, 2, u32::MAX] {
        let error = Error::from_panic("kernel `k`", Box::new(Bomb(left)));
        assert_eq!(error.kind(), ErrorKind::Panic);
    }
}
