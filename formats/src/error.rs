//! Where a file is not a plan, and why.

use ringwood_base::{Error, ErrorKind};

#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    #[error("line {line}, <{element}>: {why}")]
    Element { line: u32, element: String, why: String },
    #[error("GPU {gpu}, block {block}, operation {step} `{name}`: {why}")]
    Operation { gpu: u32, block: u32, step: u32, name: String, why: String },
    #[error("GPU {gpu}: {why}")]
    Gpu { gpu: u32, why: String },
}

/// The whole text is the message, to which help may be added.
impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        Error::new(ErrorKind::InvalidArgument, error.to_string())
    }
}
