//! Streams leave nothing behind. A process of its own, so that its threads can be counted.

#![cfg(target_os = "linux")]

use ringwood_backend_cpu::Cpu;
use ringwood_core::backend::{Backend, Region};
use std::time::{Duration, Instant};

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

#[test]
fn a_thousand_streams_leave_no_thread_behind() {
    let cpu = Cpu::open().unwrap();
    let device = cpu.devices().unwrap().remove(0);
    let before = threads();
    for i in 0..1000_u32 {
        let stream = cpu.stream(&device, ["threaded", "chaos:1", "sync"][i as usize % 3]).unwrap();
        let memory = cpu.allocate(&device, 64).unwrap();
        let target = Region { memory: &memory, offset: 0, bytes: 64 };
        cpu.fill(&stream, target, i as u8).unwrap();
        let event = cpu.record(&stream).unwrap();
        if i % 100 == 0 {
            cpu.block(&event, Duration::from_secs(20)).unwrap();
        }
    }
    let deadline = Instant::now() + Duration::from_secs(20);
    while threads() > before {
        assert!(Instant::now() < deadline, "{} threads, {before} before", threads());
        std::thread::sleep(Duration::from_millis(5));
    }
}
