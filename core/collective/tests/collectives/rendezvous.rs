//! Buffers that change hands: every order of events, and what each side gets.

use ringwood_base::{Error, ErrorKind};
use ringwood_collective::executor::{Finished, InstanceId};
use ringwood_collective::rendezvous::{Consumer, Key, Provided, Rendezvous};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(10);

fn key(part: u64) -> Key {
    let instance = InstanceId { group: 7, step: 2, key: 3 };
    Key { instance, producer: 0, consumer: 1, part }
}

fn back<B>(provided: Provided<B>) -> Finished<Option<B>> {
    provided.finish(SOON).map_err(|_| "pending").unwrap()
}

fn enough() -> Error {
    Error::new(ErrorKind::Aborted, "enough")
}

#[test]
fn the_same_memory_changes_hands_whoever_comes_first() {
    for consumer_first in [false, true] {
        let rendezvous = Rendezvous::new();
        let buffer = vec![1_u8; 1 << 20];
        let address = buffer.as_ptr();
        let early = consumer_first.then(|| rendezvous.consume(key(0)));
        let provided = rendezvous.provide(key(0), buffer);
        assert!(!provided.is_done());
        let mut lent = early.unwrap_or_else(|| rendezvous.consume(key(0))).wait(SOON).unwrap();
        assert_eq!(lent.as_ptr(), address);
        lent[5] = 9;
        assert!(!provided.is_done(), "the consumer still reads");
        let provided = provided.finish(Duration::from_millis(1)).unwrap_err();
        assert!(!provided.cancel());
        drop(lent);
        let finished = back(provided);
        finished.result.unwrap();
        let buffer = finished.buffer.unwrap();
        assert_eq!((buffer.as_ptr(), buffer[5]), (address, 9));
        // The key is free again; what the consumer keeps does not come back.
        let provided = rendezvous.provide(key(0), buffer);
        let kept = rendezvous.consume(key(0)).wait(SOON).unwrap().keep();
        assert_eq!(kept.as_ptr(), address);
        assert_eq!(back(provided).buffer, None);
    }
}

#[test]
fn a_second_side_under_one_key_is_refused_and_the_first_is_not_disturbed() {
    let rendezvous = Rendezvous::new();
    let first = rendezvous.provide(key(1), 1);
    let second = back(rendezvous.provide(key(1), 2));
    assert_eq!(second.buffer, Some(2));
    let error = second.result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Duplicate);
    assert_eq!(
        error.message(),
        "part 1 of instance 3 of group 7 in step 2 from rank 0 to rank 1 is provided twice"
    );
    assert_eq!(*rendezvous.consume(key(1)).wait(SOON).unwrap(), 1);
    assert_eq!(back(first).buffer, Some(1));

    let first = rendezvous.consume(key(1));
    let error = rendezvous.consume(key(1)).wait(SOON).unwrap_err();
    assert!(error.message().ends_with("is consumed twice"));
    drop(rendezvous.provide(key(1), 3));
    assert_eq!(*first.wait(SOON).unwrap(), 3);
}

#[test]
fn a_side_that_does_not_come_is_named_and_its_peer_is_withdrawn() {
    let rendezvous = Rendezvous::<u8>::new();
    let short = Duration::from_millis(20);
    let error = rendezvous.consume(key(4)).wait(short).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(error.message().starts_with("rank 0 did not come in time with part 4"), "{error}");
    let finished = rendezvous.provide(key(4), 8).finish(short).unwrap();
    assert_eq!(finished.buffer, Some(8));
    let error = finished.result.unwrap_err();
    assert!(error.message().starts_with("rank 1 did not come in time for part 4"), "{error}");
    // Both are out of the table: the next two meet each other.
    let provided = rendezvous.provide(key(4), 9);
    assert_eq!(*rendezvous.consume(key(4)).wait(SOON).unwrap(), 9);
    assert_eq!(back(provided).buffer, Some(9));
}

#[test]
fn a_buffer_that_does_not_fit_is_an_error_on_both_sides() {
    let rendezvous = Rendezvous::new();
    let provided = rendezvous.provide(key(0), vec![1_u8; 3]);
    let lent = rendezvous.consume(key(0)).wait(SOON).unwrap();
    lent.refuse(Error::new(ErrorKind::Shape, "3 bytes came, 4 were expected"));
    let finished = back(provided);
    assert_eq!(finished.buffer, Some(vec![1; 3]));
    assert_eq!(finished.result.unwrap_err().message(), "3 bytes came, 4 were expected");
}

#[test]
fn a_consumer_that_panics_gives_the_buffer_back() {
    let rendezvous = Rendezvous::new();
    let provided = rendezvous.provide(key(0), 5);
    let consumer = rendezvous.consume(key(0));
    thread::scope(|scope| {
        let reads = scope.spawn(|| {
            let _lent = consumer.wait(SOON).unwrap();
            panic!("while reading");
        });
        assert!(reads.join().is_err());
    });
    let finished = back(provided);
    assert_eq!((finished.buffer, finished.result.unwrap_err().kind()), (Some(5), ErrorKind::Panic));
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    Provide,
    Consume,
    CancelProvide,
    DropConsume,
    Abort,
    DropAll,
}

/// All orders of `events`.
fn orders(events: &[Event]) -> Vec<Vec<Event>> {
    if events.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, event) in events.iter().enumerate() {
        let mut rest = events.to_vec();
        rest.remove(i);
        all.extend(orders(&rest).into_iter().map(|mut order| {
            order.insert(0, *event);
            order
        }));
    }
    all
}

/// Each operation is one change under one lock, so every schedule of threads is one of these orders.
#[test]
fn every_order_of_events_ends_both_sides_once_and_returns_the_buffer() {
    use Event::{Abort, CancelProvide, Consume, DropAll, DropConsume, Provide};
    let mut met = 0;
    for order in orders(&[Provide, Consume, CancelProvide, DropConsume, Abort, DropAll]) {
        let mut rendezvous = Some(Rendezvous::new());
        let (mut provided, mut consumer): (Option<Provided<Arc<()>>>, Option<Consumer<_>>) =
            (None, None);
        let token = Arc::new(());
        for event in &order {
            match (event, &rendezvous) {
                (Provide, Some(r)) => provided = Some(r.provide(key(0), Arc::clone(&token))),
                (Consume, Some(r)) => consumer = Some(r.consume(key(0))),
                (CancelProvide, _) => drop(provided.as_ref().map(Provided::cancel)),
                (DropConsume, _) => {
                    met += usize::from(consumer.take().is_some_and(|c| c.is_done()));
                }
                (Abort, Some(r)) => r.abort(enough()),
                (DropAll, _) => rendezvous = None,
                (_, None) => {}
            }
        }
        // A buffer that was handed over goes back when the consumer lets it go.
        drop(consumer);
        if let Some(provided) = provided {
            let finished = back(provided);
            assert!(finished.buffer.is_some(), "{order:?}");
        }
        assert_eq!(Arc::strong_count(&token), 1, "{order:?}");
    }
    assert!(met > 0);
}

#[test]
fn an_abort_reaches_both_sides_and_later_ones_with_the_first_error() {
    let rendezvous = Rendezvous::new();
    let provided = rendezvous.provide(key(0), 1);
    let consumer = rendezvous.consume(key(1));
    rendezvous.abort(enough());
    rendezvous.abort(Error::new(ErrorKind::Backend, "later"));
    let finished = back(provided);
    assert_eq!((finished.buffer, finished.result.unwrap_err().message()), (Some(1), "enough"));
    assert_eq!(consumer.wait(SOON).unwrap_err().message(), "enough");
    assert_eq!(back(rendezvous.provide(key(2), 4)).buffer, Some(4));
    assert_eq!(rendezvous.consume(key(2)).wait(SOON).unwrap_err().message(), "enough");
}

#[test]
fn many_threads_meet_under_many_keys() {
    let rendezvous = Rendezvous::new();
    thread::scope(|scope| {
        for worker in 0..4 {
            let rendezvous = &rendezvous;
            scope.spawn(move || {
                for round in 0..500_u64 {
                    // Each pair of workers exchanges in both directions, in an order of its own.
                    let peer = worker ^ 1;
                    let to = Key { producer: worker, consumer: peer, ..key(round) };
                    let from = Key { producer: peer, consumer: worker, ..key(round) };
                    let (given, taken) = if (round + worker as u64).is_multiple_of(2) {
                        let given = rendezvous.provide(to, (worker, round));
                        (given, rendezvous.consume(from))
                    } else {
                        let taken = rendezvous.consume(from);
                        (rendezvous.provide(to, (worker, round)), taken)
                    };
                    assert_eq!(*taken.wait(SOON).unwrap(), (peer, round));
                    assert_eq!(back(given).buffer, Some((worker, round)));
                }
            });
        }
    });
}
