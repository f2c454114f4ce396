use super::*;
use crate::library::no_handle;

#[test]
fn the_memory_of_a_flight_outlives_its_transfer() {
    let orphans = Orphans::default();
    let memory = vec![7_u8; 100];
    let place = memory.as_ptr();
    let flight = Flight { request: no_handle(), memory, bytes: 100, done: false, counted: None };
    drop(Transfer { flight: Some(flight), orphans: Arc::clone(&orphans) });
    let kept = orphans.lock().unwrap();
    assert_eq!((kept.len(), kept[0].memory.as_ptr()), (1, place));
}
