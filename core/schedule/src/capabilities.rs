//! What a schedule asks of a transport.

/// What a transport can do.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Capabilities {
    /// A rank reads the memory of another one in place.
    pub peer_load: bool,
    /// A rank writes the memory of another one.
    pub put: bool,
    /// Messages are sent and received.
    pub two_sided: bool,
}

impl Capabilities {
    /// Nothing.
    pub const NONE: Self = Self { peer_load: false, put: false, two_sided: false };

    /// Reads and writes of a peer's memory, in place, and messages by them.
    pub const PEER_MEMORY: Self = Self { peer_load: true, put: true, two_sided: true };

    /// Messages.
    pub const TWO_SIDED: Self = Self { peer_load: false, put: false, two_sided: true };

    /// Whether everything that `needed` names is there.
    pub const fn covers(self, needed: Self) -> bool {
        (self.peer_load || !needed.peer_load)
            && (self.put || !needed.put)
            && (self.two_sided || !needed.two_sided)
    }
}
