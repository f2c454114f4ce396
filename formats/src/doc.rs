//! A plan for the examples of this documentation.

/// Two ranks exchange halves, merge, and exchange the results.
pub const ALL_REDUCE: &str = include_str!("../plans/all_reduce_2.xml");
