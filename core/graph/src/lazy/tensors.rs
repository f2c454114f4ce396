//! Structs of tensors: arguments and results of functions, with a name for each leaf.

use super::Lazy;
use ringwood_base::Error;
use std::any::Any;
use std::fmt::Write;

/// What messages call a leaf: one that is the whole argument has no name.
pub(super) fn shown(name: &str) -> &str {
    if name.is_empty() { "argument" } else { name }
}

/// A value made of tensors: a tensor, a tuple, an array, a `Vec` or `Option` of such, a struct with
/// `#[derive(Tensors)]`.
///
/// ```
/// use ringwood_graph::lazy::{Lazy, Tensors};
///
/// let pair = (Lazy::placeholder(ringwood_base::DType::F32, &[2]), vec![Lazy::scalar(1), Lazy::scalar(2)]);
/// # let pair: (Lazy, Vec<Lazy>) = pair;
/// assert_eq!(pair.names(), ["0", "1.0", "1.1"]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not made of tensors",
    label = "neither a tensor nor a struct, tuple or list of tensors",
    note = "`#[derive(Clone, Tensors)]` makes a struct an argument of recorded functions",
    note = "what is no tensor is a field with `#[tensors(configuration)]`, or an argument `Static(value)`"
)]
pub trait Tensors: Clone {
    /// Visits every leaf and all that is no tensor, in order.
    fn visit<'a>(&'a self, visitor: &mut Visitor<'a>);

    /// The same structure with what `f` makes of each leaf, in the order of [`Tensors::visit`].
    #[must_use]
    fn map(self, f: &mut dyn FnMut(Lazy) -> Lazy) -> Self;

    /// The leaves, in order.
    fn leaves(&self) -> Vec<&Lazy> {
        Visitor::of(self).leaves
    }

    /// The name of each leaf: fields and positions that lead to it, as `hidden.weight` or `1.0`.
    fn names(&self) -> Vec<String> {
        let mut visitor = Visitor { names: Some(Names::default()), ..Visitor::default() };
        self.visit(&mut visitor);
        visitor.names.unwrap_or_default().all
    }

    /// What `f` makes of each leaf and the leaf at the same place of another value. Where lists of the two differ in length,
    /// every leaf keeps that error.
    #[must_use]
    #[track_caller]
    fn zip(self, other: &Self, mut f: impl FnMut(Lazy, Lazy) -> Lazy) -> Self {
        let (own, others) = (self.leaves().len(), other.leaves());
        if own != others.len() {
            let message = format!("a struct of {own} tensors beside one of {}", others.len());
            let error = Error::shape(message);
            let failed = Lazy::of_result(Err(error.help("give both lists of the same lengths")));
            return self.map(&mut |_| failed.clone());
        }
        let mut others = others.into_iter();
        self.map(&mut |leaf| {
            let other = others.next().expect("the lists have the same lengths");
            f(leaf, other.clone())
        })
    }
}

/// What [`Tensors::visit`] finds.
#[derive(Default)]
pub struct Visitor<'a> {
    pub(super) leaves: Vec<&'a Lazy>,
    /// The lengths of lists, in order.
    pub(super) counts: Vec<usize>,
    pub(super) configuration: Vec<&'a dyn Configuration>,
    names: Option<Names>,
}

#[derive(Default)]
struct Names {
    path: String,
    all: Vec<String>,
}

impl<'a> Visitor<'a> {
    pub(super) fn of<T: Tensors>(value: &'a T) -> Self {
        let mut visitor = Visitor { leaves: Vec::with_capacity(8), ..Visitor::default() };
        value.visit(&mut visitor);
        visitor
    }

    /// A part of the value, called `name`.
    pub fn field<T: Tensors>(&mut self, name: &str, value: &'a T) {
        self.inside(format_args!("{name}"), value);
    }

    /// The parts of a list of any length.
    pub fn list<T: Tensors>(&mut self, values: &'a [T]) {
        self.counts.push(values.len());
        values.iter().enumerate().for_each(|(i, value)| self.inside(format_args!("{i}"), value));
    }

    /// A part that is no tensor: functions are recorded for each value of it.
    pub fn configuration(&mut self, value: &'a dyn Configuration) {
        self.configuration.push(value);
    }

    fn leaf(&mut self, leaf: &'a Lazy) {
        self.leaves.push(leaf);
        if let Some(names) = &mut self.names {
            names.all.push(names.path.clone());
        }
    }

    fn inside<T: Tensors>(&mut self, name: std::fmt::Arguments<'_>, value: &'a T) {
        let Some(names) = &mut self.names else { return value.visit(self) };
        let length = names.path.len();
        let _ = write!(names.path, "{}{name}", if length == 0 { "" } else { "." });
        value.visit(self);
        if let Some(names) = &mut self.names {
            names.path.truncate(length);
        }
    }
}

/// A value that decides what is recorded: compared by equality, and kept with what was recorded for it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which program to record",
    note = "configuration is compared and kept: it is `Clone + Eq + Send + Sync`",
    note = "a number that is no integer is a tensor: `Lazy::scalar`"
)]
pub trait Configuration: Any + Send + Sync {
    #[doc(hidden)]
    fn same(&self, other: &dyn Configuration) -> bool;
    #[doc(hidden)]
    fn kept(&self) -> Box<dyn Configuration>;
}

impl<C: Clone + Eq + Send + Sync + 'static> Configuration for C {
    fn same(&self, other: &dyn Configuration) -> bool {
        (other as &dyn Any).downcast_ref::<C>() == Some(self)
    }

    fn kept(&self) -> Box<dyn Configuration> {
        Box::new(self.clone())
    }
}

/// An argument that is no tensor: a function of [`jit`](super::jit) is recorded for each value of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Static<C>(pub C);

impl<C: Clone + Eq + Send + Sync + 'static> Tensors for Static<C> {
    fn visit<'a>(&'a self, visitor: &mut Visitor<'a>) {
        visitor.configuration(&self.0);
    }

    fn map(self, _: &mut dyn FnMut(Lazy) -> Lazy) -> Self {
        self
    }
}

impl Tensors for Lazy {
    fn visit<'a>(&'a self, visitor: &mut Visitor<'a>) {
        visitor.leaf(self);
    }

    fn map(self, f: &mut dyn FnMut(Lazy) -> Lazy) -> Self {
        f(self)
    }
}

impl<T: Tensors> Tensors for Vec<T> {
    fn visit<'a>(&'a self, visitor: &mut Visitor<'a>) {
        visitor.list(self);
    }

    fn map(self, f: &mut dyn FnMut(Lazy) -> Lazy) -> Self {
        self.into_iter().map(|value| value.map(f)).collect()
    }
}

impl<T: Tensors, const N: usize> Tensors for [T; N] {
    fn visit<'a>(&'a self, visitor: &mut Visitor<'a>) {
        visitor.list(self);
    }

    fn map(self, f: &mut dyn FnMut(Lazy) -> Lazy) -> Self {
        self.map(|value| Tensors::map(value, f))
    }
}

impl<T: Tensors> Tensors for Option<T> {
    fn visit<'a>(&'a self, visitor: &mut Visitor<'a>) {
        visitor.counts.push(usize::from(self.is_some()));
        self.iter().for_each(|value| value.visit(visitor));
    }

    fn map(self, f: &mut dyn FnMut(Lazy) -> Lazy) -> Self {
        Option::map(self, |value| value.map(f))
    }
}

macro_rules! tuples {
    ($(($($type:ident $place:tt),*))*) => {$(
        #[allow(unused_variables, clippy::unused_unit, reason = "a tuple may have no parts")]
        impl<$($type: Tensors),*> Tensors for ($($type,)*) {
            fn visit<'a>(&'a self, visitor: &mut Visitor<'a>) {
                $(visitor.field(stringify!($place), &self.$place);)*
            }

            fn map(self, f: &mut dyn FnMut(Lazy) -> Lazy) -> Self {
                ($(self.$place.map(f),)*)
            }
        }
    )*};
}

tuples! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}
