//! Sessions over functions that are registered by hand, without a device, on every kind of session.

#[macro_use]
#[path = "session/functions.rs"]
mod functions;

#[path = "session/calls.rs"]
mod calls;
#[cfg(target_os = "linux")]
#[path = "session/deaths.rs"]
mod deaths;
#[path = "session/ends.rs"]
mod ends;
#[path = "session/failures.rs"]
mod failures;
#[path = "session/registers.rs"]
mod registers;
