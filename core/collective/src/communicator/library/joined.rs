//! What a rank knows of libraries.

use super::Class;
use crate::LibraryMember;
use ringwood_base::{Error, Result};
use ringwood_device::device::Device;
use std::collections::HashMap;

/// What a rank knows of libraries, each by its number in the registry; every rank knows the same.
#[derive(Default)]
pub(in super::super) struct Libraries {
    /// This rank in the group of a library, or why it is not there.
    pub(super) joined: HashMap<usize, Result<Joined>>,
    /// Whether a library takes the calls of a class; an error if it cannot.
    pub(super) takes: HashMap<(usize, Class), Result<bool>>,
}

/// This rank in the group of a library.
pub(super) struct Joined {
    pub(super) device: Device,
    pub(super) member: Box<dyn LibraryMember>,
}

impl Libraries {
    /// Why the group has no library, as all ranks know.
    pub(super) fn refusal(&self, number: usize) -> Option<Error> {
        self.joined.get(&number).and_then(|joined| joined.as_ref().err().cloned())
    }

    /// Whether the rank has joined, with that device; `None` before.
    pub(super) fn is_joined(&self, number: usize, device: &Device) -> Option<Result<()>> {
        let joined = match self.joined.get(&number)? {
            Ok(joined) => &joined.device,
            Err(error) => return Some(Err(error.clone())),
        };
        if joined == device {
            return Some(Ok(()));
        }
        let message =
            format!("the rank is in the group of the library with {joined}, not {device}");
        let help = "move the tensor there, or insist on an algorithm";
        Some(Err(Error::device(message).help(help)))
    }

    pub(super) fn member(&mut self, number: usize) -> Result<&mut dyn LibraryMember> {
        match self.joined.get_mut(&number) {
            Some(Ok(joined)) => Ok(&mut *joined.member),
            Some(Err(error)) => Err(error.clone()),
            None => Err(Error::protocol("the rank has not joined the library")),
        }
    }
}
