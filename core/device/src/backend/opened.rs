//! What became of the devices that a driver has.

use ringwood_base::{Error, ErrorKind, Result};

/// Devices that were opened, and why others were not: what [`Backend::devices`](super::Backend::devices) and
/// [`Backend::unopened`](super::Backend::unopened) tell of a driver.
///
/// # Errors
/// No device was opened: why, for each. The error is
/// [`Unavailable`](ringwood_base::ErrorKind::Unavailable) only if all of them are, as a driver that fails is
/// not passed over.
pub fn opened<D>(devices: Vec<D>, mut unopened: Vec<Error>) -> Result<(Vec<D>, Vec<Error>)> {
    if !devices.is_empty() || unopened.is_empty() {
        return Ok((devices, unopened));
    }
    let fails = |error: &Error| error.kind() != ErrorKind::Unavailable;
    let error = unopened.remove(unopened.iter().position(fails).unwrap_or(0));
    Err(unopened.iter().fold(error, |error, other| error.with("not opened", other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_no_device_was_opened_is_told_of_each_and_a_failure_first() {
        let [absent, gone] = ["absent", "gone"].map(Error::unavailable);
        let fails = Error::backend("fails");
        let why = || vec![absent.clone(), fails.clone(), gone.clone()];
        assert_eq!(opened(vec![0], why()).unwrap().1.len(), 3);
        let error = opened::<()>(vec![], why()).unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::Backend, "fails"));
        let text = error.to_string();
        assert!(text.contains("not opened: absent") && text.contains("not opened: gone"), "{text}");
        let error = opened::<()>(vec![], vec![absent, gone]).unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::Unavailable, "absent"));
        assert!(opened::<()>(vec![], vec![]).unwrap().0.is_empty());
    }
}
