use super::super::stream::unix;
use super::*;
use std::os::unix::net::UnixStream;
use std::thread;

/// Two ranks that are connected as processes are: each has a failure of its own.
fn pair() -> [Links; 2] {
    let (here, there) = UnixStream::pair().unwrap();
    let [here, there] = [here, there].map(|end| Some(unix(end).unwrap()));
    [vec![None, here], vec![there, None]].map(|streams| {
        let rank = streams.iter().position(Option::is_none).unwrap();
        let links = Links::new(Rank::new(rank, 2), streams, Arc::default());
        links.failure.relay(Announcer { rank, out: Arc::clone(&links.out) });
        links
    })
}

#[test]
fn an_abort_comes_behind_data_that_was_not_taken_yet() {
    let [mut first, mut second] = pair();
    // More than a socket takes at once.
    let data = vec![0; 1 << 20];
    second.inbox(0).begin(1, &[(0, data.len())]);
    first.out.send(1, &Head::new(Kind::Data, 1, data.len()), &data);
    assert!(first.out.flush(1), "the socket took everything at once");
    first.failure.raise(Error::aborted("enough"));
    let deadline = Instant::now() + Duration::from_secs(30);
    let outcomes = thread::scope(|scope| {
        let wait = |links: &mut Links| links.wait(deadline, |_| None::<()>);
        // What is left is sent for a moment only: the second one reads by then.
        let waits = [&mut second, &mut first].map(|links| scope.spawn(move || wait(links)));
        waits.map(|wait| wait.join().unwrap())
    });
    assert_eq!(outcomes.map(|outcome| outcome.unwrap_err().to_string()), ["enough"; 2]);
}

#[test]
fn a_rank_without_memory_for_a_message_says_so_and_blames_nobody() {
    let [first, mut second] = pair();
    let huge = usize::MAX / 4;
    second.inbox(0).begin(1, &[(0, huge)]);
    first.out.send(1, &Head::new(Kind::Data, 1, huge), &[]);
    let deadline = Instant::now() + Duration::from_secs(30);
    let error = second.wait(deadline, |_| None::<()>).unwrap_err();
    assert_eq!((error.kind(), error.get("rank")), (ErrorKind::OutOfMemory, Some("1")), "{error}");
}

#[test]
fn a_failure_that_names_ranks_that_are_not_there_is_an_error() {
    let [first, mut second] = pair();
    let late = Late { ranks: vec![999], what: "come".into(), waiting: None };
    let error = late.error(2);
    announce(&first.out, &Told { rank: 0, error, late: Some(late), waits_for: Some(998) });
    let deadline = Instant::now() + Duration::from_secs(30);
    let error = second.wait(deadline, |_| None::<()>).unwrap_err();
    assert_eq!(error.message(), "rank 999 of 2 did not come in time");
}
