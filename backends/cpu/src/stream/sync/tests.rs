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
