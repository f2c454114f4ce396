//! What a collective computes and what it asks for.

use super::{BufferMode, Capabilities, Chunks, Operation};
use ringwood_base::{Error, Result};
use std::borrow::Cow;
use std::fmt;

/// The group sizes that an algorithm works for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RankConstraint {
    /// Every size.
    Any,
    /// Powers of two.
    PowerOfTwo,
    /// Multiples of two.
    Even,
    /// Multiples of a factor, such as the ranks of a node.
    MultipleOf(u32),
}

impl RankConstraint {
    /// Whether a group of `ranks` is allowed.
    pub fn allows(self, ranks: usize) -> bool {
        ranks > 0
            && match self {
                RankConstraint::Any => true,
                RankConstraint::PowerOfTwo => ranks.is_power_of_two(),
                RankConstraint::Even => ranks.is_multiple_of(2),
                RankConstraint::MultipleOf(factor) => ranks.is_multiple_of(factor as usize),
            }
    }
}

impl fmt::Display for RankConstraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RankConstraint::Any => f.write_str("any number of ranks"),
            RankConstraint::PowerOfTwo => f.write_str("a power of two of ranks"),
            RankConstraint::Even => f.write_str("an even number of ranks"),
            RankConstraint::MultipleOf(factor) => write!(f, "a multiple of {factor} ranks"),
        }
    }
}

/// What a collective computes and what it asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[must_use]
pub struct Descriptor {
    /// The algorithm's name: the one it is registered under.
    pub name: Cow<'static, str>,
    /// What it leaves in the buffers.
    pub operation: Operation,
    /// The group sizes it works for.
    pub constraint: RankConstraint,
    /// The number of chunks.
    pub chunks: Chunks,
    /// How input and output relate.
    pub mode: BufferMode,
    /// Whether it works in the other mode as well.
    pub both_modes: bool,
    /// What its steps ask of a transport, beside messages and signals.
    pub needs: Capabilities,
}

macro_rules! constructors {
    ($($name:ident: $operation:ident, $what:literal;)*) => {$(
        #[doc = concat!("An algorithm for ", $what, "; see [`Descriptor::new`].")]
        pub const fn $name(name: &'static str) -> Self {
            Self::new(name, Operation::$operation)
        }
    )*};
}

impl Descriptor {
    /// An algorithm for `operation`: any ranks, one chunk (a chunk for each rank if the operation is
    /// blocked), in place, over messages.
    pub const fn new(name: &'static str, operation: Operation) -> Self {
        let chunks = if operation.blocked() { Chunks::PerRank } else { Chunks::Whole };
        Self {
            name: Cow::Borrowed(name),
            operation,
            constraint: RankConstraint::Any,
            chunks,
            mode: BufferMode::InPlace,
            both_modes: false,
            needs: Capabilities::NONE,
        }
    }

    constructors! {
        all_reduce: AllReduce, "all-reduce";
        reduce: Reduce, "reduce to a root";
        broadcast: Broadcast, "broadcast";
        all_gather: AllGather, "all-gather";
        gather: Gather, "gather at a root";
        scatter: Scatter, "scatter from a root";
        reduce_scatter: ReduceScatter, "reduce-scatter";
        all_to_all: AllToAll, "all-to-all";
        permute: Permute, "permute";
        barrier: Barrier, "barrier";
    }

    /// Refuses the description of an algorithm that is registered under another name.
    pub(super) fn check_name(&self, registered: &str) -> Result<()> {
        if self.name == registered {
            return Ok(());
        }
        let name = &self.name;
        let message =
            format!("collective `{registered}` describes itself as `{name}`: use one name");
        Err(Error::invalid(message))
    }

    pub(super) fn check_computes(&self, called: Operation) -> Result<()> {
        let Self { name, operation, .. } = self;
        if *operation == called {
            return Ok(());
        }
        Err(Error::invalid(format!("collective `{name}` computes {operation}, not {called}")))
    }

    /// It works for every group size; the default.
    pub const fn any_ranks(self) -> Self {
        self.ranks(RankConstraint::Any)
    }

    /// It works for powers of two.
    pub const fn power_of_two_ranks(self) -> Self {
        self.ranks(RankConstraint::PowerOfTwo)
    }

    /// The group sizes it works for.
    pub const fn ranks(mut self, constraint: RankConstraint) -> Self {
        self.constraint = constraint;
        self
    }

    /// How it cuts a vector; one chunk by default. Blocked operations have a block for each rank.
    pub const fn chunks(mut self, chunks: Chunks) -> Self {
        self.chunks = chunks;
        self
    }

    /// It reads the input and writes a separate output; the default is in place.
    pub const fn out_of_place(mut self) -> Self {
        self.mode = BufferMode::OutOfPlace;
        self
    }

    /// It works in place and out of place; what it is not asked for is the one set before.
    ///
    /// Such a schedule names [`Params::input`](super::Params::input) where it reads the input.
    pub const fn both_modes(mut self) -> Self {
        self.both_modes = true;
        self
    }

    /// It reads memory of its peers: steps `get` and `get_reduce`.
    pub const fn needs_peer_load(mut self) -> Self {
        self.needs.peer_load = true;
        self
    }

    /// It writes memory of its peers: step `put`.
    pub const fn needs_put(mut self) -> Self {
        self.needs.put = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_allow_what_they_say_and_never_an_empty_group() {
        let sizes = |c: RankConstraint| (0..=8).filter(|&n| c.allows(n)).collect::<Vec<_>>();
        assert_eq!(sizes(RankConstraint::Any), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(sizes(RankConstraint::PowerOfTwo), [1, 2, 4, 8]);
        assert_eq!(sizes(RankConstraint::Even), [2, 4, 6, 8]);
        assert_eq!(sizes(RankConstraint::MultipleOf(3)), [3, 6]);
        assert_eq!(sizes(RankConstraint::MultipleOf(0)), [0_usize; 0]);
        assert_eq!(RankConstraint::MultipleOf(3).to_string(), "a multiple of 3 ranks");
    }
}
