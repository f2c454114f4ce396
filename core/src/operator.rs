//! Operators: the named functions of a graph, with their shape rule and their gradient.

/// An operator's entry in the registry.
#[derive(Debug)]
pub struct Operator {
    /// The shapes of operands and result: `m k, k n -> m n`.
    pub rule: &'static str,
}
