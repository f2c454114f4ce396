use super::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn memory_is_held_until_it_is_unused_and_no_stream_starts_beside_too_much() {
    let (held, ended) = (Quarantine::default(), Arc::new(AtomicBool::new(false)));
    let memory = Arc::new(());
    for _ in 0..MOST {
        let ended = Arc::clone(&ended);
        held.hold(Arc::clone(&memory), move || ended.load(Ordering::Acquire));
    }
    assert_eq!(Arc::strong_count(&memory), 1 + MOST);
    let error = held.check().unwrap_err().to_string();
    assert!(error.contains("1024 commands were lost"), "{error}");
    ended.store(true, Ordering::Release);
    held.check().unwrap();
    assert_eq!(Arc::strong_count(&memory), 1);
}
