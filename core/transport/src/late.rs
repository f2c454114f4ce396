//! Who is late: the end of a chain of ranks that wait for each other.

use crate::agreement::list_ranks;
use ringwood_base::Error;

/// Ranks that did not do something in time, as far as one rank saw.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Late {
    /// The ranks.
    pub ranks: Vec<usize>,
    /// What they did not do: `finish call #3`.
    pub what: String,
    /// Who waited for them to come.
    pub waiting: Option<usize>,
}

impl Late {
    /// The error that names the ranks.
    pub fn error(&self, n: usize) -> Error {
        let (who, what) = (list_ranks(&self.ranks), &self.what);
        let error = Error::timeout(format!("{who} of {n} did not {what} in time"));
        match self.waiting {
            Some(rank) => error
                .with("waiting", format!("rank {rank}"))
                .help("raise the timeout, or look for what keeps them"),
            None => error,
        }
    }

    /// The same with those who wait for another rank replaced by that one: what is late is what the
    /// chain ends at. Of ranks in a circle the one stays that was named.
    pub fn root(&self, waits_for: impl Fn(usize) -> Option<usize>, n: usize) -> Self {
        let end = |&rank: &usize| {
            let mut at = rank;
            for _ in 0..n {
                match waits_for(at) {
                    Some(next) => at = next,
                    None => return at,
                }
            }
            rank
        };
        let mut ranks: Vec<usize> = self.ranks.iter().map(end).collect();
        ranks.sort_unstable();
        ranks.dedup();
        Self { ranks, what: self.what.clone(), waiting: self.waiting }
    }
}

#[cfg(test)]
mod tests;
