//! What the processes of the tests do.

use super::say;
use ringwood_base::{DType, Error, ErrorKind, Result, Shape};
use ringwood_collective::executor::Executor;
use ringwood_collective::resolve::{InstanceRequest, Member};
use ringwood_collective::{Communicator, Membership};
use ringwood_schedule::ReduceOp::{Max, Sum};
use ringwood_schedule::{Chunks, Collective, Descriptor, Lane, Operation, Params, Rank};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What `value` says of a hundred elements, again and again.
fn hundreds(count: usize, value: impl Fn(usize) -> u64) -> Vec<u64> {
    let mut values = (0..100).map(value).collect::<Vec<_>>().repeat(count.div_ceil(100));
    values.truncate(count);
    values
}

pub(super) fn results(comm: &Communicator) -> Result<()> {
    let (n, rank) = (comm.size(), comm.rank());
    for count in [0, 1, n, 1_000, 3_000, 70_000, 600_000] {
        for algorithm in ["ring", "one_shot"] {
            let mut data = hundreds(count, |i| (i + rank) as u64);
            let mut shared = comm.alloc::<u64>(count)?;
            shared.copy_from_slice(&data);
            comm.with(algorithm).all_reduce(&mut data, Sum)?;
            comm.with(algorithm).all_reduce(&mut shared, Sum)?;
            let want = hundreds(count, |i| (i * n + n * (n - 1) / 2) as u64);
            assert!(data == want, "{algorithm} {count}");
            assert!(*shared == want, "{algorithm} {count}");
        }
    }
    say(comm.counters().calls);
    Ok(())
}

pub(super) fn repeated(comm: &Communicator) -> Result<()> {
    let (n, rank) = (comm.size(), comm.rank());
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
    // With the bound of the group: others may still be joining it.
    comm.with("ring").all_reduce(&mut data, Sum)?;
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
        // A rank that has not joined yet would fail in that.
        [0, 2].into_iter().try_for_each(|from| comm.recv(&mut [0_u8], from))?;
        std::thread::sleep(Duration::from_millis(50));
        let error = Error::new(ErrorKind::Backend, "the disk is full");
        say(comm.abort(error.with("disk", 3)));
        return Ok(());
    }
    // The failure may come before the message is known to have arrived.
    drop(comm.send(&[0_u8], 1));
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
        // Unoptimised merges of the largest take their time.
        for round in 0..if count < 100_000 { 20 } else { 4 } {
            let of = |rank: usize| [round + rank as u64].repeat(count);
            if rank == 0 {
                token.copy_from_slice(&of(0));
                comm.send(&token, 1)?;
                comm.recv(&mut shared, n - 1)?;
                assert!(*shared == of(n - 1), "{count}");
            } else {
                comm.recv(&mut shared, rank - 1)?;
                assert!(*shared == of(rank - 1), "{count}");
                shared.copy_from_slice(&of(rank));
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

/// Even and odd ranks apart, without rank 3, and the whole group in between.
pub(super) fn split(comm: &Communicator) -> Result<()> {
    let rank = comm.rank();
    let colour = (rank != 3).then_some(rank % 2);
    let Some(part) = comm.split(colour, -(rank as i64))? else {
        comm.with("ring").all_reduce(&mut [1_u64; 10], Sum)?;
        say("no rank of any");
        return comm.with("ring").all_reduce(&mut [1_u64; 3_000], Sum);
    };
    let ranks = if rank.is_multiple_of(2) { vec![4, 2, 0] } else { vec![1] };
    for count in [1, 9_000, 300_000] {
        let mut data = vec![rank as u64; count];
        part.with("ring").all_reduce(&mut data, Sum)?;
        assert!(data.iter().all(|sum| *sum == ranks.iter().sum::<usize>() as u64));
    }
    comm.with("ring").all_reduce(&mut [1_u64; 10], Sum)?;
    say(format!("rank {} of {ranks:?}", part.rank()));
    drop(part);
    comm.with("ring").all_reduce(&mut [1_u64; 3_000], Sum)
}

/// Even and odd ranks call apart; rank 2 is killed meanwhile.
pub(super) fn apart(comm: &Communicator) -> Result<()> {
    let part = comm.split(Some(comm.rank() % 2), 0)?.expect("a colour");
    let mut data = vec![1_u64; 50_000];
    say("begins");
    // The odd ranks call for about as long as the even ones, and then end.
    let rounds = if comm.rank() % 2 == 1 { 200 } else { usize::MAX };
    let outcome = (0..rounds).try_for_each(|_| {
        std::thread::sleep(Duration::from_millis(1));
        part.with("ring").all_reduce(&mut data, Max)
    });
    say(outcome.map_or_else(|error| error.to_string(), |()| "went on".to_owned()));
    // The failure of the whole ends what a part does: its first rank calls when the other has ended, too.
    let _ = match comm.rank() {
        1 => part.recv(&mut [0_u8], 1),
        3 => part.send(&[0_u8], 0),
        _ => Ok(()),
    };
    say(comm.with("ring").all_reduce(&mut data, Sum).unwrap_err());
    Ok(())
}

/// Rank 1 fails the whole group: ranks 0 and 3 hear of it there, and rank 2, which waits in a part, of rank 0.
pub(super) fn heard(comm: &Communicator) -> Result<()> {
    let part = comm.split(Some(comm.rank() % 2), 0)?.expect("a colour");
    let sum = |group: &Communicator| group.with("ring").all_reduce(&mut [1_u64; 10], Sum);
    if comm.rank() == 1 {
        // A rank that has not left the split yet would fail in it.
        [0, 2, 3].into_iter().try_for_each(|from| comm.recv(&mut [0_u8], from))?;
        drop(comm.abort(Error::new(ErrorKind::Backend, "the disk is full")));
        return Ok(());
    }
    // The failure may come before the message is known to have arrived.
    drop(comm.send(&[0_u8], 1));
    if comm.rank() != 2 {
        say(sum(comm).unwrap_err());
    }
    if comm.rank() != 3 {
        say(sum(&part).unwrap_err());
    }
    Ok(())
}

/// Every rank tries to come twice.
pub(super) fn twice(join: impl Fn() -> Result<Communicator>) -> Result<()> {
    let comm = join()?;
    say(join().err().unwrap());
    comm.with("ring").all_reduce(&mut [1.0_f32; 10], Sum)
}

/// Starts this program once more, as users do with helpers, says what that says, and calls.
pub(super) fn parent(comm: &Communicator) -> Result<()> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(std::env::args().skip(1)).env("SCENARIO", "child").stdin(Stdio::inherit());
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    say(text.lines().find_map(|line| line.split_once(super::SAYS)).expect(&text).1);
    comm.with("ring").all_reduce(&mut [1.0_f32; 10], Sum)
}

/// What the rendezvous of the processes is for: an order of submitted calls, instances, steps.
pub(super) fn submit(member: &Membership, comm: Communicator) -> Result<()> {
    let (n, rank) = (comm.size(), comm.rank());
    let executor = Executor::new();
    let submits = executor.adopt(1, comm)?;
    let log = Arc::new(Mutex::new(Vec::new()));
    let handles: Vec<_> = (0..10_u64)
        .map(|k| {
            let (key, log) = ((k * [1, 3, 7][rank]) % 10, Arc::clone(&log));
            submits.submit(key, vec![1.0_f32; 100], move |comm, data| {
                log.lock().unwrap().push(key);
                comm.with("ring").all_reduce(data, Sum)
            })
        })
        .collect();
    for handle in handles {
        let finished = handle.finish(Duration::from_secs(10)).expect("in time");
        assert_eq!(finished.ok()?, vec![n as f32; 100]);
    }
    say(format!("{:?}", log.lock().unwrap()));
    let resolver = member.resolver()?;
    // A key of the user: the group of all processes has another one.
    let group = resolver.join(&Member::new(0, n, "cpu", &format!("/host:{rank}/cpu:0")))?;
    let request = |key, dims: &[usize]| {
        let shape = Shape::new(dims).unwrap();
        InstanceRequest::new(key, Operation::AllReduce, DType::F32, shape)
    };
    assert_eq!(resolver.instance(&group, &request(1, &[6]))?.params.ranks(), n);
    let odd: &[usize] = if rank == 1 { &[3, 2] } else { &[2, 3] };
    say(resolver.instance(&group, &request(2, odd)).unwrap_err());
    let step = resolver.refresh_step(1)?;
    resolver.retire_step(1, step)?;
    assert_eq!(resolver.next_step(1), Some((step + 1) % (1 << 57)));
    Ok(())
}

/// Submits calls until one fails, and says how.
pub(super) fn submitted(comm: Communicator) -> Result<()> {
    let executor = Executor::new();
    let submits = executor.adopt(1, comm)?;
    say("begins");
    for key in 0.. {
        let call = submits
            .submit(key, vec![1_u64; 1_000], |comm, data| comm.with("ring").all_reduce(data, Sum));
        if let Err(error) = call.wait(Duration::from_secs(10)) {
            assert_eq!(executor.check().unwrap_err().to_string(), error.to_string());
            say(error);
            break;
        }
    }
    Ok(())
}

/// An all-gather that writes to the memory of the others.
pub(super) struct Push;

impl Collective for Push {
    fn describe(&self) -> Descriptor {
        Descriptor::all_gather("push").chunks(Chunks::PerRank).needs_put()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        s.barrier();
        for other in (1..p.ranks()).map(|distance| rank + distance) {
            s.put(other, p.chunk(rank), p.chunk(rank));
        }
        s.barrier();
    }
}

/// Calls until one fails, uses the memory for something else, and says what became of it.
pub(super) fn late(comm: &Communicator) -> Result<()> {
    let mut all = comm.alloc::<f32>((1 << 20) * comm.size())?;
    // With the bound of the group: others may still be joining it.
    comm.with("push").all_gather(&mut all)?;
    say("begins");
    let call =
        |all: &mut [f32]| comm.with("push").timeout(Duration::from_millis(300)).all_gather(all);
    while call(&mut all).is_ok() {}
    all.fill(-7.0);
    if comm.rank() != 2 {
        say("filled");
        std::thread::sleep(Duration::from_millis(400));
        say(format!("{} elements changed", all.iter().filter(|x| **x != -7.0).count()));
    }
    Ok(())
}
