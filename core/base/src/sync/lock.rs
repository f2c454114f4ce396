use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex of the standard library, also after a thread has panicked that held it: what Ringwood keeps in one is
/// whole between statements.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
