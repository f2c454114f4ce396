//! Functions that no two libraries compute alike, written once in arithmetic that all devices share.
//!
//! Only +, −, ×, a correctly rounded ÷, comparison, selection and the bits of values occur, in a
//! fixed order and without contraction, so the bits of the results are the same everywhere. The
//! bodies are at once the Rust that native code and the interpreter call and, as text, the C that
//! kernels are printed with; names are those of the printed text. No fused multiplication occurs, as
//! processors without one compute it slowly.
//!
//! The largest errors are in the table of [`MathFn`](crate::MathFn).

pub(crate) mod arc;
pub(crate) mod error;
pub(crate) mod exponential;
pub(crate) mod inverse;
pub(crate) mod logarithm;
#[cfg_attr(not(test), allow(dead_code, reason = "kernels are printed with the texts"))]
pub(crate) mod narrow;
mod pair;
pub(crate) mod plain;
pub(crate) mod power;
pub(crate) mod rounding;
pub(crate) mod wave;
pub(crate) mod words;

/// Defines functions and `TEXTS`, their names with their bodies in the neutral words of
/// [`Dialect`](crate::print::Dialect).
macro_rules! portable {
    ($(
        $(#[$meta:meta])*
        fn $name:ident($first:ident: $first_ty:ident $(, $arg:ident: $ty:ident)*) -> $result:ident {
            $(let $var:ident: $var_ty:ident = $value:expr;)*
            return $last:expr;
        }
    )*) => {
        $(
            $(#[$meta])*
            #[inline(always)]
            #[allow(clippy::eq_op, reason = "`x != x` asks for NaN in C as well")]
            pub(crate) fn $name($first: $first_ty $(, $arg: $ty)*) -> $result {
                $(let $var: $var_ty = $value;)*
                $last
            }
        )*

        pub(crate) const TEXTS: &[(&str, &str)] = &[$((
            stringify!($name),
            concat!(
                "fn ", stringify!($result), " ", stringify!($name),
                "(", stringify!($first_ty), " ", stringify!($first),
                $(", ", stringify!($ty), " ", stringify!($arg),)* ") {\n",
                $("    ", stringify!($var_ty), " ", stringify!($var), " = ", stringify!($value), ";\n",)*
                "    return ", stringify!($last), ";\n}\n",
            ),
        )),*];
    };
}
pub(crate) use portable;

/// `k_pick(c, a, b)` of the printed text: `a` if `c` holds, else `b`.
#[inline(always)]
fn k_pick<T>(c: bool, a: T, b: T) -> T {
    if c { a } else { b }
}

/// The text of the function called `name`.
pub(crate) fn text(name: &str) -> Option<&'static str> {
    let modules = [
        arc::TEXTS,
        error::TEXTS,
        exponential::TEXTS,
        inverse::TEXTS,
        logarithm::TEXTS,
        narrow::TEXTS,
        pair::TEXTS,
        plain::TEXTS,
        power::TEXTS,
        rounding::TEXTS,
        wave::TEXTS,
    ];
    let mut all = modules.into_iter().flatten();
    all.find(|(known, _)| *known == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests;
