//! A module without anything but a private item in a private module.

pub(crate) mod inside {
    #[ringwood_session::global_fn]
    pub(crate) fn hidden(x: i64) -> i64 {
        x - 1
    }
}
