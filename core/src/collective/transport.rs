//! How ranks reach each other's data.

/// A transport's entry in the registry.
#[derive(Debug)]
pub struct TransportDef {}
