//! Where a file is not a plan, and why.

use ringwood_base::{Error, ErrorKind};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    #[error("line {line}, <{element}>: {why}")]
    Element { line: u32, element: String, why: String },
    #[error("line {line}, GPU {gpu}, block {block}, operation {step} `{name}`: {why}")]
    Operation { line: u32, gpu: u32, block: u32, step: u32, name: String, why: String },
    #[error("GPU {gpu}: {why}")]
    Gpu { gpu: u32, why: String },
}

impl ReadError {
    /// The error of a kind; the whole text is the message, to which help may be added.
    pub(crate) fn of(self, kind: ErrorKind) -> Error {
        Error::new(kind, self.to_string())
    }
}

/// A file that is malformed; what is well-formed and not read here is [`ErrorKind::Unsupported`].
impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        error.of(ErrorKind::InvalidArgument)
    }
}
