//! The one error type: what failed, where, why, and what to do about it.

use std::borrow::Cow;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The result of every fallible operation of Ringwood.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What kind of thing went wrong; stable, so that programs may match on it. It prints as a stable
/// lower-case code, for logs and `--json`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, thiserror::Error,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// An argument is outside what the operation accepts.
    #[error("invalid_argument")]
    InvalidArgument,
    /// A name is not registered, or a node, register or file does not exist.
    #[error("not_found")]
    NotFound,
    /// Two items are registered under one name.
    #[error("duplicate")]
    Duplicate,
    /// The device, kernel or algorithm cannot do this, and says so.
    #[error("unsupported")]
    Unsupported,
    /// A component is absent on this machine (no driver, no library, no device).
    #[error("unavailable")]
    Unavailable,
    /// Shapes do not fit together.
    #[error("shape")]
    Shape,
    /// Element types do not fit together.
    #[serde(rename = "dtype")]
    #[error("dtype")]
    DType,
    /// Values live on devices that do not fit together, or a handle belongs to another backend.
    #[error("device")]
    Device,
    /// An allocation exceeds what the device has or was allowed.
    #[error("out_of_memory")]
    OutOfMemory,
    /// A kernel read or wrote outside of a buffer.
    #[error("out_of_bounds")]
    OutOfBounds,
    /// The ranks of a group disagree about a call.
    #[error("mismatch")]
    Mismatch,
    /// A collective schedule did not pass the verifier.
    #[error("not_verified")]
    NotVerified,
    /// A wait exceeded its bound.
    #[error("timeout")]
    Timeout,
    /// The operation was given up because of a failure elsewhere; the message names that failure.
    #[error("aborted")]
    Aborted,
    /// User code panicked.
    #[error("panic")]
    Panic,
    /// A message between controller and worker is malformed.
    #[error("protocol")]
    Protocol,
    /// A device or its driver reported a failure.
    #[error("backend")]
    Backend,
}

/// A failure, cheap to clone so that every waiter can hold the same one.
///
/// The text has the form `message (key: value, …); help`, followed by the source's text if there is
/// one; long messages and facts are cut. The first failure of a stream, a group or a session sticks and reaches every waiter.
///
/// ```
/// use ringwood_base::{Error, ErrorKind};
///
/// let error = Error::new(ErrorKind::Timeout, "rank 2 did not arrive within 5 s")
///     .with("group", 7)
///     .help("raise the timeout, or look for what keeps rank 2");
/// assert_eq!(error.kind(), ErrorKind::Timeout);
/// assert_eq!(
///     error.to_string(),
///     "rank 2 did not arrive within 5 s (group: 7); raise the timeout, or look for what keeps rank 2"
/// );
/// ```
#[derive(Clone, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Error(Arc<Inner>);

type Source = Arc<dyn std::error::Error + Send + Sync>;

#[derive(Clone, serde::Serialize, serde::Deserialize)]
struct Inner {
    kind: ErrorKind,
    message: Cow<'static, str>,
    context: Vec<(Cow<'static, str>, String)>,
    help: Option<Cow<'static, str>>,
    #[serde(with = "text")]
    source: Option<Source>,
}

/// Payloads of panics that are dropped one after the other, each thrown by the destructor of the one
/// before.
const PAYLOADS: usize = 8;

macro_rules! constructors {
    ($($name:ident: $kind:ident;)*) => {$(
        #[doc = concat!("A failure of kind [`", stringify!($kind), "`](ErrorKind::", stringify!($kind), "); see [`Error::new`].")]
        pub fn $name(message: impl Into<Cow<'static, str>>) -> Self {
            Self::new(ErrorKind::$kind, message)
        }
    )*};
}

impl Error {
    constructors! {
        invalid: InvalidArgument;
        not_found: NotFound;
        duplicate: Duplicate;
        unsupported: Unsupported;
        unavailable: Unavailable;
        shape: Shape;
        dtype: DType;
        device: Device;
        out_of_memory: OutOfMemory;
        out_of_bounds: OutOfBounds;
        mismatch: Mismatch;
        not_verified: NotVerified;
        timeout: Timeout;
        aborted: Aborted;
        protocol: Protocol;
        backend: Backend;
    }

    /// A failure of `kind`; `message` says what failed and why, in lower case, without a full stop.
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        let message = message.into();
        Self(Arc::new(Inner { kind, message, context: Vec::new(), help: None, source: None }))
    }

    /// Adds one fact: a rank, a device, a `file:line`.
    #[must_use]
    pub fn with(self, key: &'static str, value: impl fmt::Display) -> Self {
        self.change(|inner| inner.context.push((key.into(), value.to_string())))
    }

    /// Adds what the reader can do about it.
    #[must_use]
    pub fn help(self, help: impl Into<Cow<'static, str>>) -> Self {
        self.change(|inner| inner.help = Some(help.into()))
    }

    /// Adds what the reader can do about it, unless the failure says something better.
    #[must_use]
    pub fn or_help(self, help: impl Into<Cow<'static, str>>) -> Self {
        if self.0.help.is_some() { self } else { self.help(help) }
    }

    /// Adds the failure that caused this one.
    #[must_use]
    pub fn because(self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.change(|inner| inner.source = Some(Arc::new(source)))
    }

    /// The panic of user code as an error that names it.
    ///
    /// `what` says which user code ran (``kernel `saxpy` ``); `payload` is what `catch_unwind`
    /// returned. A destructor of the payload that panics as well changes nothing.
    pub fn from_panic(what: impl fmt::Display, payload: Box<dyn std::any::Any + Send>) -> Self {
        let text = payload
            .downcast_ref::<&'static str>()
            .map(ToString::to_string)
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a payload that is not text".into());
        let mut payload = Some(payload);
        for _ in 0..PAYLOADS {
            let last = payload.take();
            payload = catch_unwind(AssertUnwindSafe(|| drop(last))).err();
        }
        // A destructor that panics with its own kind has no end.
        std::mem::forget(payload);
        Self::new(ErrorKind::Panic, format!("{what} panicked: {text}"))
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What failed and why, without context, help and source.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The facts added with [`Error::with`], in order.
    pub fn context(&self) -> &[(Cow<'static, str>, String)] {
        &self.0.context
    }

    /// The value of one fact.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.context.iter().find(|(k, _)| *k == key).map(|(_, v)| v.as_str())
    }

    fn change(mut self, edit: impl FnOnce(&mut Inner)) -> Self {
        edit(Arc::make_mut(&mut self.0));
        self
    }
}

/// The most bytes of a message and of a fact that are shown: they may repeat what a file claims.
const MOST_MESSAGE: usize = 1 << 14;
const MOST_FACT: usize = 1 << 10;

/// Writes a text, or its start and how long it is.
fn shown(f: &mut fmt::Formatter<'_>, text: &str, most: usize) -> fmt::Result {
    match text.len() > most {
        true => {
            let start = &text[..text.floor_char_boundary(most)];
            write!(f, "{start}… ({} bytes)", text.len())
        }
        false => f.write_str(text),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        shown(f, &self.0.message, MOST_MESSAGE)?;
        for (i, (key, value)) in self.0.context.iter().enumerate() {
            write!(f, "{}{key}: ", if i == 0 { " (" } else { ", " })?;
            shown(f, value, MOST_FACT)?;
        }
        if !self.0.context.is_empty() {
            f.write_str(")")?;
        }
        if let Some(help) = &self.0.help {
            write!(f, "; {help}")?;
        }
        if let Some(source) = &self.0.source {
            write!(f, ": {source}")?;
        }
        Ok(())
    }
}

/// The same text as `Display`: `main` returning `Err` prints it for a person.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} [{}]", self.0.kind)
    }
}

/// A source as data, for other processes: its text.
mod text {
    use super::Source;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    pub(super) fn serialize<S: Serializer>(
        source: &Option<Source>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        source.as_ref().map(ToString::to_string).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Source>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        Ok(text.map(|text| Arc::from(Box::from(text))))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|s| s.as_ref() as _)
    }
}

#[cfg(test)]
mod tests;
