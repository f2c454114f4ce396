use super::*;
use crate::library::Calls;
use crate::library::tests::of_calls;
use ringwood_backend_cuda::Cuda;
use ringwood_base::ErrorKind;
use ringwood_device::backend::Backend;
use std::ffi::c_char;
use std::io::Write;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

/// A library of its own for each test: its state, and how often communicators were aborted and destroyed.
macro_rules! library {
    ($state:ident, $aborted:ident, $destroyed:ident, abort takes $abort:expr) => {{
        unsafe extern "C" fn init(
            comm: *mut ncclComm_t,
            ranks: c_int,
            _: ncclUniqueId,
            rank: c_int,
            config: *mut ncclConfig_t,
        ) -> c_int {
            assert!(!config.is_null() && rank < ranks);
            // SAFETY: the caller's.
            unsafe { *comm = std::ptr::dangling_mut() };
            IN_PROGRESS
        }
        unsafe extern "C" fn async_error(_: ncclComm_t, state: *mut c_int) -> c_int {
            // SAFETY: the caller's.
            unsafe { *state = $state.load(Ordering::Relaxed) };
            0
        }
        unsafe extern "C" fn abort(_: ncclComm_t) -> c_int {
            $aborted.fetch_add(1, Ordering::Relaxed);
            thread::sleep($abort);
            0
        }
        unsafe extern "C" fn destroy(_: ncclComm_t) -> c_int {
            $destroyed.fetch_add(1, Ordering::Relaxed);
            0
        }
        of_calls(Calls { init, async_error, abort, destroy, ..inert() }).unwrap()
    }};
}

/// Functions that do nothing; reductions are in progress.
fn inert() -> Calls {
    unsafe extern "C" fn version(version: *mut c_int) -> c_int {
        // SAFETY: the caller's.
        unsafe { *version = 21_800 };
        0
    }
    unsafe extern "C" fn error_string(_: c_int) -> *const c_char {
        c"remote process exited".as_ptr()
    }
    unsafe extern "C" fn last_error(_: ncclComm_t) -> *const c_char {
        c"rank 1 left".as_ptr()
    }
    unsafe extern "C" fn unique_id(_: *mut ncclUniqueId) -> c_int {
        0
    }
    unsafe extern "C" fn init(
        _: *mut ncclComm_t,
        _: c_int,
        _: ncclUniqueId,
        _: c_int,
        _: *mut ncclConfig_t,
    ) -> c_int {
        2
    }
    unsafe extern "C" fn async_error(_: ncclComm_t, _: *mut c_int) -> c_int {
        0
    }
    unsafe extern "C" fn end(_: ncclComm_t) -> c_int {
        0
    }
    unsafe extern "C" fn merge(
        _: *const c_void,
        _: *mut c_void,
        _: usize,
        _: c_int,
        _: c_int,
        _: ncclComm_t,
        _: cudaStream_t,
    ) -> c_int {
        IN_PROGRESS
    }
    unsafe extern "C" fn reduce(
        _: *const c_void,
        _: *mut c_void,
        _: usize,
        _: c_int,
        _: c_int,
        _: c_int,
        _: ncclComm_t,
        _: cudaStream_t,
    ) -> c_int {
        IN_PROGRESS
    }
    unsafe extern "C" fn all_gather(
        _: *const c_void,
        _: *mut c_void,
        _: usize,
        _: c_int,
        _: ncclComm_t,
        _: cudaStream_t,
    ) -> c_int {
        IN_PROGRESS
    }
    Calls {
        version,
        error_string,
        last_error,
        unique_id,
        init,
        async_error,
        finalize: end,
        destroy: end,
        abort: end,
        all_reduce: merge,
        reduce,
        broadcast: merge,
        all_gather,
        reduce_scatter: merge,
    }
}

const ID: ncclUniqueId = ncclUniqueId { internal: [0; 128] };

fn join(library: Arc<Library>, within: Duration) -> Result<Communicator> {
    Communicator::join(library, Rank::new(0, 2), ID, Instant::now() + within)
}

/// The outcome of a call, with the state that the library tells from `after` on.
fn call(communicator: &Communicator, state: &'static AtomicI32, then: c_int) -> Result<()> {
    let (name, operation) = ("ncclAllReduce", Operation::AllReduce);
    let call = Call { name, operation, count: 4, dtype: 7, op: 0, root: 0 };
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(20));
            state.store(then, Ordering::Relaxed);
        });
        let deadline = Instant::now() + Duration::from_secs(20);
        // SAFETY: the function of the test looks at nothing.
        unsafe { communicator.enqueue(&call, [0; 2], null_mut(), deadline) }
    })
}

#[test]
fn a_rank_that_does_not_come_is_a_timeout_and_the_communicator_is_aborted() {
    static STATE: AtomicI32 = AtomicI32::new(IN_PROGRESS);
    static ABORTED: AtomicUsize = AtomicUsize::new(0);
    static DESTROYED: AtomicUsize = AtomicUsize::new(0);
    let library = library!(STATE, ABORTED, DESTROYED, abort takes Duration::ZERO);
    let start = Instant::now();
    let error = join(library, Duration::from_millis(50)).err().unwrap();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(error.message().starts_with("ncclCommInitRankConfig is still in progress"), "{error}");
    assert_eq!(error.get("rank"), Some("0"));
    assert_eq!([&ABORTED, &DESTROYED].map(|count| count.load(Ordering::Relaxed)), [1, 0]);
}

#[test]
fn calls_are_polled_to_their_end_and_a_communicator_that_ends_well_is_destroyed() {
    static STATE: AtomicI32 = AtomicI32::new(0);
    static ABORTED: AtomicUsize = AtomicUsize::new(0);
    static DESTROYED: AtomicUsize = AtomicUsize::new(0);
    let library = library!(STATE, ABORTED, DESTROYED, abort takes Duration::ZERO);
    let communicator = join(library, Duration::from_secs(1)).unwrap();
    STATE.store(IN_PROGRESS, Ordering::Relaxed);
    communicator.poll().unwrap();
    call(&communicator, &STATE, 0).unwrap();
    drop(communicator);
    assert_eq!([&ABORTED, &DESTROYED].map(|count| count.load(Ordering::Relaxed)), [0, 1]);
}

#[test]
fn what_fails_in_the_background_has_the_texts_of_nccl_and_an_abort_that_hangs_is_left_behind() {
    static STATE: AtomicI32 = AtomicI32::new(0);
    static ABORTED: AtomicUsize = AtomicUsize::new(0);
    static DESTROYED: AtomicUsize = AtomicUsize::new(0);
    let library = library!(STATE, ABORTED, DESTROYED, abort takes Duration::from_secs(60));
    let mut communicator = join(library, Duration::from_secs(1)).unwrap();
    STATE.store(IN_PROGRESS, Ordering::Relaxed);
    let remote = ncclResult_t::ncclRemoteError as c_int;
    let error = call(&communicator, &STATE, remote).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Backend);
    assert_eq!(error.message(), "ncclAllReduce failed: remote process exited: rank 1 left");
    assert_eq!(error.get("library"), Some("libtest_nccl.so 2.18.0"));
    assert!(communicator.poll().is_err());
    let start = Instant::now();
    communicator.abort();
    assert!(start.elapsed() < END + Duration::from_secs(2), "{:?}", start.elapsed());
    assert_eq!(call(&communicator, &STATE, 0).unwrap_err().kind(), ErrorKind::Aborted);
    drop(communicator);
    assert_eq!([&ABORTED, &DESTROYED].map(|count| count.load(Ordering::Relaxed)), [1, 0]);
}

#[test]
fn without_a_driver_the_library_of_the_machine_refuses_at_once() {
    let skipped = |why: &str| drop(writeln!(std::io::stderr(), "skipped: {why}"));
    if Cuda::open().is_ok() {
        return skipped("this machine has a CUDA device");
    }
    let library = match Library::of_process() {
        Ok(library) => library,
        Err(error) => return skipped(&error.to_string()),
    };
    let id = library.unique_id().unwrap();
    let start = Instant::now();
    let deadline = start + Duration::from_secs(5);
    let error = Communicator::join(library, Rank::new(1, 2), id, deadline).err().unwrap();
    assert!(start.elapsed() < Duration::from_secs(5), "{error}");
    assert!(error.message().starts_with("ncclCommInitRankConfig failed: "), "{error}");
    assert_eq!((error.kind(), error.get("rank")), (ErrorKind::Backend, Some("1")));
}

#[test]
fn on_a_gpu_a_rank_that_does_not_come_is_a_timeout_and_the_next_communicator_works() {
    let skipped = |why: &str| drop(writeln!(std::io::stderr(), "skipped: {why}"));
    let cuda = match Cuda::open() {
        Ok(cuda) => cuda,
        Err(error) => return skipped(&error.to_string()),
    };
    let library = Library::of_process().unwrap();
    cuda.devices().unwrap()[0].enter().unwrap();
    let join = |rank, within| {
        let id = library.unique_id().unwrap();
        Communicator::join(library.clone(), rank, id, Instant::now() + within)
    };
    let start = Instant::now();
    let error = join(Rank::new(0, 2), Duration::from_secs(2)).err().unwrap();
    assert!(start.elapsed() < Duration::from_secs(2) + END * 2, "{:?}", start.elapsed());
    assert_eq!((error.kind(), error.get("rank")), (ErrorKind::Timeout, Some("0")), "{error}");
    join(Rank::new(0, 1), Duration::from_secs(30)).unwrap().poll().unwrap();
}
