//! The annotated items of a program, found by kind and name.
//!
//! Registration describes; it selects nothing. [`Registry::global`] holds what the macros submitted
//! at link time (feature `inventory`), [`Registry::builder`] builds the same thing by hand. Either
//! way the items are sorted by kind, name and package, so every listing is the same in every build.
//!
//! A name belongs to the package that declares it: `my_crate::softmax` and `ringwood::softmax` stand
//! in one registry. The short form, `softmax`, means the only item of that name, or Ringwood's.

mod clash;
mod entry;
mod kind;
mod package;
mod suggest;

pub use entry::{Entry, EntryMeta};
pub use kind::{Item, Kind, Names};
#[doc(hidden)]
pub use package::{package, underscored};
pub use ringwood_ir::nearest;
pub use suggest::unknown;

use crate::{Error, Result};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The package that Ringwood's own items belong to.
pub const RINGWOOD: &str = "ringwood";

/// The registered items of a program.
///
/// ```
/// use ringwood_base::registry::{Kind, Registry};
///
/// #[derive(Debug)]
/// struct Recipe(u32);
///
/// impl Kind for Recipe {
///     const NAME: &'static str = "recipe";
/// }
///
/// let registry = Registry::builder().build()?;
/// assert!(registry.entries().is_empty());
/// let error = registry.find::<Recipe>("soup").unwrap_err();
/// assert_eq!(error.to_string(), "no recipe `soup`; none is registered");
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Debug, Default, serde::Serialize)]
#[serde(transparent)]
pub struct Registry {
    entries: Arc<[Entry]>,
    /// Where the entries of a kind and short name are, by kind.
    #[serde(skip)]
    places: Arc<HashMap<&'static str, HashMap<String, Range<usize>>>>,
}

impl Registry {
    /// Everything that annotated items of the linked crates submitted.
    ///
    /// A crate that no code mentions is not linked, and its items are not here: mention it with
    /// `use that_crate as _;`. `ringwood doctor` counts what arrived.
    ///
    /// # Errors
    /// Items clash; see [`RegistryBuilder::build`].
    pub fn global() -> Result<&'static Registry> {
        static GLOBAL: OnceLock<Result<Registry>> = OnceLock::new();
        GLOBAL.get_or_init(|| Self::builder().linked().build()).as_ref().map_err(Clone::clone)
    }

    /// An empty registry to fill by hand.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::default()
    }

    /// Every entry, sorted by kind, name and package.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The items of one kind with their entries, sorted by name and package.
    pub fn of<K: Kind>(&self) -> impl Iterator<Item = (&Entry, &K)> {
        let start = self.entries.partition_point(|e| e.kind() < K::NAME);
        let entries = self.entries[start..].iter().take_while(|e| e.kind() == K::NAME);
        entries.filter_map(|entry| Some((entry, entry.item::<K>()?)))
    }

    /// The item of kind `K` called `name`: `package::name`, or the short form.
    ///
    /// # Errors
    /// See [`Registry::entry`].
    pub fn find<K: Kind>(&self, name: &str) -> Result<&K> {
        let entry = self.entry::<K>(name)?;
        Ok(entry.item().expect("an entry holds an item of its kind"))
    }

    /// The first entry of kind `K` called `name`: `package::name`, or the short form where one package has
    /// it, or Ringwood is among those that have it.
    ///
    /// # Errors
    /// [`NotFound`](crate::ErrorKind::NotFound): no such item, and the error names those of this name in other packages, or else
    /// lists the known ones and the nearest; or several packages have it, and none of them is Ringwood.
    pub fn entry<K: Kind>(&self, name: &str) -> Result<&Entry> {
        Ok(&self.declared::<K>(name)?[0])
    }

    /// The name by which [`Registry::entry`] finds again what it finds by `name`: the short form, unless that
    /// means nothing, or an item of another package.
    ///
    /// # Errors
    /// See [`Registry::entry`].
    pub fn shortest_name<K: Kind>(&self, name: &str) -> Result<String> {
        let meta = self.entry::<K>(name)?.meta();
        let short = self.entry::<K>(meta.name).is_ok_and(|e| e.meta().package == meta.package);
        Ok(if short { meta.name.to_owned() } else { meta.full_name() })
    }

    /// Every declaration of what [`Registry::entry`] finds: those of the same package and name, such
    /// as the items of one kernel for several devices.
    ///
    /// # Errors
    /// See [`Registry::entry`].
    pub fn declared<K: Kind>(&self, name: &str) -> Result<&[Entry]> {
        let (package, short) = match name.rsplit_once("::") {
            Some((package, short)) => (Some(package), short),
            None => (None, name),
        };
        let named = self.named(K::NAME, short);
        let package = match package {
            Some(package) => package,
            None if named.iter().any(|e| e.meta().package == RINGWOOD) => RINGWOOD,
            None => named.first().map_or("", |e| e.meta().package),
        };
        let found = of_package(named, package);
        if found.is_empty() {
            return Err(self.not_found::<K>(name));
        }
        if found.len() < named.len() && !name.contains("::") && package != RINGWOOD {
            return Err(ambiguous::<K>(name, named));
        }
        Ok(found)
    }

    /// Every declaration of kind `K` that one package makes under one name; none if it makes none.
    pub fn of_package<K: Kind>(&self, package: &str, name: &str) -> &[Entry] {
        of_package(self.named(K::NAME, name), package)
    }

    /// The items of other packages that the short name of an entry might mean, too.
    pub fn also(&self, entry: &Entry) -> impl Iterator<Item = &Entry> {
        let package = entry.meta().package;
        self.named(entry.kind(), entry.meta().name)
            .iter()
            .filter(move |e| e.meta().package != package)
    }

    /// The entries of one kind and short name, sorted by package.
    fn named(&self, kind: &str, name: &str) -> &[Entry] {
        let place = self.places.get(kind).and_then(|places| places.get(name));
        place.map_or(&[], |place| &self.entries[place.clone()])
    }

    fn not_found<K: Kind>(&self, name: &str) -> Error {
        let short = name.rsplit_once("::").map_or(name, |(_, short)| short);
        let mut elsewhere: Vec<_> =
            self.named(K::NAME, short).iter().map(|entry| entry.meta().full_name()).collect();
        elsewhere.dedup();
        if !elsewhere.is_empty() {
            let (noun, elsewhere) = (K::noun(), elsewhere.join("` or `"));
            return Error::not_found(format!("no {noun} `{name}`, did you mean `{elsewhere}`?"));
        }
        let mut known: Vec<_> = self.of::<K>().map(|(entry, _)| entry.meta().name).collect();
        known.dedup();
        unknown(&K::noun(), name.strip_prefix("ringwood::").unwrap_or(name), &known)
    }
}

/// The entries of one package among those of one name, which are sorted by package.
fn of_package<'a>(named: &'a [Entry], package: &str) -> &'a [Entry] {
    let start = named.partition_point(|e| e.meta().package < package);
    let end = named.partition_point(|e| e.meta().package <= package);
    &named[start..end]
}

fn ambiguous<K: Kind>(name: &str, named: &[Entry]) -> Error {
    let mut full: Vec<_> = named.iter().map(|e| e.meta().full_name()).collect();
    full.dedup();
    let noun = K::noun();
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    let message = format!("several packages have {article} {noun} `{name}`: {}", full.join(", "));
    Error::not_found(message).help("write the package, too")
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
    /// [`Duplicate`](crate::ErrorKind::Duplicate): two items of one kind share a package and a name (backends: a name),
    /// and the kind does not say that they go together. The error names both places of every clash.
    pub fn build(mut self) -> Result<Registry> {
        self.entries.sort_by(|a, b| a.place().cmp(&b.place()));
        clash::check(&self.entries)?;
        let mut places: HashMap<_, HashMap<_, _>> = HashMap::new();
        for (i, entry) in self.entries.iter().enumerate() {
            let of_kind = places.entry(entry.kind()).or_default();
            of_kind.entry(entry.meta().name.to_owned()).or_insert(i..i).end = i + 1;
        }
        Ok(Registry { entries: self.entries.into(), places: Arc::new(places) })
    }
}
