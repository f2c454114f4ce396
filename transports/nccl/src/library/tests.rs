use super::*;
use ringwood_base::ErrorKind;
use std::io::Write;

/// The library of this machine; `None` with a line that says why the test is skipped, unless `RINGWOOD_REQUIRE` lists
/// `nccl`.
fn installed() -> Option<Library> {
    let error = match Library::open(None) {
        Ok(library) => return Some(library),
        Err(error) => error,
    };
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|name| name.trim() == "nccl"), "{error}");
    let _ = writeln!(std::io::stderr(), "skipped: {error}");
    None
}

/// A library whose functions are those of a test.
pub(crate) fn of_calls(calls: Calls) -> Result<Arc<Library>> {
    Library::of("libtest_nccl.so", calls, None).map(Arc::new)
}

#[test]
fn an_absent_library_is_unavailable_by_name_with_what_to_install() {
    let error = Library::open(Some("libno_such_nccl.so.2")).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.to_string().contains("libno_such_nccl.so.2"), "{error}");
    assert!(error.to_string().contains("nvidia-nccl-cu12"), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_library_that_is_not_nccl_is_refused_by_its_first_missing_function() {
    let error = Library::open(Some("libc.so.6")).err().unwrap();
    let message = "`libc.so.6` has no `ncclGetVersion`: it is no NCCL library, or too old";
    assert_eq!((error.kind(), error.message()), (ErrorKind::Unavailable, message));
}

#[test]
fn the_library_of_the_machine_says_its_version_and_makes_ids_that_differ() {
    let Some(library) = installed() else { return };
    assert!(library.version >= OLDEST);
    assert!(library.version().starts_with("2."), "{}", library.version());
    let [a, b] = [0, 1].map(|_| library.unique_id().unwrap());
    assert_ne!(a.internal, b.internal);
}

#[test]
fn every_status_that_the_bindings_know_has_a_text() {
    let Some(library) = installed() else { return };
    let codes = 1..ncclResult_t::ncclNumResults as c_int;
    let texts = codes.map(|code| library.done("ncclTest", code, null_mut()).unwrap_err());
    let mut texts: Vec<_> = texts.map(|error| error.message().to_owned()).collect();
    assert!(texts.iter().all(|text| text.len() > "ncclTest failed: ".len()), "{texts:?}");
    texts.dedup();
    assert_eq!(texts.len(), ncclResult_t::ncclNumResults as usize - 1, "{texts:?}");
}

#[test]
fn a_library_that_is_dropped_leaves_its_threads_their_code() {
    let Some(library) = installed() else { return };
    drop(library);
    let mapped = std::fs::read_to_string("/proc/self/maps").unwrap();
    assert!(mapped.contains("libnccl"), "{mapped}");
}
