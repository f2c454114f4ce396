//! Type inference: literals take the type of what they meet.

use ringwood_ir::Type;

/// The number of a type to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TypeVar(usize);

/// What is known of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Any type: the result of a function that is declared elsewhere.
    Any,
    /// Some integer type.
    Integer,
    /// Some floating-point type.
    Float,
    Type(Type),
    /// The type of an expression that is reported already; it fits everywhere.
    Wrong,
}

impl Known {
    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::Float) || matches!(self, Self::Type(ty) if ty.is_float())
    }

    pub(super) fn text(self) -> String {
        match self {
            Known::Any => "{unknown}".into(),
            Known::Integer => "{integer}".into(),
            Known::Float => "{float}".into(),
            Known::Type(ty) => ty.name().into(),
            Known::Wrong => "{unknown}".into(),
        }
    }
}

/// The types of one body: a union-find over their numbers.
#[derive(Default)]
pub(super) struct Types(Vec<Slot>);

enum Slot {
    Root(Known),
    Same(TypeVar),
}

impl Types {
    pub(super) fn new_var(&mut self, known: Known) -> TypeVar {
        self.0.push(Slot::Root(known));
        TypeVar(self.0.len() - 1)
    }

    pub(super) fn known(&self, var: TypeVar) -> Known {
        match self.0[var.0] {
            Slot::Root(known) => known,
            Slot::Same(other) => self.known(other),
        }
    }

    fn root(&self, var: TypeVar) -> TypeVar {
        match self.0[var.0] {
            Slot::Root(_) => var,
            Slot::Same(other) => self.root(other),
        }
    }

    /// Whether two types are one.
    pub(super) fn is_same(&self, a: TypeVar, b: TypeVar) -> bool {
        self.root(a) == self.root(b)
    }

    /// Makes two types one; returns whether they can be.
    pub(super) fn unify(&mut self, a: TypeVar, b: TypeVar) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return true;
        }
        let both = match (self.known(a), self.known(b)) {
            (Known::Wrong, _) | (_, Known::Wrong) => Known::Wrong,
            (x, y) if x == y => x,
            (Known::Any, known) | (known, Known::Any) => known,
            (Known::Integer, Known::Type(ty)) | (Known::Type(ty), Known::Integer)
                if ty.is_integer() =>
            {
                Known::Type(ty)
            }
            (Known::Float, Known::Type(ty)) | (Known::Type(ty), Known::Float) if ty.is_float() => {
                Known::Type(ty)
            }
            _ => return false,
        };
        self.0[a.0] = Slot::Root(both);
        self.0[b.0] = Slot::Same(a);
        true
    }

    /// Gives up on a type that stayed open, after a report about it.
    pub(super) fn give_up(&mut self, var: TypeVar) {
        let root = self.root(var);
        if matches!(self.known(root), Known::Any | Known::Integer | Known::Float) {
            self.0[root.0] = Slot::Root(Known::Wrong);
        }
    }

    /// Fixes what stayed open: an integer is `i32`, as in Rust.
    pub(super) fn fix(&mut self, var: TypeVar, ty: Type) {
        let root = self.root(var);
        self.0[root.0] = Slot::Root(Known::Type(ty));
    }

    /// The type found.
    pub(super) fn resolved(&self, var: TypeVar) -> Type {
        match self.known(var) {
            Known::Type(ty) => ty,
            Known::Float => Type::F64,
            Known::Any | Known::Integer | Known::Wrong => Type::I32,
        }
    }
}
