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

pub use binomial::Binomial;
pub use chain::Chain;
pub use double_tree::DoubleTree;
pub use hierarchical::Hierarchical;
pub use one_shot::OneShot;
pub use rabenseifner::Rabenseifner;
pub use recursive_doubling::RecursiveDoubling;
pub use ring::RingReducer;
pub use swing::Swing;
pub use two_shot::TwoShot;
pub use two_shot_aside::TwoShotAside;

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::binomial::binomial;
    pub use super::chain::chain;
    pub use super::double_tree::double_tree;
    pub use super::hierarchical::hierarchical;
    pub use super::one_shot::one_shot;
    pub use super::rabenseifner::rabenseifner;
    pub use super::recursive_doubling::recursive_doubling;
    pub use super::ring::ring;
    pub use super::swing::swing;
    pub use super::two_shot::two_shot;
    pub use super::two_shot_aside::two_shot_aside;
}
