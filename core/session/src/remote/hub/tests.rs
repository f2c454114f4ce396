mod simulation;

use super::*;
use crate::protocol::{Direction, Event, Reply, Scope};

const SILENCE: Duration = Duration::from_secs(4);

fn hub(workers: usize) -> Hub {
    let progress = Arc::new(Progress::new(workers, 1, None));
    let mut hub = Hub::new(progress, workers, SILENCE);
    for worker in 0..workers {
        hub.started(worker, &format!("process {}", 100 + worker));
        hub.heard(Duration::ZERO, worker);
    }
    hub
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn failure(kind: ErrorKind, text: &str) -> Failure {
    Failure { kind, text: text.into(), closes: false }
}

fn failed(how: &str) -> Ending {
    Ending::Failed(how.into())
}

/// What all workers are told, which is one thing.
fn told(orders: &Orders) -> (Vec<usize>, String) {
    let text = |order: &Order| match order {
        Order::Close(failure) => failure.text.clone(),
        other => panic!("{other:?}"),
    };
    let texts: Vec<_> = orders.iter().map(|(_, order)| text(order)).collect();
    assert!(texts.windows(2).all(|pair| pair[0] == pair[1]), "{texts:?}");
    (orders.iter().map(|(worker, _)| *worker).collect(), texts[0].clone())
}

#[test]
fn a_death_is_told_to_all_others_with_what_the_worker_did() {
    let mut hub = hub(3);
    let begin = Event::Begin { call: 7, function: "step".into() };
    assert!(hub.receive(ms(1), 1, Report::Event(begin)).is_empty());
    let (workers, text) = told(&hub.lost(1, &Ending::Killed("signal 9 (SIGKILL)".into())));
    assert_eq!(workers, [0, 2]);
    let wanted =
        "worker 1 of 3 (process 101) was killed by signal 9 (SIGKILL); it runs `step`, call 7";
    assert_eq!(text, wanted);
    assert!(hub.lost(2, &failed("was killed")).is_empty());
}

#[test]
fn who_misses_a_dead_worker_does_not_hide_its_death() {
    let mut hub = hub(3);
    let lost = failure(ErrorKind::Aborted, "rank 2 of 3 died in call #5");
    assert!(hub.receive(ms(10), 0, Report::Close(lost.clone())).is_empty());
    assert!(hub.patience(ms(10)) <= REASON);
    assert!(told(&hub.lost(2, &failed("ended with exit code 3"))).1.contains("exit code 3"));
    // A failure that nothing explains is told after a moment.
    let mut hub = self::hub(3);
    assert!(hub.receive(ms(10), 0, Report::Close(lost)).is_empty());
    assert!(hub.tick(ms(20), |_| String::new()).is_empty());
    assert_eq!(told(&hub.tick(ms(61), |_| String::new())).1, "rank 2 of 3 died in call #5");
}

#[test]
fn who_does_not_start_for_a_dead_worker_does_not_hide_its_death() {
    let mut hub = hub(3);
    hub.refused(0);
    assert!(hub.lost(0, &Ending::Well("has left the session".into())).is_empty());
    let (workers, text) = told(&hub.lost(1, &failed("has died")));
    assert_eq!(
        (workers, text.starts_with("worker 1 of 3 (process 101) has died")),
        (vec![2], true)
    );
}

#[test]
fn a_silent_worker_is_asked_and_then_named() {
    let mut hub = hub(2);
    let mut asked = 0;
    for now in (0..10_000).map(ms) {
        hub.heard(now, 0);
        let orders = hub.tick(now, |_| ": it is stopped".into());
        if let Some((_, Order::Close(failure))) = orders.first() {
            let text = "worker 1 of 2 (process 101) has been silent for 4.0 s: it is stopped; ";
            assert!(failure.text.starts_with(text), "{}", failure.text);
            assert!(asked == 3 && now == SILENCE);
            return;
        }
        asked += orders.len();
        assert!(orders.iter().all(|(worker, _)| *worker == 1));
    }
    panic!("the silent worker was not named");
}

#[test]
fn a_controller_that_was_stopped_itself_blames_no_worker() {
    let mut hub = hub(2);
    hub.tick(ms(500), |_| String::new());
    let orders = hub.tick(ms(60_000), |_| String::new());
    assert!(orders.is_empty());
    assert_eq!(hub.tick(ms(61_500), |_| String::new()).len(), 2);
}

#[test]
fn a_worker_that_waits_in_vain_is_asked_whether_it_still_does() {
    let mut hub = hub(2);
    for worker in 0..2 {
        let begin = Event::Begin { call: 1, function: "step".into() };
        hub.receive(ms(1), worker, Report::Event(begin));
    }
    let enter = Event::Enter { scope: Scope::All, name: "all_reduce".into() };
    assert!(hub.receive(ms(2), 0, Report::Event(enter)).is_empty());
    let orders = hub.receive(ms(3), 1, Report::Event(Event::End { failure: None }));
    let [(0, Order::Absent { wait: 1, failure })] = &orders[..] else { panic!("{orders:?}") };
    let (workers, text) = told(&hub.receive(ms(4), 0, Report::Close(failure.clone())));
    assert_eq!(workers, [0, 1]);
    assert!(text.starts_with("workers disagree in `step`: worker 1 of 2 returned"), "{text}");
}

/// Two workers that receive from each other.
fn receiving() -> Hub {
    let mut hub = hub(2);
    for worker in 0..2 {
        let begin = Event::Begin { call: 1, function: "step".into() };
        hub.receive(ms(1), worker, Report::Event(begin));
        receive(&mut hub, ms(2), worker);
    }
    hub
}

/// A worker tells that it receives from the other one of two.
fn receive(hub: &mut Hub, now: Duration, worker: usize) {
    let recv = Event::Exchange { direction: Direction::Recv, peer: 1 - worker };
    assert!(hub.receive(now, worker, Report::Event(recv)).is_empty());
}

/// Which workers are asked whether they are in which wait.
fn asked(orders: &Orders) -> Vec<(usize, u64)> {
    let ping = |(worker, order): &(usize, Order)| match order {
        Order::Ping(wait) => (*worker, *wait),
        other => panic!("{other:?}"),
    };
    orders.iter().map(ping).collect()
}

#[test]
fn workers_in_a_circle_are_asked_whether_they_still_wait_and_all_have_to_say_so() {
    let mut hub = receiving();
    assert!(hub.patience(ms(2)) <= LOOK);
    assert!(hub.tick(ms(50), |_| String::new()).is_empty());
    assert_eq!(asked(&hub.tick(ms(150), |_| String::new())), [(0, 1), (1, 1)]);
    // One of them has gone on, or has not heard yet that it waits.
    assert!(hub.receive(ms(151), 0, Report::Pong(1)).is_empty());
    assert!(hub.receive(ms(151), 1, Report::Pong(0)).is_empty());
    assert_eq!(asked(&hub.tick(ms(200), |_| String::new())), [(1, 1)]);
    let (workers, text) = told(&hub.receive(ms(201), 1, Report::Pong(1)));
    assert_eq!(workers, [0, 1]);
    assert!(text.starts_with("workers wait for each other: worker 0 of 2 waits in recv"), "{text}");
}

#[test]
fn what_workers_have_said_counts_as_long_as_the_circle_is_the_same() {
    let mut hub = receiving();
    assert!(hub.tick(ms(50), |_| String::new()).is_empty());
    assert_eq!(asked(&hub.tick(ms(150), |_| String::new())), [(0, 1), (1, 1)]);
    // Answers take longer than it is from one look to the next.
    assert_eq!(asked(&hub.tick(ms(200), |_| String::new())), [(0, 1), (1, 1)]);
    assert!(hub.receive(ms(201), 1, Report::Pong(1)).is_empty());
    assert_eq!(asked(&hub.tick(ms(250), |_| String::new())), [(0, 1)]);
    // Another wait of a worker is another circle.
    assert!(hub.receive(ms(251), 0, Report::Event(Event::Exchanged)).is_empty());
    receive(&mut hub, ms(252), 0);
    assert!(hub.tick(ms(300), |_| String::new()).is_empty());
    assert_eq!(asked(&hub.tick(ms(450), |_| String::new())), [(0, 2), (1, 1)]);
    assert!(hub.receive(ms(451), 0, Report::Pong(1)).is_empty());
    assert!(hub.receive(ms(452), 0, Report::Pong(2)).is_empty());
    assert_eq!(asked(&hub.tick(ms(500), |_| String::new())), [(1, 1)]);
    assert_eq!(told(&hub.receive(ms(501), 1, Report::Pong(1))).0, [0, 1]);
}

#[test]
fn workers_that_are_told_to_end_have_not_failed() {
    let mut hub = hub(2);
    hub.ending = true;
    assert!(hub.lost(0, &Ending::Well("ended with exit code 0".into())).is_empty());
    let reply = Reply { request: 1, outcome: Ok(crate::Value::None) };
    assert!(hub.receive(ms(1), 1, Report::Reply(reply)).is_empty());
}
