use super::*;
use crate::engine::Pause;
use ringwood_base::ErrorKind;
use std::time::{Duration, Instant};

#[test]
fn the_memory_of_a_flight_outlives_its_transfer() {
    let orphans = Orphans::default();
    let memory = vec![7_u8; 100];
    let place = memory.as_ptr();
    let flight = Flight { request: null_mut(), memory, bytes: 100, done: false, counted: None };
    drop(Transfer { flight: Some(flight), orphans: Arc::clone(&orphans) });
    let kept = orphans.lock().unwrap();
    assert_eq!((kept.len(), kept[0].memory.as_ptr()), (1, place));
}

/// MPI without a launcher, where the machine has it.
#[test]
fn a_message_that_is_too_long_is_refused_before_there_is_memory_for_it() {
    let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
    let may_lack = required.split(',').all(|name| name != "mpi");
    let _world = match crate::init() {
        Err(error) if may_lack && error.kind() == ErrorKind::Unavailable => {
            return eprintln!("skipped: {error}");
        }
        started => started.unwrap(),
    };
    let engine = Engine::current().unwrap();
    engine.send((0, 9), &[&[1; 1000]], None).unwrap();
    let mut waits = Pause::until(Instant::now() + Duration::from_secs(20));
    let error = loop {
        match engine.take(None, Some(9), 999) {
            Err(error) => break error,
            Ok(taken) => assert!(taken.is_none() && waits()),
        }
    };
    let text = "process 0 sends 1000 bytes in one message, which exceed 999";
    assert_eq!(error.message(), text);
    // It is still there, for who takes longer ones.
    assert!(engine.take(None, Some(9), 1000).unwrap().is_some());
}
