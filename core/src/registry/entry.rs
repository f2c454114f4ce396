//! One registered item: what it is called, where it stands, what it is.

use crate::backend::{BackendDef, Registered};
use crate::collective::Collective;
use crate::collective::transport::TransportDef;
use crate::kernel::KernelDef;
use crate::operator::Operator;
use crate::session::GlobalFn;
use crate::{Error, ErrorKind, Result};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::fmt;

/// One registered item. A plain value, built in a constant by the macros.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name and its place in the source.
    pub meta: EntryMeta,
    /// The item itself.
    pub item: Item,
}

/// The name of an item and its place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct EntryMeta {
    /// The name under which programs ask for the item.
    pub name: &'static str,
    /// `module_path!()` of the item.
    pub module_path: &'static str,
    /// `file!()` of the item.
    pub file: &'static str,
    /// `line!()` of the item.
    pub line: u32,
}

/// A registered item.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Item {
    /// Declared by `#[backend]`.
    Backend(&'static BackendDef),
    /// Declared by `register_collective!`.
    Collective(&'static dyn Collective),
    /// Declared by `#[global_fn]`.
    GlobalFn(&'static GlobalFn),
    /// Declared by `#[kernel]`.
    Kernel(&'static KernelDef),
    /// Declared by `register_operator!`.
    Operator(&'static Operator),
    /// Declared by `register_transport!`.
    Transport(&'static TransportDef),
}

/// The kinds of items, in the order of listings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names are the nouns of the glossary")]
pub enum Kind {
    Backend,
    Collective,
    GlobalFn,
    Kernel,
    Operator,
    Transport,
}

impl Kind {
    /// What an item of this kind is called in messages.
    pub const fn noun(self) -> &'static str {
        match self {
            Kind::Backend => "backend",
            Kind::Collective => "collective",
            Kind::GlobalFn => "global function",
            Kind::Kernel => "kernel",
            Kind::Operator => "operator",
            Kind::Transport => "transport",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.noun())
    }
}

impl Item {
    /// The kind of the item.
    pub const fn kind(&self) -> Kind {
        match self {
            Item::Backend(_) => Kind::Backend,
            Item::Collective(_) => Kind::Collective,
            Item::GlobalFn(_) => Kind::GlobalFn,
            Item::Kernel(_) => Kind::Kernel,
            Item::Operator(_) => Kind::Operator,
            Item::Transport(_) => Kind::Transport,
        }
    }
}

impl Entry {
    /// The entry of backend `B`, declared at `meta`.
    pub const fn backend<B: Registered>(meta: EntryMeta) -> Self {
        struct Def<B>(std::marker::PhantomData<B>);
        impl<B: Registered> Def<B> {
            const DEF: &'static BackendDef = &BackendDef::new::<B>();
        }
        Self { meta, item: Item::Backend(Def::<B>::DEF) }
    }

    /// The entry of a collective, declared at `meta`.
    pub const fn collective(meta: EntryMeta, instance: &'static dyn Collective) -> Self {
        Self { meta, item: Item::Collective(instance) }
    }

    /// The entry of a global function, declared at `meta`.
    pub const fn global_fn(meta: EntryMeta, function: &'static GlobalFn) -> Self {
        Self { meta, item: Item::GlobalFn(function) }
    }

    pub(super) fn same_name(&self, other: &Entry) -> bool {
        self.item.kind() == other.item.kind() && self.meta.name == other.meta.name
    }

    /// Whether two entries of one name may stand in one registry: only kernels, for other devices
    /// and with the same signature.
    pub(super) fn check_coexists(&self, other: &Entry) -> Result<()> {
        let (Item::Kernel(a), Item::Kernel(b)) = (self.item, other.item) else {
            return Err(self.conflict(other, "is registered twice"));
        };
        if let Some(device) = a.devices.iter().find(|d| b.devices.contains(d)) {
            return Err(self.conflict(other, &format!("is registered twice for device `{device}`")));
        }
        if !a.same_signature(b) {
            return Err(self.conflict(other, "is declared with two different signatures"));
        }
        Ok(())
    }

    /// The backends that the item is for: those of a kernel, none otherwise.
    pub fn devices(&self) -> &'static [&'static str] {
        match self.item {
            Item::Kernel(def) => def.devices,
            _ => &[],
        }
    }

    fn conflict(&self, other: &Entry, what: &str) -> Error {
        let (noun, a, b) = (self.item.kind().noun(), self.meta, other.meta);
        let message = format!(
            "{noun} `{}` {what}: at {}:{} and at {}:{}",
            a.name, a.file, a.line, b.file, b.line
        );
        Error::new(ErrorKind::Duplicate, message).help("rename one of them, or drop one crate")
    }
}

/// ``kernel `saxpy` for cpu, opencl (src/main.rs:3)``.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.item.kind(), self.meta.name)?;
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
        let fields = if self.devices().is_empty() { 5 } else { 6 };
        let mut entry = serializer.serialize_struct("Entry", fields)?;
        entry.serialize_field("kind", &self.item.kind())?;
        entry.serialize_field("name", self.meta.name)?;
        entry.serialize_field("module_path", self.meta.module_path)?;
        entry.serialize_field("file", self.meta.file)?;
        entry.serialize_field("line", &self.meta.line)?;
        if fields == 6 {
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
