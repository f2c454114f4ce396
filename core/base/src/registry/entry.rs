//! One registered item: what it is called, where it stands, what it is.

use super::RINGWOOD;
use super::kind::{Item, Kind};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::any::Any;
use std::fmt;

/// One registered item. A plain value, built in a constant by the macros.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name and its place in the source.
    pub meta: EntryMeta,
    item: &'static dyn Item,
}

/// The name of an item and its place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct EntryMeta {
    /// The package that declares the item, as in a path: `my_crate`.
    pub package: &'static str,
    /// The name under which programs ask for the item.
    pub name: &'static str,
    /// `module_path!()` of the item.
    pub module_path: &'static str,
    /// `file!()` of the item.
    pub file: &'static str,
    /// `line!()` of the item.
    pub line: u32,
}

impl EntryMeta {
    /// `package::name`, which no other item of the kind has.
    pub fn full_name(&self) -> String {
        format!("{}::{}", self.package, self.name)
    }

    /// The name that messages use: the short one of Ringwood's own items, else `package::name`.
    pub fn shown_name(&self) -> String {
        if self.package == RINGWOOD { self.name.to_owned() } else { self.full_name() }
    }
}

impl Entry {
    /// The entry of an item that is declared at `meta`.
    pub const fn new<K: Kind>(meta: EntryMeta, item: &'static K) -> Self {
        Self { meta, item }
    }

    /// The name of the item's kind; see [`Kind::NAME`].
    pub fn kind(&self) -> &'static str {
        self.item.kind()
    }

    /// What an item of this kind is called in messages; see [`Kind::noun`].
    pub fn noun(&self) -> String {
        self.item.noun()
    }

    /// The item, if it is of kind `K`.
    pub fn item<K: Kind>(&self) -> Option<&'static K> {
        (self.item as &dyn Any).downcast_ref()
    }

    /// The backends that the item is for, if it is for some only.
    pub fn devices(&self) -> &[&'static str] {
        self.item.devices()
    }

    /// The item, whatever its kind.
    pub(super) fn erased(&self) -> &'static dyn Item {
        self.item
    }

    /// What entries are sorted by.
    pub(super) fn place(&self) -> (&'static str, &'static str, &'static str, &'static str, u32) {
        let EntryMeta { package, name, module_path, line, .. } = self.meta;
        (self.kind(), name, package, module_path, line)
    }
}

/// ``kernel `saxpy` for cpu, opencl (src/main.rs:3)``.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.noun(), self.meta.name)?;
        if !self.devices().is_empty() {
            write!(f, " for {}", self.devices().join(", "))?;
        }
        write!(f, " ({}:{})", self.meta.file, self.meta.line)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The kind, the fields of [`EntryMeta`], and the devices of a kernel.
impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = if self.devices().is_empty() { 6 } else { 7 };
        let mut entry = serializer.serialize_struct("Entry", fields)?;
        entry.serialize_field("kind", self.kind())?;
        entry.serialize_field("package", self.meta.package)?;
        entry.serialize_field("name", self.meta.name)?;
        entry.serialize_field("module_path", self.meta.module_path)?;
        entry.serialize_field("file", self.meta.file)?;
        entry.serialize_field("line", &self.meta.line)?;
        if fields == 7 {
            entry.serialize_field("devices", self.devices())?;
        }
        entry.end()
    }
}

#[cfg(feature = "inventory")]
inventory::collect!(Entry);

#[cfg(feature = "inventory")]
pub(super) fn linked() -> impl Iterator<Item = Entry> {
    inventory::iter::<Entry>().copied()
}

#[cfg(not(feature = "inventory"))]
pub(super) fn linked() -> impl Iterator<Item = Entry> {
    std::iter::empty()
}
