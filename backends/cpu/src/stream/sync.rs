//! The stream that runs everything in the call that submits it.

use crate::command::{Command, LIMIT};
use crate::float::Ieee;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::backend::Progress;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Submissions of several threads take turns. A wait for an event of another stream blocks the
/// call.
#[derive(Default)]
pub(super) struct SyncLane {
    /// The thread whose turn it is, 0 if none.
    runner: AtomicUsize,
    progress: Arc<Progress>,
}

/// The turn of a thread, which ends with this.
struct Turn<'a>(&'a AtomicUsize);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Release);
    }
}

impl SyncLane {
    pub(super) fn submit(&self, command: Command) -> Result<()> {
        let turn = match self.take_turn() {
            Ok(turn) => turn,
            Err(error) => {
                command.fail(&error);
                return Err(error);
            }
        };
        let mode = Ieee::enter();
        self.progress.submit();
        command.run(&self.progress);
        drop(mode);
        drop(turn);
        self.progress.failure().map_or(Ok(()), |error| Err(error.clone()))
    }

    pub(super) fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    fn take_turn(&self) -> Result<Turn<'_>> {
        let me = this_thread();
        let mut deadline = None;
        loop {
            match self.runner.compare_exchange(0, me, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Ok(Turn(&self.runner)),
                Err(runner) if runner == me => {
                    let message = "cpu: work of a sync stream submits to its own stream";
                    let help = "submit after the call that runs it, or use a threaded stream";
                    return Err(Error::new(ErrorKind::InvalidArgument, message).help(help));
                }
                Err(_) => {}
            }
            if Instant::now() > *deadline.get_or_insert_with(|| Instant::now() + LIMIT) {
                let message = format!("cpu: a sync stream was busy for {LIMIT:?}");
                return Err(Error::new(ErrorKind::Timeout, message));
            }
            std::thread::sleep(Duration::from_micros(50));
        }
    }
}

/// A number other than 0 that differs between the threads that are alive.
fn this_thread() -> usize {
    thread_local!(static ANCHOR: u8 = const { 0 });
    ANCHOR.with(|anchor| std::ptr::from_ref(anchor) as usize)
}

#[cfg(test)]
mod tests {
    use crate::Cpu;
    use ringwood_base::{ErrorKind, Result};
    use ringwood_device::backend::{Backend, Region};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn submissions_of_several_threads_take_turns() -> Result<()> {
        let cpu = Cpu::open()?;
        let device = cpu.devices()?.remove(0);
        let (stream, memory) = (cpu.stream(&device, "sync")?, cpu.allocate(&device, 8)?);
        let region = Region { memory: &memory, offset: 0, bytes: 8 };
        let count = Arc::new(AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let count = Arc::clone(&count);
                        // Loses an increment if another sink runs meanwhile.
                        let sink = move |_: Result<&[u8]>| {
                            let before = count.load(Ordering::Relaxed);
                            std::thread::yield_now();
                            count.store(before + 1, Ordering::Relaxed);
                        };
                        cpu.read(&stream, region, Box::new(sink)).unwrap();
                    }
                });
            }
        });
        assert_eq!(count.load(Ordering::Relaxed), 200);
        Ok(())
    }

    #[test]
    fn work_that_submits_to_its_own_stream_is_refused_and_the_turn_ends() -> Result<()> {
        let cpu = Cpu::open()?;
        let device = cpu.devices()?.remove(0);
        let stream = Arc::new(cpu.stream(&device, "sync")?);
        let memory = cpu.allocate(&device, 8)?;
        let (sender, receiver) = std::sync::mpsc::channel();
        let (own, inner) = (Arc::clone(&stream), memory.clone());
        let sink = move |_: Result<&[u8]>| {
            let cpu = Cpu::open().unwrap();
            let region = Region { memory: &inner, offset: 0, bytes: 8 };
            sender.send(cpu.fill(&own, region, 1)).unwrap();
            panic!("a sink that panics ends its turn, too");
        };
        let region = Region { memory: &memory, offset: 0, bytes: 8 };
        assert!(cpu.read(&stream, region, Box::new(sink)).is_err());
        let error = receiver.recv().unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().contains("its own stream"), "{error}");
        // The failure of the sink sticks; that the stream is busy would be another one.
        let error = cpu.fill(&stream, region, 1).unwrap_err();
        assert!(error.message().contains("the sink of a read"), "{error}");
        Ok(())
    }
}
