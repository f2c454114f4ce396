//! Operators that are made of others, as a table.

use ringwood_base::{DType, Result};
use ringwood_graph::compose::Call;
use ringwood_graph::graph::Value;

/// Declares operators that are made of others, each with attributes that may be left out, and what builds it.
macro_rules! composed {
    ($(
        $(#[$doc:meta])*
        $type:ident $name:literal $({ $($attribute:ident: $kind:tt),* $(,)? })? = $build:expr;
    )*) => {$(
        ringwood_graph::register_operator! {
            $(#[$doc])*
            pub $type = $name;
            decompose: $build,
            $(optional: { $($attribute: $kind),* },)?
        }
    )*};
}

pub(crate) use composed;

/// The same numbers, as `f32` where their type has 16 bits, in which sums may be infinite.
pub(crate) fn widened(c: &mut Call<'_>, x: Value) -> Result<Value> {
    match c.type_of(x)?.dtype {
        DType::F16 | DType::BF16 => c.cast(x, DType::F32),
        _ => Ok(x),
    }
}
