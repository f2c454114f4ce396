//! The conformance suite for Ringwood backends: what a device must do, as a matrix.
//!
//! The rows are cases, grouped in suites; the columns are the devices of the registered backends,
//! once for each kind of stream. A backend's crate runs it with one line in `tests/conformance.rs`:
//!
//! ```
//! # use ringwood_backend_null::Null as MyChip;
//! ringwood_conformance::suite!(MyChip, unsupported = { "peer_copy": "one device only" });
//! ```
//!
//! | outcome | meaning |
//! |---|---|
//! | passed | the device did what the case asks for |
//! | skipped | the case needs a power that the device does not claim, or the backend is unavailable |
//! | unsupported | the case fails and is listed as `unsupported`, for ever, with the reason |
//! | expected failure | the case fails and is listed as `expected_failure`, for now, with the reason |
//! | failed | anything else; also a listed case that passes |
//!
//! | suite | what it asks for |
//! |---|---|
//! | capabilities | what a device claims is what it does; foreign handles are refused |
//! | data | bytes arrive where they should, of every size, and nowhere else |
//! | events | order within streams, events and waits between them |
//! | kernels | launches of every form, size and rank; batches of kernels |
//! | standard | the standard kernels, with the bits that their IR says |
//! | sources | kernels written by hand for the backend, with what their bodies say |
//! | failures | mistakes are errors; a failure sticks and reaches everyone who waits |
//! | command_buffers | launches prepared once run as often as they are submitted |
//! | concurrency | any thread calls anything at any time |
//! | hazards | the run time orders what streams share; 100 seeds on streams that take one |
//! | memory | limits, deferred freeing, identities, nothing left behind |
//! | runtime | tensors and completions |
//! | coverage | what a failure covers, and what it leaves |
//! | batches | `compile_batch` and `link_batch` |
//! | bindings | static indices, captured and range-checked at submission |
//! | merge | merge slots, by copy and streamed, between devices; shards with the same bits |
//! | donation | a routine takes the memory of a node |
//! | refusals | what the run time refuses, and that streams stay usable |
//!
//! The suites up to `concurrency` call the erased backend; those from `hazards` on call the run time
//! above it. Where memory holds other bytes than it should, single commands are tried with nothing else
//! under way: one that is wrong already is the reason given. A case that does not end is told at once; after
//! five of them the others are not run, and single commands are tried, too. Kernels have IR wherever that can say them, so that devices which print IR run them too;
//! the few that cannot (a host kernel, a panic, more than three dimensions) are skipped there.
//!
//! A list names a case (`peer_copy`), a whole suite (`kernels`), or either on one kind of stream
//! (`peer_copy@sync`). `RINGWOOD_REQUIRE=cpu,opencl` turns the skip of an unavailable backend into
//! a failure.

mod alone;
mod bench;
mod case;
pub mod delegate;
mod options;
mod report;
mod run;
mod suites;

pub use case::{Case, Power};
pub use options::Options;
pub use report::{Cell, Outcome, Report};
pub use run::{check, run};
pub use suites::cases;

/// Runs the suite on one backend, as a test called `conformance`.
///
/// ```
/// # use ringwood_backend_null::Null as MyChip;
/// ringwood_conformance::suite!(
///     MyChip,
///     unsupported = { "peer_copy": "one device only" },
///     expected_failure = { "many_streams": "the driver loses events, see issue 17" },
/// );
/// ```
#[macro_export]
macro_rules! suite {
    (
        $backend:ty
        $(, unsupported = { $($case:literal : $reason:literal),* $(,)? })?
        $(, expected_failure = { $($failing:literal : $why:literal),* $(,)? })?
        $(,)?
    ) => {
        #[test]
        fn conformance() {
            $crate::check::<$backend>(
                &$crate::Options::from_env()
                    $($(.unsupported($case, $reason))*)?
                    $($(.expected_failure($failing, $why))*)?
            );
        }
    };
}
