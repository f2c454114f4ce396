//! One registered item: what it is called, where it stands, what it is.

use super::RINGWOOD;
use super::kind::{Item, Kind};
use crate::Shared;
use serde::{Serialize, Serializer};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// One registered item: a constant, built by the macros, or an item that was made at run time and is
/// dropped with the last registry that holds it.
#[derive(Clone)]
pub struct Entry {
    meta: EntryMeta<'static>,
    /// The name of an item that was made at run time, in place of that of `meta`.
    name: Option<Arc<str>>,
    item: Shared<dyn Item>,
}

/// The name of an item and its place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct EntryMeta<'a> {
    /// The package that declares the item, as in a path: `my_crate`.
    pub package: &'static str,
    /// The name under which programs ask for the item.
    pub name: &'a str,
    /// `module_path!()` of the item.
    pub module_path: &'static str,
    /// `file!()` of the item.
    pub file: &'static str,
    /// `line!()` of the item.
    pub line: u32,
}

impl EntryMeta<'_> {
    /// `package::name`, which no other item of the kind has.
    pub fn full_name(&self) -> String {
        format!("{}::{}", self.package, self.name)
    }

    /// Whether `name` is that of the item: `package::name`, or the short form.
    pub fn is_called(&self, name: &str) -> bool {
        match name.rsplit_once("::") {
            Some((package, name)) => package == self.package && name == self.name,
            None => name == self.name,
        }
    }

    /// The name that messages use: the short one of Ringwood's own items, else `package::name`.
    pub fn shown_name(&self) -> String {
        if self.package == RINGWOOD { self.name.to_owned() } else { self.full_name() }
    }
}

impl Entry {
    /// The entry of an item that is declared at `meta`.
    pub const fn new<K: Kind>(meta: EntryMeta<'static>, item: &'static K) -> Self {
        Self { meta, name: None, item: Shared::Declared(item) }
    }

    /// The entry of an item that is made at run time, under the name and at the place of `meta`.
    pub fn made<K: Kind>(meta: EntryMeta<'_>, item: K) -> Self {
        let name = Some(Arc::from(meta.name));
        let EntryMeta { package, module_path, file, line, .. } = meta;
        let meta = EntryMeta { package, name: K::NAME, module_path, file, line };
        Self { meta, name, item: Shared::Made(Arc::new(item)) }
    }

    /// Its name and its place in the source.
    pub fn meta(&self) -> EntryMeta<'_> {
        match &self.name {
            None => self.meta,
            Some(name) => EntryMeta { name, ..self.meta },
        }
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
    pub fn item<K: Kind>(&self) -> Option<&K> {
        (&*self.item as &dyn Any).downcast_ref()
    }

    /// The item, if it is a constant of kind `K`.
    pub fn declared<K: Kind>(&self) -> Option<&'static K> {
        match self.item {
            Shared::Declared(item) => (item as &dyn Any).downcast_ref(),
            Shared::Made(_) => None,
        }
    }

    /// The item, if it is of kind `K`, to keep longer than the registry.
    pub fn shared<K: Kind>(&self) -> Option<Shared<K>> {
        match &self.item {
            Shared::Declared(item) => (*item as &dyn Any).downcast_ref().map(Shared::Declared),
            Shared::Made(item) => {
                let item: Arc<dyn Any + Send + Sync> = Arc::<dyn Item>::clone(item);
                item.downcast().ok().map(Shared::Made)
            }
        }
    }

    /// The backends that the item is for, if it is for some only.
    pub fn devices(&self) -> &[&'static str] {
        self.item.devices()
    }

    /// The item, whatever its kind.
    pub(super) fn erased(&self) -> &dyn Item {
        &*self.item
    }

    /// What entries are sorted by.
    pub(super) fn place(&self) -> (&'static str, &str, &'static str, &'static str, u32) {
        let EntryMeta { package, name, module_path, line, .. } = self.meta();
        (self.kind(), name, package, module_path, line)
    }
}

/// ``kernel `saxpy` for cpu, opencl (src/main.rs:3)``.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EntryMeta { name, file, line, .. } = self.meta();
        write!(f, "{} `{name}`", self.noun())?;
        if !self.devices().is_empty() {
            write!(f, " for {}", self.devices().join(", "))?;
        }
        write!(f, " ({file}:{line})")
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
        #[derive(Serialize)]
        struct Shown<'a> {
            kind: &'static str,
            #[serde(flatten)]
            meta: EntryMeta<'a>,
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            devices: &'a [&'static str],
        }
        let (kind, meta, devices) = (self.kind(), self.meta(), self.devices());
        Shown { kind, meta, devices }.serialize(serializer)
    }
}

#[cfg(feature = "inventory")]
inventory::collect!(Entry);

#[cfg(feature = "inventory")]
pub(super) fn linked() -> impl Iterator<Item = Entry> {
    inventory::iter::<Entry>().cloned()
}

#[cfg(not(feature = "inventory"))]
pub(super) fn linked() -> impl Iterator<Item = Entry> {
    std::iter::empty()
}
