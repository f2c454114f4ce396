//! A map that forgets what nobody asked for lately.

use std::collections::HashMap;
use std::hash::Hash;

/// A map of at most twice `generation` entries, for caches that live as long as the program.
///
/// Entries have two generations. A look-up moves an entry to the young one; when the young one is full,
/// the old one is dropped and the young one takes its place. So each entry stays while at most
/// `generation` others were looked up after it.
///
/// Keys are compared by what they are, not by where they lie: a key may be dropped and made again.
///
/// ```
/// use ringwood_base::Bounded;
///
/// let mut squares = Bounded::new(2);
/// (1..=5).for_each(|n| squares.insert(n, n * n));
/// assert_eq!((squares.get(&5), squares.get(&1)), (Some(25), None));
/// assert!(squares.len() <= 4);
/// ```
#[derive(Debug)]
pub struct Bounded<K, V> {
    generation: usize,
    young: HashMap<K, V>,
    old: HashMap<K, V>,
}

impl<K: Eq + Hash, V: Clone> Bounded<K, V> {
    /// No entries, and room for `generation` of them in each of two generations.
    pub fn new(generation: usize) -> Self {
        Self { generation, young: HashMap::new(), old: HashMap::new() }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a key, which counts as asked for.
    pub fn get(&mut self, key: &K) -> Option<V> {
        if let Some(value) = self.young.get(key) {
            return Some(value.clone());
        }
        let (key, value) = self.old.remove_entry(key)?;
        self.insert(key, value.clone());
        Some(value)
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: K, value: V) {
        if self.young.len() >= self.generation {
            self.old = std::mem::take(&mut self.young);
        }
        self.old.remove(&key);
        self.young.insert(key, value);
    }
}

#[cfg(test)]
mod tests;
