//! Agreement on what is no call.

use super::Communicator;
use ringwood_base::{Error, Result};
use ringwood_transport::{Field, disagreement};

impl Communicator {
    /// Whether the ranks have agreed on what has this number, and have not forgotten it since.
    pub fn has_agreed(&self, number: u64) -> bool {
        self.agreed.borrow_mut().get(&number).is_some()
    }

    /// Compares what the ranks say of something, called `what` in messages: of a program, its parts. Equal numbers are for equal
    /// fields. One call, or two, where they differ: all gather their numbers, and then the fields.
    ///
    /// # Errors
    /// They differ ([`Mismatch`](ringwood_base::ErrorKind::Mismatch)): every rank gets the same error, which names the first field that
    /// does, and the group stays usable. Else as of [`Call::run`](super::Call::run).
    pub fn agree(&self, what: &str, number: u64, fields: &[Field]) -> Result<()> {
        let text = serde_json::to_string(fields).map_err(unreadable)?;
        let own = [number, text.len() as u64];
        let mut all = vec![0_u64; 2 * self.size()];
        self.all_gather_into(&own, &mut all)?;
        if all.chunks(2).all(|rank| rank == own) {
            self.agreed.borrow_mut().insert(number, ());
            return Ok(());
        }
        let counts: Vec<_> = all.chunks(2).map(|rank| rank[1] as usize).collect();
        let mut texts = vec![0_u8; counts.iter().sum()];
        self.all_gather_v_into(text.as_bytes(), &counts, &mut texts)?;
        let mut rest = &texts[..];
        let ranks = counts.iter().map(|&count| {
            let (text, after) = rest.split_at(count);
            rest = after;
            serde_json::from_slice(text).map_err(unreadable)
        });
        let ranks = ranks.collect::<Result<Vec<Vec<Field>>>>()?;
        disagreement(what, &ranks).map_or(Ok(()), |error| Err(self.report(error)))
    }
}

fn unreadable(cause: serde_json::Error) -> Error {
    Error::protocol("what a rank tells is malformed").because(cause)
}
