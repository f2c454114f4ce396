//! The errors of graphs, by what is wrong.

use ringwood_base::{Error, ErrorKind};
use std::borrow::Cow;

/// The error of an application that is given what it does not take.
pub fn invalid(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}

/// The error of an application whose operands have shapes that do not fit.
pub fn misshapen(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Shape, message)
}

/// The error of an application whose operands have element types that do not fit.
pub fn mistyped(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::DType, message)
}

/// The error of an application that asks for what there is not.
pub fn unsupported(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Unsupported, message)
}

/// The error of a name that nothing has.
pub(crate) fn not_found(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::NotFound, message)
}
