//! Commands and replies between a controller and its workers, as plain data.
//!
//! Every command goes to every worker, in one order; a worker runs them one after the other. Only
//! [`Command::Fetch`], [`Command::Await`] and [`Command::Sync`] are answered. The state machines on
//! both sides do no I/O: a channel carries these types and nothing else.

use super::Value;
use ringwood_base::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The version of these types; both ends of a channel between processes must agree.
pub const VERSION: i64 = 1;

/// The number of arguments that a call may have.
pub const MAX_ARGUMENTS: usize = 256;

/// The bytes that one argument may have, without the elements of tensors.
pub const MAX_ARGUMENT_BYTES: usize = 1 << 20;

/// The number of a register; 0 is reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Register(pub u32);

/// From the controller to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Runs a function and puts its result, or its failure, into `target`.
    Call {
        /// The number of the call, counted by the controller from 1.
        call: u64,
        /// The function's name.
        function: Cow<'static, str>,
        /// Its arguments.
        operands: Vec<Operand>,
        /// Where the result goes.
        target: Register,
    },
    /// Puts a value into a register.
    Set {
        /// Where it goes.
        register: Register,
        /// The value.
        value: Value,
    },
    /// Empties registers.
    Free {
        /// Which.
        registers: Vec<Register>,
    },
    /// Asks for the content of a register.
    Fetch {
        /// Named by the reply.
        request: u64,
        /// Which.
        register: Register,
    },
    /// Asks whether a register holds a value.
    Await {
        /// Named by the reply.
        request: u64,
        /// Which.
        register: Register,
    },
    /// Replaces the content of a register by one of its kind, and asks for an answer.
    Replace {
        /// Named by the reply.
        request: u64,
        /// Which.
        register: Register,
        /// Its new content; tensors are put onto the worker's device.
        value: Value,
    },
    /// Asks for an answer once everything before is done, the device's work included.
    Sync {
        /// Named by the reply.
        request: u64,
    },
    /// Ends the worker.
    Shutdown,
}

/// One argument of a call.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operand {
    /// The value itself.
    Value(Value),
    /// The content of the worker's register.
    Register(Register),
}

/// From a worker to the controller.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reply {
    /// The request that this answers.
    pub request: u64,
    /// The value asked for (`none` where there is none), or the failure.
    pub outcome: Result<Value, Failure>,
}

/// A failure on a worker, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The text: worker, function and cause.
    pub text: String,
    /// The call that failed.
    pub call: u64,
    /// Whether the session ends with it.
    pub closes: bool,
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        Self { kind: error.kind(), text: error.to_string(), call: 0, closes: false }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Error::new(failure.kind, failure.text)
    }
}

/// Whether a worker speaks this version: its first reply says which one it does.
///
/// # Errors
/// Another version.
pub(super) fn check_version(theirs: &Value) -> Result<()> {
    if matches!(theirs, Value::Int(VERSION)) {
        return Ok(());
    }
    let message = format!("a worker speaks version {theirs} of the protocol, not {VERSION}");
    Err(Error::new(ErrorKind::Protocol, message))
}

/// Whether a value may be an argument.
///
/// # Errors
/// A tensor on a device; more than [`MAX_ARGUMENT_BYTES`].
pub(super) fn check_argument(value: &Value) -> Result<()> {
    if value.has_tensor() {
        let message = "a tensor of the controller cannot be an argument";
        return Err(Error::new(ErrorKind::InvalidArgument, message)
            .help("put it on the workers with `broadcast` or `scatter`"));
    }
    let bytes = bytes(value);
    if bytes > MAX_ARGUMENT_BYTES {
        let message = format!("an argument of {bytes} bytes exceeds {MAX_ARGUMENT_BYTES}");
        return Err(Error::new(ErrorKind::InvalidArgument, message)
            .help("send large data as a tensor, with `broadcast` or `scatter`"));
    }
    Ok(())
}

/// About how many bytes a value takes in a message, without the elements of tensors.
fn bytes(value: &Value) -> usize {
    match value {
        Value::Str(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(values) => values.iter().map(bytes).sum(),
        _ => 8,
    }
}

#[cfg(test)]
mod tests;
