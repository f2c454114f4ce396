//! Each wait of the run time is needed: without it, the case that is about it fails under chaos.

#[path = "support/strict.rs"]
mod strict;

use ringwood_base::registry::Registry;
use ringwood_conformance::{Options, Outcome, Report, run};
use ringwood_device::backend::Registered;
use ringwood_device::device::{Runtime, Wait};
use strict::Strict;

/// A hundred seeds of a case, or of the whole suite, without one kind of wait.
fn report(case: &str, omitted: Option<Wait>) -> Report {
    let registry = Registry::builder().register(Strict::ENTRY).build().unwrap();
    let runtime = Runtime::new(registry);
    let device = runtime.device("strict:0").unwrap();
    // What is freed shows at once, and is not looked after any more.
    device.set_memory_cache(0);
    if let Some(wait) = omitted {
        // SAFETY: accesses to memory hold its locks and keep it alive; the host sees copies.
        unsafe { device.omit_wait(wait, true) };
    }
    run(&runtime, &Options::default().case(case))
}

/// The case that is about a wait.
fn case(wait: Wait) -> &'static str {
    match wait {
        Wait::ReadAfterWrite => "read_after_write",
        Wait::WriteAfterRead => "write_after_read",
        Wait::WriteAfterWrite => "write_after_write",
        Wait::HostReadAfterWrite => "the_host_reads_after_writes",
        Wait::HostWriteAfterRead => "the_host_writes_after_reads",
        Wait::HostWriteAfterWrite => "the_host_writes_after_writes",
        Wait::FreeAfterUse => "freed_after_the_last_use",
    }
}

#[test]
fn a_hundred_seeds_pass_with_all_waits() {
    let report = report("hazards", None);
    assert!(report.cells.iter().all(|cell| cell.outcome == Outcome::Passed), "{report}");
}

#[test]
fn a_missing_wait_of_any_kind_fails_under_chaos() {
    for wait in Wait::ALL {
        let report = report(case(wait), Some(wait));
        let chaos = report.cells.iter().find(|cell| cell.stream == "chaos").unwrap();
        let caught = matches!(chaos.outcome, Outcome::Failed(_));
        assert!(caught, "{} passes without {wait:?}: {report}", case(wait));
    }
}
