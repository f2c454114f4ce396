//! What a submission binds.

/// The integers bound to symbols for one submission.
///
/// ```
/// use ringwood_device::device::Bindings;
///
/// let bindings = Bindings::new().set("row", 3);
/// assert_eq!(bindings.value("row"), Some(3));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bindings(Vec<(String, i64)>);

impl Bindings {
    /// No bindings.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Binds a symbol, anew if it is bound already.
    #[must_use]
    pub fn set(mut self, symbol: &str, value: i64) -> Self {
        match self.0.iter_mut().find(|(name, _)| name == symbol) {
            Some((_, bound)) => *bound = value,
            None => self.0.push((symbol.to_owned(), value)),
        }
        self
    }

    /// The value bound to a symbol.
    pub fn value(&self, symbol: &str) -> Option<i64> {
        self.0.iter().find(|(name, _)| name == symbol).map(|(_, value)| *value)
    }
}
