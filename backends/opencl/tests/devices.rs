//! Several devices, each with a context of its own.

mod support;

use ringwood_backend_opencl::OpenCl;
use ringwood_base::registry::Registry;
use ringwood_base::{ErrorKind, Result};
use ringwood_conformance::{Options, run};
use ringwood_device::backend::{Backend, Region, Registered, Status};
use ringwood_device::device::{Runtime, Strictness};
use std::sync::mpsc;
use std::time::Duration;

const WAIT: Duration = Duration::from_secs(30);

/// The backend in a process with two devices: those of several drivers, or of PoCL, which makes as
/// many of the processor as it is told. `None` in the process that starts such a one, and with
/// another driver that has one device.
fn two(test: &str) -> Option<OpenCl> {
    let two = |opencl: &OpenCl| opencl.devices().is_ok_and(|devices| devices.len() >= 2);
    let opencl = support::opencl()?;
    if two(&opencl) {
        return Some(opencl);
    }
    if let Some(output) = support::again_with(test, &[("POCL_DEVICES", "pthread pthread")]) {
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    support::skipped("there is one device");
    None
}

#[test]
fn a_stream_waits_for_one_of_another_device() {
    let Some(opencl) = two("a_stream_waits_for_one_of_another_device") else { return };
    let devices = opencl.devices().unwrap();
    let [a, b] = [0, 1].map(|i| opencl.stream(&devices[i], "queue").unwrap());
    let [x, y] = [0, 1].map(|i| opencl.allocate(&devices[i], 8).unwrap());
    let region = |memory| Region { memory, offset: 0, bytes: 8 };
    let error = opencl.fill(&a, region(&y), 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Device, "memory of another device");
    // The sink holds the first stream up, and so its event.
    let (open, opened) = mpsc::channel::<()>();
    let hold = move |_: Result<&[u8]>| {
        let _ = opened.recv_timeout(WAIT);
    };
    opencl.read(&a, region(&x), Box::new(hold)).unwrap();
    opencl.wait(&b, &opencl.record(&a).unwrap()).unwrap();
    opencl.fill(&b, region(&y), 1).unwrap();
    let after = opencl.record(&b).unwrap();
    std::thread::sleep(Duration::from_millis(50));
    assert!(matches!(opencl.poll(&after), Status::Pending), "the wait did not hold");
    drop(open);
    opencl.block(&after, WAIT).unwrap();
    // A failure crosses too.
    let panic = |_: Result<&[u8]>| std::panic::resume_unwind(Box::new("asked to"));
    opencl.read(&a, region(&x), Box::new(panic)).unwrap();
    if let Ok(event) = opencl.record(&a) {
        opencl.wait(&b, &event).unwrap();
        let error = opencl.record(&b).and_then(|e| opencl.block(&e, WAIT)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Panic, "{error}");
    }
}

#[test]
fn every_device_that_claims_strict_kernels_computes_strictly() {
    let Some(opencl) = support::opencl() else { return };
    let registry = Registry::builder().register(OpenCl::ENTRY).build().unwrap();
    let runtime = Runtime::new(registry);
    for (i, device) in opencl.devices().unwrap().iter().enumerate() {
        if opencl.capabilities(device).kernels {
            let device = runtime.device(&format!("opencl:{i}")).unwrap();
            assert_eq!(device.strictness().unwrap(), Strictness::Strict, "{}", device.name());
        }
    }
}

#[test]
fn two_devices_conform() {
    if two("two_devices_conform").is_none() {
        return;
    }
    let registry = Registry::builder().register(OpenCl::ENTRY).build().unwrap();
    let suites = ["capabilities", "data", "events", "concurrency", "hazards", "runtime"];
    let options = suites.into_iter().fold(Options::default(), Options::case);
    let report = run(&Runtime::new(registry), &options);
    assert!(report.passed(), "{report}");
}
