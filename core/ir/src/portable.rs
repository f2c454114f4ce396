//! Functions that no two libraries compute alike, written once in arithmetic that all devices share.
//!
//! Only +, −, ×, a correctly rounded ÷, comparison, selection and the bits of values occur, in a
//! fixed order and without contraction, so the bits of the results are the same everywhere. The
//! bodies are at once the Rust that native code and the interpreter call and, as text, the C that
//! kernels are printed with. No fused multiplication occurs, as processors without one compute it slowly.
//!
//! A body stands for `f32` and `f64`: `real` is the type, `bits` that of its bits, and of a pair such as
//! `k_real(0x3f800000, 0x3ff0000000000000)` the first number counts for `f32`. What one of them has alone
//! is marked `@single` or `@double`. In the printed text, the names of functions end in the type.
//!
//! The largest errors are in the table of [`MathFn`](crate::MathFn).

mod arc;
mod constant;
mod error;
mod exponential;
mod inverse;
mod logarithm;
#[cfg_attr(not(test), allow(dead_code, reason = "kernels are printed with the texts"))]
mod narrow;
mod pair;
mod plain;
mod power;
mod rounding;
mod wave;
mod whole;
mod words;

use crate::print::word;

/// Defines functions in the modules `single` and `double`, or in `any` those of no width; and `TEXTS`, their
/// lines in the neutral words of [`Dialect`](crate::print::Dialect).
macro_rules! portable {
    ($($(#[$meta:meta])* $(@$only:ident)? fn $name:ident $args:tt -> $result:ident $body:tt)*) => {
        $crate::portable::portable! { @module single [$([$($only)?] $(#[$meta])* fn $name $args -> $result $body)*] }
        $crate::portable::portable! { @module double [$([$($only)?] $(#[$meta])* fn $name $args -> $result $body)*] }

        pub(super) const TEXTS: &[$crate::portable::Text] =
            &[$($crate::portable::portable! { @text [$($only)?] $name $args -> $result $body }),*];
    };
    (any: $($(#[$meta:meta])* fn $name:ident $args:tt -> $result:ident $body:tt)*) => {
        $crate::portable::portable! { @module any [$([] $(#[$meta])* fn $name $args -> $result $body)*] }

        pub(super) const TEXTS: &[$crate::portable::Text] =
            &[$($crate::portable::portable! { @text [any] $name $args -> $result $body }),*];
    };
    (@module $width:ident [$([$($only:ident)?] $(#[$meta:meta])* fn $name:ident $args:tt -> $result:ident $body:tt)*]) => {
        pub(crate) mod $width {
            use $crate::portable::$width::*;

            $($crate::portable::portable! { @if $width [$($only)?]
                $crate::portable::portable! { @function $width $(#[$meta])* fn $name $args -> $result $body }
            })*
        }
    };
    (@function $width:ident $(#[$meta:meta])* fn $name:ident($($arg:ident: $ty:ident),*) -> $result:ident {
        $($(@$only:ident)? let $var:ident: $var_ty:ident = $value:expr;)*
        return $last:expr;
    }) => {
        $(#[$meta])*
        #[inline(always)]
        #[allow(clippy::eq_op, reason = "`x != x` asks for NaN in C as well")]
        pub(crate) fn $name($($arg: $ty),*) -> $result {
            $($crate::portable::portable! { @if $width [$($only)?] let $var: $var_ty = $value; })*
            $last
        }
    };
    (@if $width:ident [] $($code:tt)*) => { $($code)* };
    (@if single [single] $($code:tt)*) => { $($code)* };
    (@if double [double] $($code:tt)*) => { $($code)* };
    (@if $width:ident [$only:ident] $($code:tt)*) => {};
    (@text [$($only:ident)?] $name:ident($first:ident: $first_ty:ident $(, $arg:ident: $ty:ident)*) -> $result:ident {
        $($(@$line:ident)? let $var:ident: $var_ty:ident = $value:expr;)*
        return $last:expr;
    }) => {
        $crate::portable::Text {
            width: stringify!($($only)?),
            name: stringify!($name),
            lines: &[
                ("", concat!(
                    "fn ", stringify!($result), " ", stringify!($name),
                    "(", stringify!($first_ty), " ", stringify!($first),
                    $(", ", stringify!($ty), " ", stringify!($arg),)* ") {",
                )),
                $((stringify!($($line)?), concat!(
                    "    ", stringify!($var_ty), " ", stringify!($var), " = ", stringify!($value), ";",
                )),)*
                ("", concat!("    return ", stringify!($last), ";")),
                ("", "}"),
            ],
        }
    };
}
pub(crate) use portable;

/// The functions and words of no width.
pub(crate) mod any {
    pub(crate) use super::{whole::any::*, words::any::*};
}

macro_rules! widths {
    ($($width:ident)*) => {$(
        /// The functions and words of one width, and those of no width.
        pub(crate) mod $width {
            pub(crate) use super::{
                any::*, arc::$width::*, constant::$width::*, error::$width::*, exponential::$width::*,
                inverse::$width::*, logarithm::$width::*, pair::$width::*, plain::$width::*,
                power::$width::*, rounding::$width::*, wave::$width::*, words::$width::*,
            };
        }
    )*};
}

widths! { single double }

/// A function in the neutral words.
struct Text {
    /// The width that it has alone: `single`, `double`, or `any` if it has none.
    width: &'static str,
    name: &'static str,
    /// Each with the width that has it alone.
    lines: &'static [(&'static str, &'static str)],
}

fn texts() -> impl Iterator<Item = &'static Text> {
    let files = [
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
        whole::TEXTS,
    ];
    files.into_iter().flatten()
}

/// The text of the function called `name`, which ends in the type if there is one for each.
pub(crate) fn text(name: &str) -> Option<String> {
    // Rust's printer breaks long lines, wherever its version does.
    let ended = |line: &str| line.replace('\n', " ") + "\n";
    if let Some(text) = texts().find(|text| text.width == "any" && text.name == name) {
        return Some(text.lines.iter().map(|(_, line)| ended(line)).collect());
    }
    let (name, ty) = name.rsplit_once('_')?;
    let width = match ty {
        "f32" => Width { name: "single", digits: "32" },
        "f64" => Width { name: "double", digits: "64" },
        _ => return None,
    };
    let lines = width.function(name)?.lines.iter().filter(|(only, _)| width.has(only));
    Some(lines.map(|(_, line)| ended(&width.translated(line))).collect())
}

/// A width, and the digits that the names of its types end in.
struct Width {
    name: &'static str,
    digits: &'static str,
}

impl Width {
    /// Whether what is marked so belongs to the width.
    fn has(&self, only: &str) -> bool {
        only.is_empty() || only == self.name
    }

    fn function(&self, name: &str) -> Option<&'static Text> {
        texts().find(|text| text.name == name && self.has(text.width))
    }

    /// A line in words that do not depend on the width.
    fn translated(&self, mut rest: &str) -> String {
        let mut text = String::with_capacity(2 * rest.len());
        while let Some(first) = rest.chars().next() {
            let (token, after) = rest.split_at(word(rest).max(first.len_utf8()));
            rest = after;
            match token {
                "real" => text.extend(["f", self.digits]),
                "bits" => text.extend(["u", self.digits]),
                "of_bits" => text.extend(["f", self.digits, "_of"]),
                "bits_of" => text.extend(["bits_f", self.digits]),
                "k_real" | "k_bits" | "k_count" => {
                    let (pair, after) = rest.split_once(')').unwrap_or_default();
                    let (single, double) = pair[1..].split_once(',').unwrap_or_default();
                    let chosen = if self.name == "single" { single } else { double }.trim();
                    rest = after;
                    match token {
                        "k_real" => text.extend(["k_f", self.digits, "(", chosen, ")"]),
                        "k_bits" => text.extend(["k_u", self.digits, "(", chosen, ")"]),
                        _ => text.push_str(chosen),
                    }
                }
                _ => match constant::TEXTS.iter().find(|(name, _)| *name == token) {
                    Some((_, value)) => text.push_str(&self.translated(value)),
                    None => text.push_str(token),
                },
            }
            if self.function(token).is_some() || ["k_div", "k_sqrt"].contains(&token) {
                text.extend(["_f", self.digits]);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests;
