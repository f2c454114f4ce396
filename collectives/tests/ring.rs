//! The ring is proved for every group size, and for some large ones.

use ringwood_collectives::RingReducer;
use ringwood_schedule::{Collective, Order, Params, Races, verify};

#[test]
fn it_is_proved_for_every_size_to_64_and_some_to_1024() {
    // An unoptimised verifier takes its time over the largest.
    let large = if cfg!(debug_assertions) { [97, 128, 129] } else { [256, 512, 1024] };
    for n in (1..=64).chain(large) {
        let verdict = verify(&RingReducer, &Params::new(&RingReducer.describe(), n).unwrap());
        let verdict = verdict.unwrap();
        assert!(verdict.ok(), "{verdict}");
        assert_eq!((verdict.depth, verdict.scratch, verdict.staged), (1, 0, 0), "{verdict}");
        assert_eq!(verdict.order, Some(if n < 3 { Order::Linear } else { Order::Ring }));
        assert_eq!(verdict.messages as usize, 2 * n * (n - 1));
        assert_ne!(verdict.races, Races::NotChecked);
    }
}

#[test]
fn segments_keep_the_order() {
    let params = Params::new(&RingReducer.describe(), 5).unwrap().segmented(3).unwrap();
    let verdict = verify(&RingReducer, &params).unwrap();
    assert!(verdict.ok(), "{verdict}");
    assert_eq!((verdict.chunks, verdict.order), (15, Some(Order::Ring)));
}
