//! Streams, memories and events that come and go leave nothing behind.
#![cfg(target_os = "linux")]

mod support;

use ringwood_backend_opencl::OpenCl;
use ringwood_device::backend::{Backend, Region};
use std::time::{Duration, Instant};

fn cycles(opencl: &OpenCl, count: usize) {
    let device = &opencl.devices().unwrap()[0];
    for _ in 0..count {
        let stream = opencl.stream(device, "queue").unwrap();
        let memory = opencl.allocate(device, 1 << 16).unwrap();
        let region = Region { memory: &memory, offset: 0, bytes: 1 << 16 };
        opencl.fill(&stream, region, 1).unwrap();
        opencl.read(&stream, region, Box::new(|_| ())).unwrap();
        let event = opencl.record(&stream).unwrap();
        opencl.block(&event, Duration::from_secs(30)).unwrap();
    }
}

/// Pages in memory, and threads.
fn in_use() -> (usize, usize) {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages = pages.split(' ').nth(1).unwrap().parse().unwrap();
    (pages, std::fs::read_dir("/proc/self/task").unwrap().count())
}

#[test]
fn ten_thousand_streams_leave_memory_and_threads_where_they_were() {
    let Some(opencl) = support::opencl() else { return };
    cycles(&opencl, 500);
    let (pages, threads) = in_use();
    cycles(&opencl, 10_000);
    let now = in_use();
    // One memory of each cycle would be 160,000 pages.
    assert!(now.0 < pages + 2000, "{pages} pages became {}", now.0);
    let deadline = Instant::now() + Duration::from_secs(30);
    while in_use().1 > threads + 2 {
        assert!(Instant::now() < deadline, "{threads} threads became {}", in_use().1);
        std::thread::sleep(Duration::from_millis(10));
    }
}
