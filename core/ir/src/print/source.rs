//! Kernels written by hand in a dialect: what goes around their text.

use super::entry::declaration;
use super::{Dialect, Options, Printed, Slot, slots};
use crate::{Kernel, Type};
use std::fmt::Write;

/// A kernel written by hand in a dialect.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The text, which defines the entry point.
    pub text: &'a str,
    /// The name of the entry point.
    pub entry: &'a str,
    /// The file that the compiler names in its messages.
    pub file: &'a str,
    /// The line of the file on which the text starts.
    pub line: u32,
    /// What names of the declaration stand for in the text: an element type by its name in Rust, or an
    /// integer.
    pub names: &'a [(&'a str, &'a str)],
}

/// The parameters of the entry point of a kernel written by hand: for each parameter `Scalar`, or
/// `Start` and for a slice `Len`, for a view each `Dim`, each `Stride`; of a grid kernel each `Extent`.
pub fn source_slots(declaration: &Kernel) -> Vec<Slot> {
    let options = Options { checked: false, ..Options::default() };
    let slots = slots(declaration, &options).into_iter();
    let slots = slots.filter_map(|slot| match slot {
        Slot::Data { param, ty, mutable } => Some(Slot::Start { param, ty, mutable }),
        Slot::Offset { .. } => None,
        Slot::Extent { .. } if declaration.group.is_some() => None,
        other => Some(other),
    });
    slots.collect()
}

/// The text of a kernel written by hand, as a compiler gets it.
///
/// Before it stand [`Dialect::header`], the names, and a prototype of the entry point as `declaration`, a
/// grid or group kernel, has it: a definition with other parameters is an error of the compiler. The
/// compiler's messages are about [`Source::file`].
///
/// ```
/// use ringwood_ir::print::{CUDA, Source, print_source};
///
/// let declaration = ringwood_ir::decode("kir2 zero 1 - 0 1 y m f32 0 0 0 0 0 void")?;
/// let text = "__global__ void zero(float* y, unsigned long long n, unsigned long long items) {}";
/// let source = Source { text, entry: "zero", file: "zero.cu", line: 1, names: &[] };
/// let printed = print_source(&declaration, &source, &CUDA);
/// assert!(printed.source.contains(text) && printed.slots.len() == 3);
/// # Ok::<(), ringwood_ir::Malformed>(())
/// ```
pub fn print_source(kernel: &Kernel, source: &Source<'_>, dialect: &Dialect) -> Printed {
    let slots = source_slots(kernel);
    let params: Vec<_> = slots.iter().map(|slot| declaration(kernel, *slot, false)).collect();
    let mut head = String::new();
    for (name, meaning) in source.names {
        let _ = match meaning.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            true => writeln!(head, "#define {name} {meaning}"),
            false => {
                let stored = Type::parse(meaning).map_or(*meaning, |ty| ty.stored().name());
                writeln!(head, "typedef {stored} {name};")
            }
        };
    }
    let Source { text, entry, file, line, .. } = source;
    let _ = writeln!(head, "kernel {entry}({});", params.join(", "));
    let head = dialect.translate(&head);
    let file = file.replace('\\', "/").replace(['"', '\n'], "_");
    let closing = dialect.closing.replace("$NAME", entry);
    let text = format!("{head}#line {line} \"{file}\"\n{text}\n{closing}");
    Printed { source: text, entry: (*entry).to_owned(), slots, sites: Vec::new(), file: Some(file) }
}

#[cfg(test)]
mod tests;
