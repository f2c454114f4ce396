//! The round trip of a call on two workers, in turns with the least that it could be.

use super::measure::median;
use crate::{Error, Result};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The workers of a round.
pub(super) const WORKERS: usize = 2;

type Round<'a> = &'a mut dyn FnMut() -> Result<()>;

/// The median seconds of two rounds, in batches that take turns: where a machine runs who it wakes, and how fast,
/// changes from one moment to the next.
fn medians(mut rounds: [Round<'_>; 2]) -> Result<[f64; 2]> {
    const BATCH: u32 = 20;
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..500 {
        for (round, times) in rounds.iter_mut().zip(&mut times) {
            let start = Instant::now();
            (0..BATCH).try_for_each(|_| round())?;
            times.push((start.elapsed() / BATCH).as_secs_f64());
        }
    }
    Ok(times.map(|mut times| median(&mut times)))
}

const IDLE: u8 = 0;
const ASKED: u8 = 1;
const ENDED: u8 = 2;

/// A round of threads, and what it cannot be faster than: all are woken, and wake the caller.
pub(super) fn beside_futexes(round: Round<'_>) -> Result<[f64; 2]> {
    let (caller, turns) = (thread::current(), [const { AtomicU8::new(IDLE) }; WORKERS]);
    let answer = |turn: &AtomicU8| {
        loop {
            match turn.load(Ordering::Acquire) {
                ASKED => {
                    turn.store(IDLE, Ordering::Release);
                    caller.unpark();
                }
                ENDED => return,
                _ => thread::park(),
            }
        }
    };
    let answer = &answer;
    thread::scope(|scope| {
        let threads = turns.each_ref().map(|turn| scope.spawn(move || answer(turn)));
        let ask = |what| {
            turns.iter().for_each(|turn| turn.store(what, Ordering::Release));
            threads.iter().for_each(|thread| thread.thread().unpark());
        };
        let mut least = || {
            ask(ASKED);
            while turns.iter().any(|turn| turn.load(Ordering::Acquire) == ASKED) {
                thread::park();
            }
            Ok(())
        };
        let times = medians([round, &mut least]);
        ask(ENDED);
        times
    })
}

/// A round of processes, and what it cannot be faster than: a byte to each and back.
///
/// # Errors
/// No process echoes; the round fails.
pub(super) fn beside_sockets(round: Round<'_>) -> Result<[f64; 2]> {
    let failed = |cause| Error::unavailable("no `cat` echoes over a socket").because(cause);
    let echoes = (0..WORKERS).map(|_| echo()).collect::<io::Result<Vec<_>>>();
    let mut echoes = echoes.map_err(failed)?;
    let mut least = || {
        let write = echoes.iter_mut().try_for_each(|(stream, _)| stream.write_all(&[1]));
        let read = |()| echoes.iter_mut().try_for_each(|(stream, _)| stream.read_exact(&mut [0]));
        write.and_then(read).map_err(failed)
    };
    let times = medians([round, &mut least]);
    for (_, mut echo) in echoes {
        // One that has ended already is no failure of what was measured.
        let _ = echo.kill().and_then(|()| echo.wait());
    }
    times
}

/// A process that sends back what it gets.
fn echo() -> io::Result<(UnixStream, Child)> {
    let (here, there) = UnixStream::pair()?;
    here.set_read_timeout(Some(Duration::from_secs(10)))?;
    let output = OwnedFd::from(there.try_clone()?);
    let echo = Command::new("cat").stdin(OwnedFd::from(there)).stdout(output).spawn()?;
    Ok((here, echo))
}
