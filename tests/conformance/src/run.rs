//! From cases, devices and lists to the matrix.

use crate::alone;
use crate::bench::{Bench, WAIT};
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

/// So many cases that do not end, and the others are not run.
const HANGS: usize = 5;

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
    report.problems.extend(options.unknown().iter().map(Error::to_string));
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
        let bench = Bench::new(runtime.clone(), device.clone(), kind, options.seeds);
        run_kind(report, &bench, options);
    }
}

/// Runs the cases on one kind of stream, up to the hangs after which no other is likely to end.
fn run_kind(report: &mut Report, bench: &Bench, options: &Options) {
    let wanted = |c: &Case| options.cases.is_empty() || options.cases.iter().any(|n| c.is(n));
    let (mut hangs, mut stopped) = (0, None);
    for case in cases().into_iter().filter(wanted) {
        let start = Instant::now();
        let outcome = match &stopped {
            Some(reason) => Outcome::Failed(String::clone(reason)),
            None => run_case(bench, &case, options),
        };
        let took = start.elapsed();
        if let (Outcome::Failed(text), true) = (&outcome, took >= WAIT.min(options.bound)) {
            let (name, device) = (case.name, bench.device().name());
            // Past the capture of test output: nothing else is seen for minutes.
            let _ = writeln!(std::io::stderr(), "conformance of {device}: {name}: {text}");
            hangs += 1;
            stopped = (hangs == HANGS).then(|| not_run(bench, options.bound));
        }
        report.cells.push(Cell {
            suite: case.suite,
            case: case.name,
            device: bench.device().name().into(),
            stream: bench.kind().into(),
            outcome,
            seconds: took.as_secs_f64(),
        });
    }
}

/// Why the cases after the last hang are not run.
fn not_run(bench: &Bench, bound: Duration) -> String {
    let alone = run_bounded(bench, bound, "alone", move |bench| {
        alone::broken(&bench.alone()?, bound / 2).map_or(Ok(()), |text| Err(Stop::Wrong(text)))
    });
    let cause = match alone {
        Err(Stop::Wrong(text) | Stop::Failed(text)) => text,
        _ => "single commands end, with nothing else under way".into(),
    };
    format!("not run, as {HANGS} cases before did not end: {cause}")
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
        None => {
            let (check, wait) = (case.check, WAIT.min(options.bound));
            run_bounded(bench, options.bound, case.name, move |bench| match check(bench) {
                Err(Stop::Wrong(text)) => {
                    Err(Stop::Failed(alone::broken(bench, wait).unwrap_or(text)))
                }
                result => result,
            })
        }
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

/// Runs the check on a thread of its own, which is left behind if it does not end in time.
fn run_bounded(
    bench: &Bench,
    bound: Duration,
    name: &'static str,
    check: impl Fn(&Bench) -> Check + Send + 'static,
) -> Check {
    let (send, receive) = mpsc::channel();
    let bench = bench.clone();
    let thread = std::thread::Builder::new().name(name.into()).spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(|| check(&bench)));
        let _ = send.send(result.unwrap_or_else(|payload| {
            Err(Error::from_panic(format!("case `{name}`"), payload).into())
        }));
    });
    thread.map_err(|e| Stop::Failed(format!("cannot start a thread: {e}")))?;
    receive
        .recv_timeout(bound)
        .unwrap_or_else(|_| Err(Stop::Failed(format!("did not end within {bound:?}"))))
}
