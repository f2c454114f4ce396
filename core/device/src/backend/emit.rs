//! The text of a kernel for people and for compilers.

use super::{BackendDef, dialect};
use crate::kernel::{KernelSpec, Portable};
use ringwood_base::registry::Registry;
use ringwood_base::{Error, Result};
use ringwood_ir::Kernel;
use ringwood_ir::print::{Dialect, Facts, Options};

/// What [`emit`] makes of a kernel: `ir`, `cpu`, each dialect of [`Dialect::ALL`], and that of each backend
/// that has one of its own.
pub fn emit_targets(registry: &Registry) -> impl Iterator<Item = &'static str> {
    let own = registry.of::<BackendDef>().filter(|(_, def)| def.dialect.is_some());
    let dialects = Dialect::ALL.iter().map(|d| d.name).chain(own.map(|(_, def)| def.name));
    ["ir", "cpu"].into_iter().chain(dialects)
}

/// The text of a kernel for `target`, one of [`emit_targets`]: for a dialect of C, the variant that
/// checks bounds, of a map the one over dense arguments, or what is written by hand for that backend; for
/// `cpu`, the Rust of its native code, without a layout, or where that was not
/// [kept](crate::kernel::Native::text) the typed IR that it was generated from.
///
/// # Errors
/// There is no such target; the body of the kernel is not portable.
pub fn emit(registry: &Registry, spec: &KernelSpec<'_>, target: &str) -> Result<String> {
    let known: Vec<_> = emit_targets(registry).collect();
    if !known.contains(&target) {
        return Err(Error::invalid(format!("no target `{target}`; known: {}", known.join(", "))));
    }
    Ok(match dialect(registry, target) {
        Some(dialect) => {
            let portable = Portable::in_dialect(spec, dialect)?;
            portable.print(dialect, &Facts::default(), &Options::default()).source
        }
        None if target == "cpu" => native_text(spec, &spec.kernel()?),
        None => spec.kernel()?.to_string(),
    })
}

/// The Rust of the native code, or why there is none and the IR.
fn native_text(spec: &KernelSpec<'_>, kernel: &Kernel) -> String {
    let name = spec.name;
    match spec.native.map(|native| native.text()) {
        Some(Some(text)) => format!("// The native code of `{name}`.\n{text}"),
        Some(None) => format!(
            "// The native code of `{name}` was generated from this typed IR; a build with the feature \
             `native-text` of ringwood keeps its Rust.\n{kernel}"
        ),
        None => format!(
            "// `{name}` has no native code: its declaration does not name `cpu`; this is its typed \
             IR.\n{kernel}"
        ),
    }
}

#[cfg(test)]
mod tests;
