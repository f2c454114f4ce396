//! Each wait of the run time is needed: without it, the hazard suite fails under chaos.

use ringwood_backend_cpu::Cpu;
use ringwood_conformance::{Options, Outcome, run};
use ringwood_core::backend::Registered;
use ringwood_core::device::{Runtime, Wait};
use ringwood_core::registry::Registry;

/// Whether the hazard suite passes on all streams, and whether it does on chaos streams.
fn passes_without(wait: Option<Wait>) -> (bool, bool) {
    let registry = Registry::builder().register(Cpu::ENTRY).build().unwrap();
    let runtime = Runtime::new(registry);
    let device = runtime.device("cpu:0").unwrap();
    if let Some(wait) = wait {
        // SAFETY: accesses to memory of the CPU hold its locks, and keep it alive.
        unsafe { device.omit_wait(wait, true) };
    }
    let mut options = Options::default().case("hazards");
    options.seeds = 100;
    let report = run(&runtime, &options);
    let chaos = report.cells.iter().filter(|cell| cell.stream == "chaos");
    (report.passed(), chaos.into_iter().all(|cell| cell.outcome == Outcome::Passed))
}

#[test]
fn a_hundred_seeds_pass_with_all_waits() {
    assert_eq!(passes_without(None), (true, true));
}

#[test]
fn a_missing_wait_of_any_kind_fails_under_chaos() {
    for wait in [Wait::ReadAfterWrite, Wait::WriteAfterRead, Wait::WriteAfterWrite] {
        assert_eq!(passes_without(Some(wait)), (false, false), "without {wait:?}");
    }
}
