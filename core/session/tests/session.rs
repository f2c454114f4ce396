//! Sessions over functions that are registered by hand, without a device, on every kind of session.

/// The same tests for each kind of session.
macro_rules! on_each_kind {
    ($(#[test] fn $name:ident() $body:block)*) => {
        mod threads {
            use super::*;
            $(#[test] fn $name() { crate::functions::with_kind(|b| b.kind("threads"), || $body) })*
        }
        #[cfg(target_os = "linux")]
        mod processes {
            use super::*;
            $(#[test] fn $name() { crate::functions::with_kind(|b| b.kind("processes"), || $body) })*
        }
    };
}

#[path = "session/functions.rs"]
mod functions;

#[path = "session/awaits.rs"]
mod awaits;
#[path = "session/calls.rs"]
mod calls;
#[path = "session/circles.rs"]
mod circles;
#[cfg(target_os = "linux")]
#[path = "session/deaths.rs"]
mod deaths;
#[path = "session/ends.rs"]
mod ends;
#[path = "session/failures.rs"]
mod failures;
#[cfg(target_os = "linux")]
#[path = "session/programs.rs"]
mod programs;
#[cfg(target_os = "linux")]
#[path = "session/ranks.rs"]
mod ranks;
#[path = "session/registers.rs"]
mod registers;
#[cfg(target_os = "linux")]
#[path = "session/scripts.rs"]
mod scripts;
#[path = "session/transports.rs"]
mod transports;
