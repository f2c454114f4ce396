//! Kernels written by hand in the language of a device.

use super::KernelSpec;
use ringwood_base::{Error, Result};
use ringwood_ir::Kernel;
use std::path::Path;

/// The text of a kernel for the devices of one backend.
///
/// A backend takes it instead of the portable body. It is trusted, as a driver is: nothing checks what
/// it accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The backend.
    pub backend: &'static str,
    /// The text, in a language of the backend's devices.
    pub text: &'static str,
    /// The file that holds the text, from the folder of the declaring file; `None` if that holds it.
    pub path: Option<&'static str>,
    /// The line of the file on which the text starts.
    pub line: u32,
}

/// The sources of one instance of a kernel, one for each of some backends, and what they have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The texts.
    pub texts: &'static [Source],
    /// The name of the entry point: that of the declared function.
    pub entry: &'static str,
    /// The declaration in the typed IR (`kir2 …`): parameters, rank, group and requirements, and no
    /// statements.
    pub declaration: &'static str,
    /// What type parameters and compile-time parameters stand for: an element type by its name, or an
    /// integer.
    pub names: &'static [(&'static str, &'static str)],
}

impl<'a> KernelSpec<'a> {
    /// What the devices of `backend` run instead of the portable body, if anything.
    pub fn source(&self, backend: &str) -> Option<&'static Source> {
        self.sources.and_then(|sources| sources.texts.iter().find(|s| s.backend == backend))
    }

    /// The declaration of a kernel that has sources.
    ///
    /// # Errors
    /// It has none, or the text of the IR is malformed.
    pub fn declaration(&self) -> Result<Kernel> {
        match self.sources {
            Some(sources) => self.decode(sources.declaration),
            None => Err(Error::unsupported(format!("kernel `{}` has no source", self.name))),
        }
    }

    /// The file that holds a source of this kernel.
    pub fn source_file(&self, source: &Source) -> String {
        let Some(path) = source.path else { return self.file.to_owned() };
        let folder = Path::new(self.file).parent().unwrap_or(Path::new(""));
        folder.join(path).to_string_lossy().into_owned()
    }

    /// Refuses a kernel that is written by hand for `backend`, whose devices take no text: the source
    /// would be passed over.
    ///
    /// # Errors
    /// There is such a source.
    pub fn refuse_source(&self, backend: &str) -> Result<()> {
        if self.source(backend).is_none() {
            return Ok(());
        }
        let message =
            format!("kernel `{}` has a source for `{backend}`, which takes none", self.name);
        let help = format!("drop `{backend} = …` from #[kernel] at {}:{}", self.file, self.line);
        Err(Error::unsupported(message).help(help))
    }
}

#[cfg(test)]
mod tests;
