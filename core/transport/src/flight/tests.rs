use super::slot::{Content, Slot};
use super::*;
use ringwood_base::ErrorKind;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

/// Runs `body` on a thread that is rank `rank`.
fn on_rank(flight: &Arc<Flight>, rank: usize, body: impl FnOnce() + Send) {
    let flight = Arc::clone(flight);
    thread::scope(|scope| {
        scope.spawn(move || {
            install(flight, rank);
            body();
        });
    });
}

#[test]
fn an_entry_that_is_read_while_it_is_written_is_whole() {
    let (slot, stop) = (&Ring::default().call, AtomicBool::new(false));
    let of = |ticket| {
        let name = [ticket; 6];
        Content { ticket, number: ticket, began: ticket, group: ticket, name, ..Content::default() }
    };
    let (mut read, mut last, mut torn) = (0, 0, None);
    thread::scope(|scope| {
        scope.spawn(|| {
            for ticket in (1..).take_while(|_| !stop.load(Ordering::Relaxed)) {
                slot.write(&of(ticket));
                // Ranks do something else in between.
                (0..ticket % 300).for_each(|_| std::hint::spin_loop());
            }
        });
        let start = Instant::now();
        while torn.is_none() && read < 300 && start.elapsed() < Duration::from_secs(20) {
            let Some(content) = slot.read() else { continue };
            torn = Some(content).filter(|c| c.ticket > 0 && *c != of(c.ticket));
            (read, last) = (read + u32::from(content.ticket != last), content.ticket);
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!((torn, read), (None, 300));
}

#[test]
fn an_entry_whose_writer_died_in_it_is_left_out() {
    let slot = Slot::torn();
    assert_eq!(slot.read(), None);
    slot.write(&Content { ticket: 7, ..Content::default() });
    assert_eq!(slot.read().unwrap().ticket, 7);
}

#[test]
fn the_last_operations_are_kept_in_order_and_no_more() {
    let flight = Flight::create(2).unwrap();
    on_rank(&flight, 1, || {
        begin_call("step", 9);
        (0..100).for_each(|_| begin(Kind::Collective, "all_reduce", 4096, None).end());
        let part: Arc<[usize]> = [2, 5].into();
        let outer = begin(Kind::Collective, "exchange", 0, None);
        begin(Kind::Message, "send", 8, Some(&part)).end();
        waits_for(1);
        drop(outer);
    });
    let snapshot = flight.snapshot();
    assert_eq!((snapshot.ranks[0].process, snapshot.ranks[0].operations.len()), (0, 0));
    let Recorded { process, call, operations, .. } = &snapshot.ranks[1];
    assert_eq!((*process, operations.len()), (u64::from(std::process::id()), 64));
    assert_eq!((call.as_ref().unwrap().number, &*call.as_ref().unwrap().name), (9, "step"));
    let last = &operations[63];
    assert_eq!((last.number, &*last.name, last.took), (101, "exchange", None));
    assert_eq!((last.bytes, last.group, last.waits_for.unwrap().0), (8, Some((2, 2)), 5));
    assert!(operations[..63].iter().zip(38..).all(|(o, n)| o.number == n && o.took.is_some()));
    // What was done twice: the end of a call that the ring has forgotten harms no other entry.
    on_rank(&flight, 0, || {
        begin_call("a_function_of_a_name_that_is_longer_than_what_a_record_holds", 1);
        (0..70).for_each(|_| drop(begin(Kind::Command, "sync", 0, None)));
        end_call();
    });
    let snapshot = flight.snapshot();
    assert!(snapshot.ranks[0].call.is_none());
    assert!(snapshot.ranks[0].operations.iter().all(|o| o.took.is_none() && o.number == 0));
}

#[test]
fn who_waits_for_whom_is_told_with_what_the_other_does() {
    let (flight, start) = (Flight::create(4).unwrap(), Instant::now());
    for rank in [0, 3] {
        on_rank(&flight, rank, || {
            begin_call("step", 9);
            begin(Kind::Collective, "all_reduce", 8, None).end();
            let open = begin(Kind::Collective, "all_reduce", 8, None);
            waits_for(1);
            drop(open);
        });
    }
    on_rank(&flight, 1, || begin_call("load", 9));
    flight.close();
    let closed = start.elapsed();
    thread::sleep(closed + Duration::from_millis(30));
    let text = flight.snapshot().blocked().unwrap();
    let parts: Vec<&str> = text.split(" since ").collect();
    let [waits, all_reduce, load] = parts[..] else { panic!("{text}") };
    assert_eq!(waits, "ranks 0, 3 wait for rank 1 at all_reduce #2");
    let (all_reduce, call) = all_reduce.split_once("; ").unwrap();
    assert_eq!(call, "rank 1 is in call `load` #9");
    // Times end where the record was closed, however late the text is asked for; its clock ticks every 10 ms or sooner.
    for time in [all_reduce, load] {
        let time = time.strip_suffix(" ms").and_then(|ms| ms.parse().ok()).expect(&text);
        assert!(
            Duration::from_millis(time) <= closed + Duration::from_millis(10),
            "{text}: closed after {closed:?}"
        );
    }
    let all = flight.snapshot().to_string();
    assert!(all.contains("\n  rank 2 (process 0) has not begun here\n"), "{all}");
}

#[test]
fn an_error_shows_the_first_of_many_ranks() {
    let text = Flight::create(1000).unwrap().snapshot();
    let (short, all) = (text.to_string(), format!("{text:#}"));
    assert!(short.len() < 1000 && short.ends_with("\n  and 984 more ranks"), "{short}");
    assert_eq!(all.lines().count(), 1001);
}

#[test]
fn an_error_shows_the_rank_that_holds_up_many_others() {
    let flight = Flight::create(100).unwrap();
    for rank in 0..100 {
        on_rank(&flight, rank, || {
            begin_call("step", 1);
            if rank != 50 {
                let open = begin(Kind::Message, "recv", 8, None);
                waits_for((rank + 1) % 100);
                drop(open);
            }
        });
    }
    let snapshot = flight.snapshot();
    let blocked = snapshot.blocked().unwrap();
    assert!(blocked.contains("; 83 more waits; rank 50 is in call `step` #1 since "), "{blocked}");
    let text = snapshot.to_string();
    let ranks: Vec<&str> = text.lines().skip(1).filter_map(|l| l.split(" (").next()).collect();
    assert_eq!(ranks[..3], ["  rank 50", "  rank 0", "  rank 1"], "{text}");
    assert!(text.ends_with("\n  and 84 more ranks"), "{text}");
}

#[test]
#[cfg(target_os = "linux")]
fn another_process_finds_it_and_only_the_owner_may() {
    use std::os::unix::fs::PermissionsExt;
    let flight = Flight::create(3).unwrap();
    on_rank(&flight, 2, || drop(begin(Kind::Message, "recv", 16, None)));
    let mode = std::fs::metadata(flight.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let found = Flight::of_process(std::process::id()).unwrap();
    let holds = |flight: &Arc<Flight>| {
        flight.snapshot().ranks.get(2).is_some_and(|r| r.operations.iter().any(|o| o.bytes == 16))
    };
    assert!(found.iter().any(holds));
    let error = Flight::of_process(1 << 30).err().unwrap();
    assert!(error.to_string().contains("cannot see the files of process"), "{error}");
    assert_eq!(Flight::join(&flight.address()).unwrap().path(), flight.path());
    let error = Flight::join(&format!("{}#0", flight.path())).err().unwrap();
    assert!(error.to_string().contains("is another flight recorder"), "{error}");
    let other = Map::create(4096).unwrap();
    let error = Flight::open(&other.path().display().to_string()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Protocol);
}

/// What a record costs: `cargo test --release -p ringwood-transport --lib -- --ignored --nocapture cost`.
#[test]
#[ignore = "it measures"]
fn cost_of_a_record() {
    const TIMES: u32 = 1_000_000;
    let measure = || {
        let start = Instant::now();
        (0..TIMES).for_each(|_| begin(Kind::Collective, "all_reduce", 4096, None).end());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(TIMES)
    };
    println!("without a recorder {:.1} ns", measure());
    on_rank(&Flight::create(1).unwrap(), 0, || {
        let least = (0..10).map(|_| measure()).fold(f64::INFINITY, f64::min);
        println!("an operation is recorded in {least:.1} ns");
        assert!(least < 50.0);
    });
}
