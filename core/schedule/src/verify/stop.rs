//! Why a run ends early.

use super::finding::Finding;
use ringwood_base::Error;

pub(super) enum Stop {
    Finding(Box<Finding>),
    Error(Error),
}

impl Stop {
    /// The error of a schedule that was expected to be right.
    pub(super) fn into_error(self, name: &str) -> Error {
        match self {
            Stop::Error(error) => error,
            Stop::Finding(finding) => {
                Error::not_verified(format!("collective `{name}`: {finding}"))
            }
        }
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Error(error)
    }
}

impl From<Finding> for Stop {
    fn from(finding: Finding) -> Self {
        Stop::Finding(Box::new(finding))
    }
}
