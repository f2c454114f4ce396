//! The annotated items of a program, found by kind and name.
//!
//! Registration describes; it selects nothing. [`Registry::global`] holds what the macros submitted
//! at link time (feature `inventory`), [`Registry::builder`] builds the same thing by hand. Either
//! way the items are sorted by kind, name and module path, so every listing is the same in every
//! build.

mod entry;
mod suggest;

pub use entry::{Entry, EntryMeta, Item, Kind};
pub(crate) use suggest::unknown;

use crate::backend::BackendDef;
use crate::collective::Collective;
use crate::kernel::KernelDef;
use crate::operator::Operator;
use crate::session::GlobalFn;
use crate::{Error, ErrorKind, Result};
use std::fmt;
use std::sync::OnceLock;

/// The registered items of a program.
///
/// ```
/// use ringwood_core::registry::{Kind, Registry};
///
/// let registry = Registry::builder().build()?;
/// assert!(registry.entries().is_empty());
/// let error = registry.operator("matmul").unwrap_err();
/// assert_eq!(error.to_string(), "no operator `matmul`; none is registered");
/// # Ok::<(), ringwood_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, serde::Serialize)]
#[serde(transparent)]
pub struct Registry {
    entries: Vec<Entry>,
}

impl Registry {
    /// Everything that annotated items of the linked crates submitted.
    ///
    /// A crate that no code mentions is not linked, and its items are not here: mention it with
    /// `use that_crate as _;`. `ringwood doctor` lists what arrived.
    ///
    /// # Errors
    /// Two items of one kind share a name.
    pub fn global() -> Result<&'static Registry> {
        static GLOBAL: OnceLock<Result<Registry>> = OnceLock::new();
        GLOBAL.get_or_init(|| Self::builder().linked().build()).as_ref().map_err(Clone::clone)
    }

    /// An empty registry to fill by hand.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::default()
    }

    /// Every entry, sorted by kind, name and module path.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries of one kind, sorted by name.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |e| e.item.kind() == kind)
    }

    /// The backend called `name`.
    ///
    /// # Errors
    /// No such backend; the error lists the known ones and the nearest.
    pub fn backend(&self, name: &str) -> Result<&'static BackendDef> {
        match self.find(Kind::Backend, name)?.item {
            Item::Backend(def) => Ok(def),
            _ => unreachable!("`find` returns an entry of the kind asked for"),
        }
    }

    /// The collective algorithm called `name`.
    ///
    /// # Errors
    /// No such collective; the error lists the known ones and the nearest.
    pub fn collective(&self, name: &str) -> Result<&'static dyn Collective> {
        match self.find(Kind::Collective, name)?.item {
            Item::Collective(collective) => Ok(collective),
            _ => unreachable!("`find` returns an entry of the kind asked for"),
        }
    }

    /// The global function called `name`.
    ///
    /// # Errors
    /// No such function; the error lists the known ones and the nearest.
    pub fn global_fn(&self, name: &str) -> Result<&'static GlobalFn> {
        match self.find(Kind::GlobalFn, name)?.item {
            Item::GlobalFn(function) => Ok(function),
            _ => unreachable!("`find` returns an entry of the kind asked for"),
        }
    }

    /// The operator called `name`.
    ///
    /// # Errors
    /// No such operator; the error lists the known ones and the nearest.
    pub fn operator(&self, name: &str) -> Result<&'static Operator> {
        match self.find(Kind::Operator, name)?.item {
            Item::Operator(operator) => Ok(operator),
            _ => unreachable!("`find` returns an entry of the kind asked for"),
        }
    }

    /// The kernel called `name` for devices of `backend`.
    ///
    /// Several items may declare one kernel, each for other devices.
    ///
    /// # Errors
    /// No such kernel, or none for this backend; the error names the backends it exists for and
    /// where it is declared.
    pub fn kernel(&self, name: &str, backend: &str) -> Result<&'static KernelDef> {
        let declared = self.kernels(name)?;
        let on = |def: &&(Entry, &'static KernelDef)| def.1.devices.contains(&backend);
        if let Some((_, def)) = declared.iter().find(on) {
            return Ok(def);
        }
        let devices: Vec<_> =
            declared.iter().flat_map(|(_, d)| d.devices.iter().copied()).collect();
        let meta = declared[0].0.meta;
        let message = format!(
            "no kernel `{name}` for device `{backend}`; it exists for {}",
            devices.join(", ")
        );
        Err(Error::new(ErrorKind::NotFound, message).help(format!(
            "add `{backend}` to #[kernel(device = …)] at {}:{}, or place the node elsewhere",
            meta.file, meta.line
        )))
    }

    /// Every declaration of the kernel `name`, whatever its devices.
    ///
    /// # Errors
    /// No such kernel; the error lists the known ones and the nearest.
    pub fn kernels(&self, name: &str) -> Result<Vec<(Entry, &'static KernelDef)>> {
        self.find(Kind::Kernel, name)?;
        let of_name = self.of_kind(Kind::Kernel).filter(|e| e.meta.name == name);
        Ok(of_name
            .filter_map(|e| match e.item {
                Item::Kernel(def) => Some((*e, def)),
                _ => None,
            })
            .collect())
    }

    /// The entry of `kind` called `name`.
    ///
    /// # Errors
    /// No such entry; the error lists the known ones and the nearest.
    pub fn find(&self, kind: Kind, name: &str) -> Result<&Entry> {
        if let Some(entry) = self.of_kind(kind).find(|e| e.meta.name == name) {
            return Ok(entry);
        }
        let mut known: Vec<_> = self.of_kind(kind).map(|e| e.meta.name).collect();
        known.dedup();
        Err(unknown(kind.noun(), name, &known))
    }
}

/// One line for each entry, in the order of [`Registry::entries`].
impl fmt::Display for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.iter().try_for_each(|entry| writeln!(f, "{entry}"))
    }
}

/// Collects entries by hand; see [`Registry::builder`].
#[derive(Clone, Debug, Default)]
pub struct RegistryBuilder {
    entries: Vec<Entry>,
}

impl RegistryBuilder {
    /// Adds one item; every annotated item has an `ENTRY` constant.
    #[must_use]
    pub fn register(mut self, entry: Entry) -> Self {
        self.entries.push(entry);
        self
    }

    /// Adds several items: the list that a crate offers for registration by hand.
    #[must_use]
    pub fn register_all(mut self, entries: impl IntoIterator<Item = Entry>) -> Self {
        self.entries.extend(entries);
        self
    }

    /// Adds what the linked crates submitted; nothing without the feature `inventory`.
    #[must_use]
    pub fn linked(mut self) -> Self {
        self.entries.extend(entry::linked());
        self
    }

    /// Sorts and checks the entries.
    ///
    /// # Errors
    /// Two items of one kind share a name (kernels: a name and a device), or two declarations of a
    /// kernel disagree about its parameters. The error names both places.
    pub fn build(mut self) -> Result<Registry> {
        self.entries.sort_by_key(|e| (e.item.kind(), e.meta.name, e.meta.module_path, e.meta.line));
        for (i, first) in self.entries.iter().enumerate() {
            let same_name = self.entries[i + 1..].iter().take_while(|e| first.same_name(e));
            for second in same_name {
                first.check_coexists(second)?;
            }
        }
        Ok(Registry { entries: self.entries })
    }
}
