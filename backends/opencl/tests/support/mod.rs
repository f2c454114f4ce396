//! What the tests share.

use ringwood_backend_opencl::OpenCl;
use ringwood_base::{Error, ErrorKind};
use ringwood_device::backend::Backend;
use std::io::Write;
use std::process::{Command, Output};

/// The backend, or `None` with a line that says why the test is skipped. `RINGWOOD_REQUIRE=opencl`
/// makes that a failure.
#[allow(dead_code, reason = "not every test program needs the backend")]
pub(crate) fn opencl() -> Option<OpenCl> {
    OpenCl::open().map_err(|error| skip(&error)).ok()
}

#[allow(dead_code, reason = "as above")]
fn skip(error: &Error) {
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    absent("opencl", &error.to_string());
}

/// Says that a test is skipped for want of a tool; a failure if `RINGWOOD_REQUIRE` names it.
pub(crate) fn absent(tool: &str, why: &str) {
    let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|name| name.trim() == tool), "{why}");
    skipped(why);
}

/// Says that a test is skipped, past the capture of test output.
pub(crate) fn skipped(reason: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {reason}");
}

/// Runs the calling test again, as a process with variables set: drivers read them when they load.
/// `None` in that process.
#[allow(dead_code, reason = "not every test program starts itself again")]
pub(crate) fn again_with(test: &str, variables: &[(&str, &str)]) -> Option<Output> {
    const CHILD: &str = "RINGWOOD_TEST_STARTED_AGAIN";
    if std::env::var_os(CHILD).is_some() {
        return None;
    }
    let program = std::env::current_exe().expect("a test knows its program");
    let mut command = Command::new(program);
    command.args(["--exact", test, "--nocapture"]).env(CHILD, "1").envs(variables.iter().copied());
    Some(command.output().expect("a test program starts"))
}
