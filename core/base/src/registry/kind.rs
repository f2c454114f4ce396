//! What kinds of items there are: an open set, one trait.

use std::any::Any;

/// Whose a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// The package's: other packages may have an item of the same name.
    OfPackage,
    /// The program's: a name exists once, whatever the package.
    OfProgram,
}

/// A kind of items that can be registered.
///
/// A new kind is a type with an impl of this trait; nothing else has to know of it.
pub trait Kind: Any + Send + Sync {
    /// The kind in listings and `--json`: `global_fn`.
    const NAME: &'static str;

    /// Whose the names of items of this kind are.
    const NAMES: Names = Names::OfPackage;

    /// What an item of this kind is called in messages: [`Kind::NAME`] as words.
    fn noun() -> String {
        Self::NAME.replace('_', " ")
    }

    /// The backends that the item is for, if it is for some only.
    fn devices(&self) -> &[&'static str] {
        &[]
    }

    /// Whether two items may share one name.
    ///
    /// # Errors
    /// They may not; the text continues "kernel `saxpy` …".
    fn coexists(&self, other: &Self) -> Result<(), String> {
        let _ = other;
        Err("is registered twice".to_owned())
    }
}

/// An item of any kind: what an [`Entry`](super::Entry) holds. Every [`Kind`] is one.
pub trait Item: Any + Send + Sync {
    /// [`Kind::NAME`].
    fn kind(&self) -> &'static str;
    /// [`Kind::noun`].
    fn noun(&self) -> String;
    /// [`Kind::NAMES`].
    fn names(&self) -> Names;
    /// [`Kind::devices`].
    fn devices(&self) -> &[&'static str];
    /// [`Kind::coexists`], for an item of the same kind.
    ///
    /// # Errors
    /// They may not share a name.
    fn coexists(&self, other: &dyn Item) -> Result<(), String>;
}

impl<K: Kind> Item for K {
    fn kind(&self) -> &'static str {
        K::NAME
    }

    fn noun(&self) -> String {
        K::noun()
    }

    fn names(&self) -> Names {
        K::NAMES
    }

    fn devices(&self) -> &[&'static str] {
        Kind::devices(self)
    }

    fn coexists(&self, other: &dyn Item) -> Result<(), String> {
        match (other as &dyn Any).downcast_ref::<K>() {
            Some(other) => Kind::coexists(self, other),
            None => Err(format!("shares its kind's name, `{}`, with another type", K::NAME)),
        }
    }
}
