//! The messages of two ranks that do not match.

use std::fmt;

/// The messages that one rank sends to another on a channel, where the other receives more or fewer.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Uneven {
    /// The rank that sends.
    pub from: usize,
    /// The rank that receives.
    pub to: usize,
    /// The channel between them.
    pub channel: u16,
    /// How many messages are sent.
    pub sends: usize,
    /// How many are received.
    pub receives: usize,
}

/// `rank 1 sends 6 messages to rank 2, which receives 5`
impl fmt::Display for Uneven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, channel, sends, receives } = self;
        let s = if *sends == 1 { "" } else { "s" };
        write!(f, "rank {from} sends {sends} message{s} to rank {to}")?;
        if *channel > 0 {
            write!(f, " on channel {channel}")?;
        }
        write!(f, ", which receives {receives}")
    }
}
