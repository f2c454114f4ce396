//! The dialects of C that kernels are printed in.

use super::Facts;
use crate::MathFn;
use std::collections::HashMap;

/// A dialect of C, as data.
///
/// Kernels are printed in neutral words, which [`Dialect::words`] translates identifier by
/// identifier, so that another dialect is another table. The neutral words:
///
/// | words | meaning |
/// |---|---|
/// | `bool` `u8` `i8` `i16` `u16` `i32` `u32` `i64` `u64` `usize` `f32` `f64` | the scalar types; `usize` has 64 bits |
/// | `f16` `bf16`, `u16` | what holds their values, `f32`, and what holds their bits in memory; that of `bool` is `u8` |
/// | `kernel`, `fn` | what precedes the name of an entry point, the type of a function |
/// | `global`, `restrict` | the address space of buffers; no other pointer reaches the elements |
/// | `item0` … `item2`, `items0` … `items2` | index and number of the work-items along a dimension |
/// | `shared`, `shared_data` | what precedes an array of a group, the type of an element behind a pointer to one |
/// | `lane0` … `lane2`, `group0` … `group2` | index of the work-item in its group, and of the group |
/// | `meet` | waits for the group; writes to shared arrays and buffers are visible after it |
/// | `cas` | compare-exchange of a `u32`: pointer, expected, new; returns the old value |
/// | `atomic_add32` and the same for `and` `or` `xor` `min` `max` `exchange` | atomic change of a `u32`, for `min` and `max` also of an `i32`: pointer, operand; returns the old value |
/// | `atomic_add64` and so on, `atomic_cas64` | the same for 64 bits |
/// | `bits_f32`, `f32_of` and the same for `f64` | the bits of a value as an unsigned integer, and back |
/// | `abs_f32` `sqrt_f32` `rem_f32` `mul_add_f32` and the same for `f64` | exact or correctly rounded functions; `rem` is `fmod`, `mul_add` rounds once |
/// | `device_exp_f32` and so on | a function of the device's library, by its name in C; for kernels that ask for it |
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// The name: that of the backend which compiles the text.
    pub name: &'static str,
    /// The first lines of every text.
    pub header: &'static str,
    /// Further lines of a text that uses `f64`.
    pub double: &'static str,
    /// Further lines of a text that uses the words for atomic changes of 64 bits.
    pub wide_atomics: &'static str,
    /// What precedes the name of the entry point of a group kernel, for a group of `$X` by `$Y` by `$Z`,
    /// together `$N`, work-items.
    pub group: &'static str,
    /// What follows the text of a kernel written by hand, whose entry point is `$NAME`: it must not
    /// compile if there are two functions of that name.
    pub closing: &'static str,
    /// What follows the name of a library function in that of its `f32` form.
    pub single: &'static str,
    /// Neutral word and translation. One that is missing stays; an empty one vanishes.
    pub words: &'static [(&'static str, &'static str)],
    /// The options with which the text must be compiled, and no other floating-point option.
    pub flags: fn(&Facts) -> Vec<&'static str>,
}

impl Dialect {
    /// The text in this dialect.
    pub(super) fn translate(&self, neutral: &str) -> String {
        let words: HashMap<_, _> = self.words.iter().copied().collect();
        let mut text = String::with_capacity(neutral.len() * 5 / 4);
        let (mut double, mut wide) = (false, false);
        let mut rest = neutral;
        while let Some(first) = rest.chars().next() {
            let end = match word(rest) {
                0 => first.len_utf8(),
                end => end,
            };
            let (token, after) = rest.split_at(end);
            double |= token == "f64";
            wide |= token.starts_with("atomic_") && token.ends_with("64");
            if let Some((name, ty)) = library_function(token) {
                text.push_str(name);
                text.push_str(if ty == "f32" { self.single } else { "" });
                rest = after;
                continue;
            }
            let translated = words.get(token).copied().unwrap_or(token);
            text.push_str(translated);
            rest = if translated.is_empty() { after.trim_start_matches(' ') } else { after };
        }
        let double = if double { self.double } else { "" };
        let wide = if wide { self.wide_atomics } else { "" };
        format!("{}{double}{wide}{text}", self.header)
    }
}

/// The name and the type of a function of the device's library, such as `device_exp_f32`; other names may begin alike.
fn library_function(token: &str) -> Option<(&str, &str)> {
    let (name, ty) = token.strip_prefix("device_")?.rsplit_once('_')?;
    let is =
        |function: &MathFn| function.accuracy().library.is_some_and(|(known, _)| known == name);
    (["f32", "f64"].contains(&ty) && MathFn::ALL.iter().any(is)).then_some((name, ty))
}

/// The length of the identifier or number that the text starts with.
pub(crate) fn word(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

#[cfg(test)]
mod tests;
