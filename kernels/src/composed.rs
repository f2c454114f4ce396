//! Operators that are made of others, as a table.

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
