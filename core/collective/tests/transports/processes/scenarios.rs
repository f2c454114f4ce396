//! What the processes of the tests do.

use super::say;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_collective::Communicator;
use ringwood_schedule::ReduceOp::Sum;
use std::time::{Duration, Instant};

pub(super) fn results(comm: &Communicator) -> Result<()> {
    let (n, rank) = (comm.size(), comm.rank());
    for count in [0, 1, n, 1_000, 3_000, 70_000, 600_000] {
        for algorithm in ["ring", "one_shot"] {
            let mut data: Vec<u64> = (0..count).map(|i| (i % 100 + rank) as u64).collect();
            comm.with(algorithm).all_reduce(&mut data, Sum)?;
            let mut shared = comm.alloc::<u64>(count)?;
            (0..count).for_each(|i| shared[i] = (i % 100 + rank) as u64);
            comm.with(algorithm).all_reduce(&mut shared, Sum)?;
            let ranks = n * (n - 1) / 2;
            for (i, got) in data.iter().enumerate() {
                assert_eq!(*got, (i % 100 * n + ranks) as u64, "{algorithm} {count} {i}");
            }
            assert!(*shared == data, "{algorithm} {count}");
        }
    }
    for call in 0..10_000_u64 {
        let mut data = [call + rank as u64; 17];
        comm.with("ring").all_reduce(&mut data, Sum)?;
        assert_eq!(data, [n as u64 * call + (n * (n - 1) / 2) as u64; 17]);
    }
    say(comm.counters().calls);
    Ok(())
}

pub(super) fn disagree(comm: &Communicator) -> Result<()> {
    let odd = comm.rank() == 1;
    let mut data = vec![1.0_f32; if odd { 5_000 } else { 6_000 }];
    say(comm.with("ring").all_reduce(&mut data, Sum).unwrap_err());
    let algorithm = if odd { "rnig" } else { "ring" };
    say(comm.with(algorithm).all_reduce(&mut data, Sum).unwrap_err());
    let mut data = vec![1.0_f32; 6_000];
    comm.with("ring").all_reduce(&mut data, Sum)?;
    assert!(data == vec![comm.size() as f32; 6_000]);
    Ok(())
}

/// Calls until something happens, and says what.
pub(super) fn busy(comm: &Communicator, timeout: Duration) -> Result<()> {
    let mut data = vec![1_u64; 50_000];
    say("begins");
    loop {
        let outcome = comm.with("ring").timeout(timeout).all_reduce(&mut data, Sum);
        if let Err(error) = outcome {
            let start = Instant::now();
            let again = comm.with("ring").all_reduce(&mut data, Sum).unwrap_err();
            assert_eq!(again.to_string(), error.to_string());
            assert!(start.elapsed() < Duration::from_secs(1));
            say(error);
            return Ok(());
        }
    }
}

/// One rank gives up, without a call.
pub(super) fn fail(comm: &Communicator) -> Result<()> {
    if comm.rank() == 1 {
        std::thread::sleep(Duration::from_millis(50));
        let error = Error::new(ErrorKind::Backend, "the disk is full");
        say(comm.abort(error.with("disk", 3)));
        return Ok(());
    }
    let error = comm.with("ring").all_reduce(&mut [1.0_f32; 10], Sum).unwrap_err();
    assert_eq!((error.kind().to_string().as_str(), error.get("disk")), ("backend", Some("3")));
    say(error);
    Ok(())
}

/// A token goes around, in memory of both kinds; then two ranks disagree and go on.
pub(super) fn messages(comm: &Communicator) -> Result<()> {
    let (n, rank) = (comm.size(), comm.rank());
    for count in [0, 1, 3_000, 400_000] {
        let mut token = vec![0_u64; count];
        let mut shared = comm.alloc::<u64>(count)?;
        for round in 0..20 {
            if rank == 0 {
                token.fill(round);
                comm.send(&token, 1)?;
                comm.recv(&mut shared, n - 1)?;
                assert!(shared.iter().all(|t| *t == round + n as u64 - 1), "{count}");
            } else {
                comm.recv(&mut shared, rank - 1)?;
                shared.iter_mut().for_each(|t| *t += 1);
                comm.send(&shared, (rank + 1) % n)?;
            }
            comm.with("ring").all_reduce(&mut token, Sum)?;
        }
    }
    match rank {
        0 => say(comm.send(&[1.0_f32; 4], 1).unwrap_err()),
        1 => say(comm.recv(&mut [1_u64; 2], 0).unwrap_err()),
        _ => say("went on"),
    }
    comm.with("ring").all_reduce(&mut [1.0_f32; 10], Sum)
}

/// All wait for rank 2, which does nothing: to send to it, or to receive from it.
pub(super) fn waiting(comm: &Communicator) -> Result<()> {
    say("begins");
    let outcome = match comm.rank() {
        0 => comm.recv(&mut [0_u64; 9], 2),
        2 => {
            std::thread::sleep(Duration::from_secs(10));
            Ok(())
        }
        _ => comm.send(&[0_u64; 9], 2),
    };
    let error = outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Aborted);
    say(error);
    Ok(())
}

/// Every rank tries to come twice.
pub(super) fn twice(join: impl Fn() -> Result<Communicator>) -> Result<()> {
    let comm = join()?;
    say(join().err().unwrap());
    comm.with("ring").all_reduce(&mut [1.0_f32; 10], Sum)
}
