//! Sessions over functions that are registered by hand, without a device.

#[path = "session/functions.rs"]
mod functions;

#[path = "session/calls.rs"]
mod calls;
#[path = "session/ends.rs"]
mod ends;
#[path = "session/failures.rs"]
mod failures;
#[path = "session/registers.rs"]
mod registers;
