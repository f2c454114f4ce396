//! The suite over a program's whole registry.

use ringwood_backend_cpu::Cpu;
use ringwood_backend_null::Null;
use ringwood_base::registry::Registry;
use ringwood_conformance::{Options, Outcome, run};
use ringwood_device::backend::Registered;
use ringwood_device::device::Runtime;

#[test]
fn all_devices_of_all_registered_backends_are_columns() {
    let registry = Registry::builder().register(Null::ENTRY).register(Cpu::ENTRY).build();
    let runtime = Runtime::new(registry.unwrap());
    let report = run(&runtime, &Options::default().case("capabilities"));
    assert!(report.passed(), "{report}");
    let mut columns: Vec<_> = report.cells.iter().map(|c| (&*c.device, &*c.stream)).collect();
    columns.dedup();
    let cpu = ["threaded", "sync", "chaos"].map(|kind| ("cpu:0", kind));
    assert_eq!(columns, [&cpu[..], &[("null:0", "")]].concat());
    let all_ran = report.cells.iter().all(|c| c.outcome == Outcome::Passed);
    assert!(all_ran, "with two backends, handles can be swapped: {report}");
}

#[test]
fn the_null_device_is_never_the_best() {
    let registry = Registry::builder().register(Null::ENTRY).build().unwrap();
    assert!(Runtime::new(registry).best().is_err());
}
