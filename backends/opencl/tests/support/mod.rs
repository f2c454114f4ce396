//! What the tests share.

use ringwood_backend_opencl::OpenCl;
use ringwood_core::backend::Backend;
use ringwood_core::{Error, ErrorKind};
use std::io::Write;
use std::process::{Command, Output};

/// The backend, or `None` with a line that says why the test is skipped. `RINGWOOD_REQUIRE=opencl`
/// makes that a failure.
pub(crate) fn opencl() -> Option<OpenCl> {
    OpenCl::open().map_err(|error| skip(&error)).ok()
}

fn skip(error: &Error) {
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|name| name.trim() == "opencl"), "{error}");
    skipped(&error.to_string());
}

/// Says that a test is skipped, past the capture of test output.
pub(crate) fn skipped(reason: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {reason}");
}

/// Runs the calling test again, as a process with a variable set: drivers read them when they load.
/// `None` in that process.
#[allow(dead_code, reason = "not every test program starts itself again")]
pub(crate) fn again_with(test: &str, variable: &str, value: &str) -> Option<Output> {
    const CHILD: &str = "RINGWOOD_TEST_STARTED_AGAIN";
    if std::env::var_os(CHILD).is_some() {
        return None;
    }
    let program = std::env::current_exe().expect("a test knows its program");
    let mut command = Command::new(program);
    command.args(["--exact", test, "--nocapture"]).env(CHILD, "1").env(variable, value);
    Some(command.output().expect("a test program starts"))
}
