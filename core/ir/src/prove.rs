//! What a launch can do without: checks of bounds, and indices of 64 bits; and whether what its kernel
//! requires holds.
//!
//! An interval analysis with the concrete scalars, lengths and domain of a launch. It follows both
//! sides of every branch whose condition they leave open, and remembers in each what the condition
//! says of variables, parameters and indices of the work-item.
//!
//! ```
//! use ringwood_ir::prove::{Fact, LaunchFacts, prove};
//!
//! // fn fill(y: &mut [f32]) { y[gid(0)] = 0.0; }
//! let kernel = ringwood_ir::decode(
//!     "kir2 fill 1 - 0 1 y m f32 0 0 0 0 1 st p0 1 1 gid usize:0 0 f f32:2 0 void",
//! )?;
//! let proof = prove(&kernel, &LaunchFacts { domain: &[8], args: &[Fact::Len(8)] });
//! assert!(proof.unchecked() && proof.narrow);
//! let proof = prove(&kernel, &LaunchFacts { domain: &[9], args: &[Fact::Len(8)] });
//! assert_eq!(proof.failing, [1]);
//! # Ok::<(), ringwood_ir::Malformed>(())
//! ```
//!
//! # What is known of a value
//! | value | interval |
//! |---|---|
//! | loads, old values of atomics, results of groups and of floating-point functions | that of the type |
//! | a result that may wrap | that of the type |
//! | a variable that a loop assigns, inside of it and after it | what it was before, or is at the end of a turn; no more than before if each assignment takes a quotient, a remainder, some of the bits or the smaller value of it |
//! | after `if` | both ends joined |
//! | after `while` | that of the head, where the condition does not hold; without `break` only |
//!
//! # 32-bit indices
//! They give the bits of 64-bit ones if no value of type `usize` leaves 32 bits, hidden ones
//! included: the step after the last one of a shared loop, and where an index is shifted, an amount
//! of 32 or more.

mod expr;
mod interval;
mod memo;
mod refine;
mod state;
mod stmt;

pub use crate::facts::{Fact, LaunchFacts};
pub use memo::Prover;

use crate::interpret::broken_requirement;
use crate::{Kernel, ParamKind, Type};
use interval::Interval;
use state::State;

/// What was proved of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Whether indices of 32 bits give the same results.
    pub narrow: bool,
    /// The sites of the accesses that may be out of bounds, in the order of the source.
    pub failing: Vec<u32>,
    /// The first requirement of the kernel that does not hold, by its number.
    pub broken: Option<usize>,
}

impl Proof {
    /// Whether no access is out of bounds.
    pub fn unchecked(&self) -> bool {
        self.failing.is_empty()
    }
}

/// Proves what it can of a launch of a kernel that [`check`](crate::check) accepts. With facts of
/// other parameters than the kernel's, nothing.
pub fn prove(kernel: &Kernel, facts: &LaunchFacts<'_>) -> Proof {
    let mut walk = Walk::launch(kernel, facts);
    walk.block(&kernel.body);
    if let Some(result) = &kernel.result {
        walk.eval(result);
    }
    walk.proof.broken = broken_requirement(kernel, facts);
    walk.proof
}

/// The first index that 32 bits do not hold.
const WIDE: i128 = 1 << 32;

/// The most work-items by which the last step of a loop over the domain can pass its end.
const OVERSHOOT: usize = 1024;

/// How many conditions and calls are followed. Each may be looked at several times for the one that it
/// stands in, a time of 5^n for n of them in one another.
const BUDGET: usize = 1 << 18;

/// The analysis of one kernel, or of one call of a function.
struct Walk<'a> {
    kernel: &'a Kernel,
    facts: LaunchFacts<'a>,
    state: State,
    /// In how many passes whose findings do not count.
    quiet: usize,
    /// How many more conditions and calls are followed. Those after them say nothing.
    budget: usize,
    proof: Proof,
}

impl<'a> Walk<'a> {
    fn launch(kernel: &'a Kernel, facts: &LaunchFacts<'a>) -> Self {
        let params = kernel.params.iter().enumerate().map(|(i, param)| {
            match (param.kind, facts.args.get(i)) {
                (ParamKind::Scalar(ty), Some(Fact::Scalar(value))) if value.ty() == ty => {
                    Interval::of_value(*value)
                }
                (ParamKind::Scalar(ty), _) => Interval::of_type(ty),
                _ => Interval::ZERO,
            }
        });
        let mut state = State::new(params, kernel);
        let ids = if kernel.group.is_some() { state::GROUP } else { state::GID };
        for d in 0..usize::from(kernel.rank) {
            let extent = facts.domain.iter().rev().nth(d);
            let index = extent.map_or(Interval::of_type(Type::Usize), |n| Interval::below(*n));
            state.start(ids + d, index);
        }
        for (d, size) in kernel.group.unwrap_or([1; 3]).iter().enumerate() {
            state.start(state::LID + d, Interval::below(*size as usize));
        }
        let proof = Proof { narrow: is_narrow(kernel, facts), ..Proof::default() };
        Walk { kernel, facts: *facts, state, quiet: 0, budget: BUDGET, proof }
    }

    /// Records that an access may be out of bounds.
    fn fails(&mut self, site: u32) {
        if self.quiet == 0 && !self.proof.failing.contains(&site) {
            self.proof.failing.push(site);
        }
    }

    /// Whether one more condition or call is followed.
    fn spend(&mut self) -> bool {
        let left = self.budget.checked_sub(1);
        self.budget = left.unwrap_or(0);
        left.is_some()
    }

    /// Records that a value may need 64 bits.
    fn wide(&mut self) {
        self.proof.narrow &= self.quiet > 0;
    }
}

/// Whether lengths, extents and the steps of loops over the domain stay below 2^32.
fn is_narrow(kernel: &Kernel, facts: &LaunchFacts<'_>) -> bool {
    let fits = |n: usize| (n as u128) < 1 << 32;
    let arg = |fact: &Fact<'_>| match *fact {
        Fact::Scalar(_) => true,
        Fact::Len(len) => fits(len),
        Fact::View { shape, strides } => {
            let steps = shape.iter().zip(strides);
            let last = steps.map(|(n, step)| n.saturating_sub(1).saturating_mul(*step));
            shape.iter().all(|n| fits(*n)) && fits(last.fold(1, usize::saturating_add))
        }
    };
    // A work-item steps by the number of work-items, which is at most the extent, in whole groups.
    let loops = |extent: &usize| fits(extent.saturating_mul(2).saturating_add(OVERSHOOT));
    facts.fit(kernel) && facts.args.iter().all(arg) && facts.domain.iter().all(loops)
}
