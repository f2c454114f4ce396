//! The text of kernels in dialects of C.
//!
//! One printer serves all dialects: it prints in neutral words, which the [`Dialect`] translates.
//! The same kernel and options give the same text, whatever else happens.
//!
//! ```
//! use ringwood_ir::print::{Facts, OPENCL, Options, Slot, print};
//!
//! let kernel = ringwood_ir::decode(
//!     "kir2 double 0 - 0 1 x s f32 0 0 0 0 0 * f32:2 p f32:0 0 f f32:1 40000000",
//! )?;
//! let printed = print(&kernel, &OPENCL, &Facts::default(), &Options::default());
//! assert!(printed.source.contains("__kernel void double_kernel("));
//! // The parameters of the entry point say which values to pass, in order.
//! assert_eq!(printed.slots[0], Slot::Data { param: 0, ty: ringwood_ir::Type::F32, mutable: false });
//! # Ok::<(), ringwood_ir::Malformed>(())
//! ```
//!
//! | item | noun |
//! |---|---|
//! | [`print()`], [`Program`] | one kernel, or several that share a text |
//! | [`Source`], [`print_source`] | one that is written by hand |
//! | [`Dialect`], [`OPENCL`], [`CUDA`] | the language, as a table of words |
//! | [`Slot`], [`slots`] | the calling convention |
//! | [`Options`], [`Layout`], [`Collapsed`] | the variant, and which one a launch of a map needs |
//! | [`Facts`] | what must be known of the device |
//! | [`Printed::site`], [`error_line`] | the place of a compiler's error in the kernel's source |
//! | [`fault`], [`FAULT_WORDS`] | the cell that tells of accesses out of bounds |
//!
//! # Numerics
//! Results have the bits of the [interpreter](crate::interpret), if the text is compiled with
//! [`Dialect::flags`] and no other floating-point option, and the device has no [`Facts::flaws`].
//! Nothing is contracted, integers wrap through unsigned types, shift amounts are masked to the width
//! of the type in the source, and [`math`](crate::math) lists what `/`, `%`, `min`, `max` and casts
//! mean. The payload and sign of a NaN are open.

mod access;
mod body;
mod collapse;
mod cuda;
mod dialect;
mod entry;
mod expr;
mod literal;
mod names;
mod opencl;
mod options;
mod places;
mod prelude;
mod scope;
mod slot;
mod source;

pub use body::group_memory;
pub use collapse::Collapsed;
pub use cuda::CUDA;
pub use dialect::Dialect;
pub(crate) use dialect::word;
pub use opencl::OPENCL;
pub use options::{Facts, Layout, Options};
pub use places::{error_line, error_line_of};
pub use slot::{FAULT_WORDS, Slot, fault, slots};
pub use source::{Source, print_source, source_slots};

use crate::Kernel;
use prelude::Prelude;

impl Dialect {
    /// The dialects of this crate.
    pub const ALL: &'static [&'static Dialect] = &[&OPENCL, &CUDA];

    /// The dialect of this crate called `name`.
    pub fn named(name: &str) -> Option<&'static Dialect> {
        Dialect::ALL.iter().find(|d| d.name == name).copied()
    }
}

/// One kernel, printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The whole text.
    pub source: String,
    /// The name of the entry point in it.
    pub entry: String,
    /// The parameters of the entry point.
    pub slots: Vec<Slot>,
    /// Which line of the text, of which 1 is the first, begins which site of the kernel's source; in
    /// the order of the lines.
    pub sites: Vec<(u32, u32)>,
    /// The file that the compiler's messages are about, for a text that is written by hand.
    pub file: Option<String>,
}

impl Printed {
    /// The site that a line of the text belongs to.
    pub fn site(&self, line: u32) -> Option<u32> {
        self.sites.iter().take_while(|(first, _)| *first <= line).last().map(|(_, site)| *site)
    }
}

/// Prints one kernel.
///
/// # Panics
/// The kernel is one that [`check`](crate::check) refuses; what [`decode`](crate::decode) returns
/// is not.
pub fn print(kernel: &Kernel, dialect: &Dialect, facts: &Facts, options: &Options) -> Printed {
    let mut program = Program::new(dialect, facts);
    let Entry { name, slots } = program.add(kernel, options);
    let (source, sites) = program.text();
    Printed { source, entry: name, slots, sites, file: None }
}

/// Kernels that are compiled together.
#[derive(Debug)]
pub struct Program<'a> {
    dialect: &'a Dialect,
    facts: Facts,
    prelude: Prelude,
    names: Vec<String>,
    text: String,
}

/// The entry point of a kernel in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, which no other kernel of the program has.
    pub name: String,
    /// Its parameters.
    pub slots: Vec<Slot>,
}

impl<'a> Program<'a> {
    /// A program without kernels.
    pub fn new(dialect: &'a Dialect, facts: &Facts) -> Self {
        let (names, text) = (Vec::new(), String::new());
        Self { dialect, facts: *facts, prelude: Prelude::new(facts), names, text }
    }

    /// Adds a variant of a kernel.
    ///
    /// # Panics
    /// As [`print()`].
    pub fn add(&mut self, kernel: &Kernel, options: &Options) -> Entry {
        let base = names::base(&kernel.name);
        let count = self.names.iter().filter(|n| **n == base).count();
        let number = if count == 0 { String::new() } else { (count + 1).to_string() };
        let name = format!("{base}_kernel{number}");
        let map = format!("{base}_map{number}");
        self.text.push_str(&entry::text(
            kernel,
            self.dialect,
            &self.facts,
            options,
            [&name, &map],
            &mut self.prelude,
        ));
        self.names.push(base);
        Entry { name, slots: slots(kernel, options) }
    }

    /// The text.
    pub fn source(&self) -> String {
        self.text().0
    }

    /// The text, and the sites of its lines.
    fn text(&self) -> (String, Vec<(u32, u32)>) {
        // The functions of a kernel have sites of their own.
        let (functions, _) = places::unmark(self.prelude.text());
        places::unmark(&self.dialect.translate(&format!("{functions}{}", self.text)))
    }
}

#[cfg(test)]
mod tests;
