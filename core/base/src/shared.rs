//! A constant of the program, or a value that its holders own together.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A constant of the program, or a value that was made at run time and is dropped with its last handle.
///
/// ```
/// use ringwood_base::Shared;
/// use std::sync::Arc;
///
/// const DECLARED: Shared<str> = Shared::Declared("ring");
/// let made: Shared<str> = Shared::Made(Arc::from("ring"));
/// assert_eq!(*DECLARED, *made);
/// ```
pub enum Shared<T: ?Sized + 'static> {
    /// A constant of the program.
    Declared(&'static T),
    /// A value made at run time.
    Made(Arc<T>),
}

impl<T: ?Sized> Clone for Shared<T> {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Shared::Declared(value) => Shared::Declared(value),
            Shared::Made(value) => Shared::Made(Arc::clone(value)),
        }
    }
}

impl<T: ?Sized> Deref for Shared<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match self {
            Shared::Declared(value) => value,
            Shared::Made(value) => value,
        }
    }
}

impl<T: ?Sized> From<&'static T> for Shared<T> {
    fn from(value: &'static T) -> Self {
        Shared::Declared(value)
    }
}

impl<T: ?Sized> From<Arc<T>> for Shared<T> {
    fn from(value: Arc<T>) -> Self {
        Shared::Made(value)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
