//! From cases, devices and lists to the matrix.

use crate::alone;
use crate::bench::Bench;
use crate::case::{Case, Check, Stop};
use crate::options::{Exclusion, Options};
use crate::report::{Cell, Outcome, Report};
use crate::suites::cases;
use ringwood_base::registry::Registry;
use ringwood_base::{Error, ErrorKind};
use ringwood_device::backend::{BackendDef, Registered};
use ringwood_device::device::{Device, Runtime};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Runs the suite on one backend, for a `#[test]`: see [`suite!`](crate::suite).
///
/// # Panics
/// A case failed; the table is printed.
pub fn check<B: Registered>(options: &Options) {
    let linked = Registry::global().expect("what the test links does not clash");
    let registry = match linked.entry::<BackendDef>(B::NAME) {
        Ok(_) => linked.clone(),
        Err(_) => Registry::builder().register(B::ENTRY).build().expect("one item does not clash"),
    };
    let report = run(&Runtime::new(registry), &options.clone().only(B::NAME));
    print!("{report}");
    // Past the capture of test output, so that skips are seen.
    let _ = writeln!(std::io::stderr(), "conformance of {}: {}", B::NAME, report.summary());
    assert!(report.passed(), "backend `{}` does not conform", B::NAME);
}

/// Runs the suite on the devices of a run time.
pub fn run(runtime: &Runtime, options: &Options) -> Report {
    let mut report = Report::default();
    let cases = cases();
    let excluded = options.exclusions.iter().map(|e| &e.name);
    for name in options.cases.iter().chain(excluded) {
        if !cases.iter().any(|case| case.is(name)) {
            let mut suites: Vec<_> = cases.iter().map(|case| case.suite).collect();
            suites.dedup();
            let suites = suites.join(", ");
            report.problems.push(format!("no case or suite `{name}`; the suites are {suites}"));
        }
    }
    let wanted =
        |name: &str| options.backends.is_empty() || options.backends.iter().any(|b| b == name);
    let backends = runtime.backends();
    for name in options.required.iter().chain(&options.backends) {
        if wanted(name) && !backends.iter().any(|b| b.name == name) {
            report.problems.push(format!("backend `{name}` is required and not registered"));
        }
    }
    for backend in backends.iter().filter(|b| wanted(b.name)) {
        match &backend.devices {
            Ok(devices) if devices.is_empty() => {
                absent(&mut report, options, backend.name, "no device");
            }
            Ok(devices) => {
                for device in devices {
                    run_device(&mut report, runtime, device, options);
                }
            }
            Err(error) if error.kind() == ErrorKind::Unavailable => {
                absent(&mut report, options, backend.name, &error.to_string());
            }
            Err(error) => report.problems.push(format!("backend `{}`: {error}", backend.name)),
        }
    }
    report
}

fn absent(report: &mut Report, options: &Options, name: &str, reason: &str) {
    if options.required.iter().any(|r| r == name) {
        report.problems.push(format!("backend `{name}` is required and absent: {reason}"));
    } else {
        report.absent.push((name.into(), reason.into()));
    }
}

fn run_device(report: &mut Report, runtime: &Runtime, device: &Device, options: &Options) {
    let kinds = match device.capabilities().stream_kinds.as_slice() {
        [] => vec![String::new()],
        kinds => kinds.to_vec(),
    };
    for kind in kinds {
        let bench = Bench::new(runtime.clone(), device.clone(), kind.clone(), options.seeds);
        let wanted = |c: &Case| options.cases.is_empty() || options.cases.iter().any(|n| c.is(n));
        for case in cases().into_iter().filter(wanted) {
            let start = Instant::now();
            let outcome = run_case(&bench, &case, options);
            report.cells.push(Cell {
                suite: case.suite,
                case: case.name,
                device: device.name().into(),
                stream: kind.clone(),
                outcome,
                seconds: start.elapsed().as_secs_f64(),
            });
        }
    }
}

fn run_case(bench: &Bench, case: &Case, options: &Options) -> Outcome {
    let listed = options
        .exclusions
        .iter()
        .find(|e| case.is(&e.name) && e.kind.as_deref().is_none_or(|kind| kind == bench.kind()));
    let capabilities = bench.device().capabilities();
    let unclaimed = case.needs.iter().find(|power| !power.is_claimed(capabilities));
    let result = match unclaimed {
        Some(power) => Err(Stop::Skipped(format!("the device does not claim {power}"))),
        None => run_bounded(bench, case, options.bound),
    };
    match (result, listed) {
        (Ok(()), None) => Outcome::Passed,
        (Ok(()), Some(exclusion)) => {
            Outcome::Failed(format!("passes, but is listed: {}", exclusion.reason))
        }
        (Err(_), Some(Exclusion { reason, for_ever: true, .. })) => {
            Outcome::Unsupported(reason.clone())
        }
        (Err(_), Some(Exclusion { reason, .. })) => Outcome::ExpectedFailure(reason.clone()),
        (Err(Stop::Skipped(reason)), None) => Outcome::Skipped(reason),
        (Err(Stop::Failed(text) | Stop::Wrong(text)), None) => Outcome::Failed(text),
    }
}

/// Runs the case on a thread of its own, which is left behind if it does not end in time.
fn run_bounded(bench: &Bench, case: &Case, bound: Duration) -> Check {
    let (send, receive) = mpsc::channel();
    let (bench, check, name) = (bench.clone(), case.check, case.name);
    let thread = std::thread::Builder::new().name(name.into()).spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(|| match check(&bench) {
            Err(Stop::Wrong(text)) => Err(Stop::Failed(alone::broken(&bench).unwrap_or(text))),
            result => result,
        }));
        let _ = send.send(result.unwrap_or_else(|payload| {
            Err(Error::from_panic(format!("case `{name}`"), payload).into())
        }));
    });
    thread.map_err(|e| Stop::Failed(format!("cannot start a thread: {e}")))?;
    receive
        .recv_timeout(bound)
        .unwrap_or_else(|_| Err(Stop::Failed(format!("did not end within {bound:?}"))))
}
