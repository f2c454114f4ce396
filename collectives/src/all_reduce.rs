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

pub use binomial::{BINOMIAL, Binomial};
pub use chain::{CHAIN, Chain};
pub use double_tree::{DOUBLE_TREE, DoubleTree};
pub use hierarchical::{HIERARCHICAL, Hierarchical};
pub use one_shot::{ONE_SHOT, OneShot};
pub use rabenseifner::{RABENSEIFNER, Rabenseifner};
pub use recursive_doubling::{RECURSIVE_DOUBLING, RecursiveDoubling};
pub use ring::{RING, RingReducer};
pub use swing::{SWING, Swing};
pub use two_shot::{TWO_SHOT, TwoShot};
