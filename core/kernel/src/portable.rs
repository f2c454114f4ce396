//! A kernel in its typed IR, as backends that print it keep it.

use super::{KernelSpec, Source, Sources};
use ringwood_base::Result;
use ringwood_ir::Kernel;
use ringwood_ir::print::{self, Dialect, Facts, Options, Printed, print, print_source};

/// The typed IR of a kernel, or its source for one backend.
#[derive(Debug)]
pub struct Portable {
    ir: Kernel,
    written: Option<Written>,
}

/// What devices run instead of the IR.
#[derive(Debug)]
struct Written {
    source: &'static Source,
    sources: &'static Sources,
    file: String,
}

impl Portable {
    /// The IR of `spec`.
    ///
    /// # Errors
    /// The body is not portable, or the text of the IR is malformed.
    pub fn new(spec: &KernelSpec<'_>) -> Result<Self> {
        Ok(Self { ir: spec.kernel()?, written: None })
    }

    /// What devices run whose compiler takes texts in `dialect`: the source of `spec` for the backend
    /// of that name, else its IR.
    ///
    /// # Errors
    /// There is neither, or the text of the IR is malformed.
    pub fn in_dialect(spec: &KernelSpec<'_>, dialect: &Dialect) -> Result<Self> {
        let Some((source, sources)) = spec.source(dialect.name).zip(spec.sources) else {
            return Self::new(spec);
        };
        let written = Written { source, sources, file: spec.source_file(source) };
        Ok(Self { ir: spec.declaration()?, written: Some(written) })
    }

    /// Whether it is written by hand, and [`Portable::ir`] is its declaration.
    pub fn is_source(&self) -> bool {
        self.written.is_some()
    }

    /// The text for a compiler: of what is written by hand there is one variant.
    pub fn print(&self, dialect: &Dialect, facts: &Facts, options: &Options) -> Printed {
        match &self.written {
            None => print(&self.ir, dialect, facts, options),
            Some(Written { source, sources, file }) => {
                let source = print::Source {
                    text: source.text,
                    entry: sources.entry,
                    file,
                    line: source.line,
                    names: sources.names,
                };
                print_source(&self.ir, &source, dialect)
            }
        }
    }

    /// The typed IR.
    pub fn ir(&self) -> &Kernel {
        &self.ir
    }
}
