//! What a kernel's text says, and what is said of it in errors.

use super::KernelSpec;
use ringwood_base::{Error, Result};
use ringwood_ir::Kernel;
use ringwood_ir::print::{Printed, error_line, error_line_of};

impl KernelSpec<'_> {
    /// `error` with the place of the declaration, if there is one.
    pub fn declared(&self, error: Error) -> Error {
        match self.file {
            "" => error,
            file => error.with("declared at", format!("{file}:{}", self.line)),
        }
    }

    /// `error`, of a device's compiler that refused `printed` and whose log the error carries, with the
    /// place in the source of the kernel that the first complaint is about.
    pub fn refused(&self, error: Error, printed: &Printed) -> Error {
        let place = error.get("log").and_then(|log| match &printed.file {
            Some(file) => Some(format!("{file}:{}", error_line_of(log, file)?)),
            None => {
                let site = printed.site(error_line(log)?)?;
                let (line, column) = self.sites.get(site as usize)?;
                Some(format!("{}:{line}:{column}", self.file))
            }
        });
        let error = match place {
            Some(place) => error.with("at", place),
            None => error,
        };
        self.declared(error.with("kernel", self.name))
    }

    /// Refuses native code that the macro wrote from another declaration: it relies on the form, the
    /// parameters and the IR that it was written from, and what is proved of a launch is proved of those.
    ///
    /// # Errors
    /// Form, kinds of parameters or IR are not those of the native code.
    pub fn check_native(&self) -> Result<()> {
        if self.native.is_none_or(|native| native.is_of(self)) {
            return Ok(());
        }
        let message = format!(
            "the native code of kernel `{}` was written for another form, other parameters or another IR",
            self.name
        );
        Err(self.declared(
            Error::invalid(message).help("take all of these from one instance of a declaration"),
        ))
    }

    /// The typed IR.
    ///
    /// # Errors
    /// The body is not portable, or the text of the IR is malformed.
    pub fn kernel(&self) -> Result<Kernel> {
        let Some(text) = self.ir else {
            let message = format!("kernel `{}` has no IR: its body is not portable", self.name);
            return Err(Error::unsupported(message));
        };
        self.decode(text)
    }

    pub(super) fn decode(&self, text: &str) -> Result<Kernel> {
        ringwood_ir::decode(text).map_err(|malformed| {
            let message = format!("the IR of kernel `{}` is malformed", self.name);
            Error::invalid(message).because(malformed)
        })
    }
}
