//! What a controller and its workers say to each other, as plain data.
//!
//! Calls and registers go to every worker, in one order; a worker runs its commands one after the other. Only
//! [`Command::Fetch`], [`Command::Await`], [`Command::Replace`] and [`Command::Sync`] are answered.
//! The state machines on both sides do no I/O. To a worker that is a process an [`Order`] goes, from
//! it a [`Report`] comes, each as one frame.

use super::{Config, Value};
use ringwood_base::{Error, ErrorKind, Result};
use std::borrow::Cow;

/// The version of these types; both ends of a channel between processes must agree.
pub(super) const VERSION: u8 = 9;

/// The number of arguments that a call may have.
pub(super) const MAX_ARGUMENTS: usize = 256;

/// The bytes that one argument may have, without the elements of tensors and lists of numbers.
pub(super) const MAX_ARGUMENT_BYTES: usize = 1 << 20;

/// The number of a register; 0 is reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Register(pub u32);

/// Enums, each variant behind the number by which it travels.
macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident { $(
        $(#[$of:meta])* $tag:literal $variant:ident $(($inner:ident: $type:ty))?
            $({ $($(#[$at:meta])* $field:ident: $part:ty),* $(,)? })?,
    )* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub enum $name {$(
            $(#[$of])*
            $variant $(($type))? $({ $($(#[$at])* $field: $part),* })?,
        )*}

        #[cfg(target_os = "linux")]
        crate::wire::variants! {
            $name { $($tag $variant { $(0 $inner)? $($($field $field),*)? })* }
        }
    )*};
}

messages! {
    /// From the controller to a worker. A `request` is named by its [`Reply`].
    Command {
        /// Runs a function and puts its result, or its failure, into `target`. Calls are counted from 1.
        0 Call { call: u64, function: Cow<'static, str>, operands: Vec<Operand>, target: Register },
        /// Puts a value into a register.
        1 Set { register: Register, value: Value },
        /// Empties registers.
        2 Free { registers: Vec<Register> },
        /// Asks for the content of a register.
        3 Fetch { request: u64, register: Register },
        /// Asks whether a register holds a value.
        4 Await { request: u64, register: Register },
        /// Replaces the content of a register by one of its kind; tensors are put onto the worker's device.
        5 Replace { request: u64, register: Register, value: Value },
        /// Asks for an answer once everything before is done, the device's work included.
        6 Sync { request: u64 },
        /// Ends the worker.
        7 Shutdown,
    }

    /// One argument of a call: the value itself, or the content of the worker's register.
    Operand {
        0 Value(value: Value),
        1 Register(register: Register),
    }

    /// What a worker does, for who watches all of them.
    Event {
        /// It begins a call.
        0 Begin { call: u64, function: Cow<'static, str> },
        /// It enters a collective.
        1 Enter { scope: Scope, name: Cow<'static, str> },
        /// It is back from a collective, in which it made so many calls of the group: usually 1, and 0 if it failed before.
        2 Leave { joined: u64 },
        /// It begins a message, to or from the other worker.
        3 Exchange { direction: Direction, peer: usize },
        /// It is back from a message.
        4 Exchanged,
        /// It has ended its call, which may have failed.
        5 End { failure: Option<Failure> },
    }

    /// To a worker that is a process.
    Order {
        /// First of all: what the worker is.
        0 Start(setup: Setup),
        /// The next command.
        1 Command(command: Command),
        /// The session has ended: waits are over.
        2 Close(failure: Failure),
        /// Another worker has left a call without what this one waits in: it closes the session if it still does.
        3 Absent {
            /// Which of its waits, counted from 1.
            wait: u64,
            /// What it closes the session with.
            failure: Failure,
        },
        /// To be answered at once, whatever the worker does: whether it is in this of its waits; in none of them where it is 0.
        4 Ping(wait: u64),
    }

    /// From a worker that is a process.
    Report {
        /// The answer to a request.
        0 Reply(reply: Reply),
        /// What it does.
        1 Event(event: Event),
        /// It ends the session.
        2 Close(failure: Failure),
        /// It has run so many commands.
        3 Done(commands: u64),
        /// The answer to a ping: the wait that it asks for, or 0 where the worker is not in that.
        4 Pong(wait: u64),
    }
}

impl Command {
    /// The name, unless it is a call or the end.
    pub(super) fn name(&self) -> Option<&'static str> {
        Some(match self {
            Self::Set { .. } => "set",
            Self::Free { .. } => "free",
            Self::Fetch { .. } => "fetch",
            Self::Await { .. } => "await",
            Self::Replace { .. } => "replace",
            Self::Sync { .. } => "sync",
            Self::Call { .. } | Self::Shutdown => return None,
        })
    }
}

/// From a worker to the controller: the value that a request asks for (`none` where there is none), or the failure.
#[derive(Clone, Debug)]
pub struct Reply {
    pub request: u64,
    pub outcome: Result<Value, Failure>,
}

/// A failure on a worker, as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub kind: ErrorKind,
    /// Worker, function and cause.
    pub text: String,
    /// Whether the session ends with it.
    pub closes: bool,
}

impl Failure {
    /// One that ends the session.
    pub(super) fn closing(kind: ErrorKind, text: String) -> Self {
        Self { kind, text, closes: true }
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        Self { kind: error.kind(), text: error.to_string(), closes: false }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Error::new(failure.kind, failure.text)
    }
}

/// Which workers take part in a collective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// All of the session.
    #[default]
    All,
    /// Those of one group.
    Group,
}

/// Where a message goes, as a worker sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Send,
    Recv,
}

impl Direction {
    pub(super) fn name(self) -> &'static str {
        if self == Self::Send { "send" } else { "recv" }
    }

    /// The word before the other worker.
    pub(super) fn way(self) -> &'static str {
        if self == Self::Send { "to" } else { "from" }
    }
}

impl Event {
    /// Whether others may wait in vain from then on, or this worker. That it begins a call, the flight recorder tells at once.
    pub(super) fn is_urgent(&self) -> bool {
        matches!(self, Self::Enter { .. } | Self::Exchange { .. } | Self::End { failure: Some(_) })
    }
}

/// What a worker is, and is set up with.
#[derive(Clone, Debug)]
pub struct Setup {
    pub rank: usize,
    /// As far as it concerns workers.
    pub config: Box<Config>,
    /// Where the workers meet for collectives.
    pub address: String,
    /// What collectives are chosen by, as text.
    pub model: String,
    /// Where they record what they do.
    pub flight: String,
    /// The version of Ringwood that the controller is built from.
    pub version: String,
    /// The names of its global functions with their signatures.
    pub functions: Vec<(String, String)>,
}

/// Whether a value may be an argument.
///
/// # Errors
/// A tensor on a device; more than [`MAX_ARGUMENT_BYTES`].
pub(super) fn check_argument(value: &Value) -> Result<()> {
    if value.holds(|value| matches!(value, Value::Tensor(_))) {
        return Err(Error::invalid("a tensor of the controller cannot be an argument")
            .help("put it on the workers with `broadcast` or `scatter`"));
    }
    let deep = || {
        Error::invalid(format!("an argument's lists lie more than {DEEPEST} deep in each other"))
    };
    let (bytes, elements) = sizes(value, DEEPEST).ok_or_else(deep)?;
    if elements > MAX_ELEMENT_BYTES {
        return Err(Error::invalid(format!(
            "an argument of many small tensors or lists of numbers, {elements} bytes together, exceeds {MAX_ELEMENT_BYTES}"
        ))
            .help("make fewer and larger ones of them"));
    }
    if bytes > MAX_ARGUMENT_BYTES {
        return Err(Error::invalid(format!(
            "an argument of {bytes} bytes exceeds {MAX_ARGUMENT_BYTES}"
        ))
        .help("send large data as a tensor, with `broadcast` or `scatter`"));
    }
    Ok(())
}

/// Elements of more bytes travel beside a message.
pub(super) const LARGE: usize = 64 << 10;
/// Values lie at most so deep in each other.
pub(super) const DEEPEST: u32 = 64;
/// Lists of a message lie at most so deep: those of an argument in that of a call's arguments, and a shape in them.
pub(super) const DEEPEST_LIST: u32 = DEEPEST + 2;
/// The most bytes of elements that travel in the message of a call, and not beside it.
const MAX_ELEMENT_BYTES: usize = 32 << 20;

/// About how many bytes a value takes in a message, and the elements of its small tensors; none where lists lie
/// deeper in each other.
fn sizes(value: &Value, deepest: u32) -> Option<(usize, usize)> {
    if let Some(values) = value.inner() {
        let inner = deepest.checked_sub(1)?;
        return values.iter().try_fold((0, 0), |sum, value| {
            let (bytes, elements) = sizes(value, inner)?;
            Some((sum.0 + bytes.max(8), sum.1 + elements))
        });
    }
    Some(match value {
        Value::Str(text) => (text.len(), 0),
        Value::Bytes(bytes) => (bytes.len(), 0),
        Value::Host(tensor) | Value::Numbers(tensor) if tensor.bytes().len() <= LARGE => {
            (8, tensor.bytes().len())
        }
        _ => (8, 0),
    })
}
