//! All-reduce: every rank ends with the merge of all buffers.

mod binomial;
mod chain;
mod double_tree;
mod hierarchical;
mod one_shot;
mod rabenseifner;
mod recursive_doubling;
mod ring;
mod swing;
mod two_shot;
mod two_shot_aside;
mod two_shot_put;

pub use self::{
    binomial::Binomial, chain::Chain, double_tree::DoubleTree, hierarchical::Hierarchical,
    one_shot::OneShot, rabenseifner::Rabenseifner, recursive_doubling::RecursiveDoubling,
    ring::RingReducer, swing::Swing, two_shot::TwoShot, two_shot_aside::TwoShotAside,
    two_shot_put::TwoShotPut,
};

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::{
        binomial::binomial, chain::chain, double_tree::double_tree, hierarchical::hierarchical,
        one_shot::one_shot, rabenseifner::rabenseifner, recursive_doubling::recursive_doubling,
        ring::ring, swing::swing, two_shot::two_shot, two_shot_aside::two_shot_aside,
        two_shot_put::two_shot_put,
    };
}
