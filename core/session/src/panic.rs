//! Panics of user code on worker threads: caught, silent, located.
//!
//! `catch_unwind` gives the payload of a panic but not its place. A process-wide hook, installed
//! once in front of the one it found, notes the place for panics on worker threads and passes all
//! others on. A worker's panic therefore prints nothing: it becomes an error that says all of it.

use ringwood_base::Error;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs user code; its panic becomes an error that names `what` and the place.
pub(super) fn guard<R>(what: impl Display, body: impl FnOnce() -> R) -> Result<R, Error> {
    install();
    let outer = CAUGHT.replace(true);
    // That of a panic which user code has caught itself.
    PLACE.take();
    let result = catch_unwind(AssertUnwindSafe(body));
    let result = result.map_err(|payload| describe(&what.to_string(), payload));
    CAUGHT.set(outer);
    result
}

fn describe(what: &str, payload: Box<dyn Any + Send>) -> Error {
    // Before the destructor of the payload, which may panic elsewhere.
    let place = PLACE.take();
    let error = Error::from_panic(what, payload);
    match place {
        Some(place) => Error::new(error.kind(), format!("{} ({place})", error.message())),
        None => error,
    }
}

fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if CAUGHT.get() {
                let place = info.location().map(|l| format!("{}:{}", l.file(), l.line()));
                PLACE.set(place);
            } else {
                previous(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests;
