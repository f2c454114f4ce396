//! Messages between two ranks, and what two ranks that do not meet are told.

use crate::group;
use ringwood_base::{ErrorKind, Result};
use ringwood_collective::Communicator;
use ringwood_schedule::ReduceOp;
use ringwood_transport::flight::{Flight, install};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_message_goes_around_between_calls_of_the_group() {
    let body = |comm: &Communicator| {
        let (rank, n) = (comm.rank(), comm.size());
        let mut token = vec![0_u64; 1000];
        for round in 0..50 {
            if rank == 0 {
                token.fill(round);
                comm.send(&token, 1)?;
                comm.recv(&mut token, n - 1)?;
                assert_eq!(token[999], round + n as u64 - 1);
            } else {
                comm.recv(&mut token, rank - 1)?;
                token.iter_mut().for_each(|t| *t += 1);
                comm.send(&token, (rank + 1) % n)?;
            }
            let mut sum = [1.0_f32];
            comm.with("ring").all_reduce(&mut sum, ReduceOp::Sum)?;
            assert_eq!(sum, [n as f32]);
        }
        Ok(())
    };
    for n in [2, 3, 5] {
        group(n).spmd(body).unwrap();
    }
}

#[test]
fn messages_of_every_length_arrive_from_any_memory() {
    let body = |comm: &Communicator| {
        let mut shared = comm.alloc::<f64>(300_000)?;
        for count in [0, 1, 3, 5_000, 300_000] {
            let value = |i: usize| (i % 1_000 + count) as f64;
            let mut data = vec![0.0; count];
            if comm.rank() == 0 {
                (0..count).for_each(|i| data[i] = value(i));
                comm.send(&data, 1)?;
                shared[..count].copy_from_slice(&data);
                comm.send(&shared[..count], 1)?;
            } else {
                comm.recv(&mut data, 0)?;
                assert!(data.iter().enumerate().all(|(i, got)| *got == value(i)), "{count}");
                comm.recv(&mut shared[..count], 0)?;
                assert!(shared[..count] == data, "{count}");
            }
        }
        Ok(())
    };
    group(2).spmd(body).unwrap();
}

#[test]
fn a_mismatch_is_the_same_error_on_both_ranks_and_the_group_goes_on() {
    let body = |comm: &Communicator| {
        let outcome = match comm.rank() {
            0 => comm.send(&[1.0_f32; 4], 1),
            _ => comm.recv(&mut [7_u32; 3], 0),
        };
        one_message(comm)?;
        Ok(outcome.unwrap_err())
    };
    let errors = group(2).spmd(body).unwrap();
    let text = "rank 0 sends 4 elements of f32, rank 1 receives 3 elements of u32";
    assert!(errors.iter().all(|e| e.message() == text && e.kind() == ErrorKind::Mismatch));
}

/// A message that fits.
fn one_message(comm: &Communicator) -> Result<()> {
    let mut data = [comm.rank() as u64; 3];
    match comm.rank() {
        0 => comm.send(&data, 1),
        _ => comm.recv(&mut data, 0),
    }?;
    assert_eq!(data, [0; 3]);
    Ok(())
}

#[test]
fn a_rank_that_does_not_come_or_leaves_is_named() {
    let start = Instant::now();
    let over = Barrier::new(2);
    let late = |comm: &Communicator| {
        let outcome = match comm.rank() {
            0 => comm.call().timeout(Duration::from_millis(50)).send(&[1_u8], 1),
            _ => Ok(()),
        };
        over.wait();
        outcome
    };
    let error = group(2).spmd(late).unwrap_err();
    assert_eq!(error.message(), "rank 1 of 2 did not receive from rank 0 in time");
    assert_eq!(error.kind(), ErrorKind::Timeout);
    let body = |comm: &Communicator| match comm.rank() {
        0 => comm.recv(&mut [1_u8], 1),
        _ => Ok(()),
    };
    let error = group(2).spmd(body).unwrap_err();
    assert_eq!(error.message(), "rank 1 of 2 left the group before it sent to rank 0");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_message_to_oneself_or_nobody_is_refused() {
    let body = |comm: &Communicator| {
        let errors = [0, 2].map(|to| comm.send(&[1_u8], to).unwrap_err());
        assert!(errors[1].message().contains("cannot exchange a message with rank 2"));
        Ok(errors[0].kind())
    };
    assert_eq!(group(1).spmd(body).unwrap(), [ErrorKind::InvalidArgument]);
}

/// Ranks that are threads: what one waits for is seen while it does.
#[test]
fn a_wait_is_seen_while_it_lasts() {
    let flight = Flight::create(2).unwrap();
    let mut ranks = group(2).open().unwrap().into_iter();
    let [first, second] = [(); 2].map(|()| ranks.next().unwrap());
    thread::scope(|scope| {
        let kept = Arc::clone(&flight);
        scope.spawn(move || {
            install(kept, 0);
            first.send(&[1_u8; 5], 1).unwrap();
        });
        let start = Instant::now();
        let waits =
            || flight.snapshot().blocked().is_some_and(|t| t.contains("for rank 1 at send #1"));
        while !waits() {
            assert!(start.elapsed() < Duration::from_secs(20), "{}", flight.snapshot());
            thread::sleep(Duration::from_millis(1));
        }
        second.recv(&mut [0_u8; 5], 0).unwrap();
    });
    assert_eq!(flight.snapshot().blocked(), None);
}
