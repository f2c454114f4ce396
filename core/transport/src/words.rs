//! What ranks call, in full: told only when they disagree.

use super::record::{Record, shortened};
use super::slab::Slab;
use crate::Statement;
use ringwood_base::Error;
use ringwood_base::sync::Mutex;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::PoisonError;

/// The words of each rank: kept as they are between threads, as text between processes.
pub(super) enum Words {
    Here(Box<[Mutex<Option<Statement>>]>),
    Shared(Slab<Record>),
}

impl Words {
    pub(super) fn of_threads(ranks: usize) -> Self {
        Words::Here((0..ranks).map(|_| Mutex::default()).collect())
    }

    /// Leaves the words of `rank`; the others are told afterwards.
    pub(super) fn tell(&self, rank: usize, statement: Statement) {
        match self {
            Words::Here(all) => {
                *all[rank].lock().unwrap_or_else(PoisonError::into_inner) = Some(statement);
            }
            Words::Shared(all) => all[rank].write(&statement, || shorter(&statement)),
        }
    }

    /// The words that `rank` has left.
    pub(super) fn of(&self, rank: usize) -> Statement {
        match self {
            Words::Here(all) => {
                let words = all[rank].lock().unwrap_or_else(PoisonError::into_inner).clone();
                words.unwrap_or_else(|| Err(Error::mismatch("nothing was told")))
            }
            Words::Shared(all) => all[rank].read().unwrap_or_else(Err),
        }
    }
}

/// The most bytes of a field's value in shared words.
const VALUE: usize = 256;

/// A statement that is short enough for a record.
pub(super) fn shorter(statement: &Statement) -> Statement {
    let cut = |value: &str| match value.char_indices().nth(VALUE) {
        None => value.to_owned(),
        // What is cut off still counts: the same value gives the same text, another one another.
        Some((end, _)) => {
            let mut hash = DefaultHasher::new();
            value.hash(&mut hash);
            format!("{}… ({} bytes, {:016x})", &value[..end], value.len(), hash.finish())
        }
    };
    match statement {
        Ok(fields) => Ok(fields.iter().map(|(name, v)| (name.clone(), cut(v))).collect()),
        Err(error) => Err(shortened(error)),
    }
}
