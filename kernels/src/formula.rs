//! Gradients as formulas, and the table of maps that have one.

use ringwood_base::{DType, Error, Result};
use ringwood_graph::graph::{Attributes, GradientContext, Value};
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Adds the nodes that make one value of another.
type Step<'s> = &'s dyn Fn(&mut GradientContext<'_>, Value) -> Result<Value>;

/// A value in a gradient. What is computed of it is a node, in the order in which Rust computes it.
#[derive(Clone, Copy)]
pub(crate) struct Term<'a> {
    add: &'a dyn Fn(Step<'_>, Value) -> Value,
    value: Value,
    operand: Option<usize>,
}

/// What an operand gets as its gradient.
pub(crate) struct Part(usize, Value);

/// A gradient function from a formula: of the operands, the result and its gradient it makes what operands get.
pub(crate) fn gradient<const N: usize, const M: usize>(
    c: &mut GradientContext<'_>,
    formula: impl for<'a> FnOnce([Term<'a>; N], Term<'a>, Term<'a>) -> [Part; M],
) -> Result<()> {
    let mut formula = Some(formula);
    evaluate(c, N, &mut |operands, result, gradient| {
        let formula = formula.take().expect("a formula is evaluated once");
        let operands = operands.first_chunk().expect("it has its operands");
        formula(*operands, result, gradient).into()
    })
}

/// A formula, of its operands, the result and its gradient.
type Formula<'f> = &'f mut dyn for<'a> FnMut(&[Term<'a>], Term<'a>, Term<'a>) -> Vec<Part>;

/// [`gradient`] for any number of operands: compiled once, not for each formula.
fn evaluate(c: &mut GradientContext<'_>, operands: usize, formula: Formula<'_>) -> Result<()> {
    let operands: Vec<_> = (0..operands).map(|i| (c.operand(i), Some(i))).collect();
    let (result, gradient) = (c.result(), c.gradient()?);
    let state = RefCell::new((c, None::<Error>));
    // Behind an error nothing is added, and any value will do.
    let add = |step: Step<'_>, value: Value| match &mut *state.borrow_mut() {
        (_, Some(_)) => value,
        (c, error) => step(c, value).unwrap_or_else(|failed| {
            *error = Some(failed);
            value
        }),
    };
    let term = |(value, operand)| Term { add: &add, value, operand };
    let operands: Vec<_> = operands.into_iter().map(term).collect();
    let parts = formula(&operands, term((result, None)), term((gradient, None)));
    match state.into_inner() {
        (_, Some(error)) => Err(error),
        (c, None) => parts.into_iter().try_for_each(|Part(operand, value)| c.add(operand, value)),
    }
}

impl<'a> Term<'a> {
    /// A number of the type of the result.
    pub(crate) fn number(self, number: f64) -> Self {
        self.step(&|c, _| c.constant(number))
    }

    /// An operator of this value and others.
    pub(crate) fn apply<const K: usize>(self, operator: &str, others: [Self; K]) -> Self {
        self.apply_with(operator, others, ())
    }

    /// An operator with attributes.
    pub(crate) fn apply_with<const K: usize>(
        self,
        operator: &str,
        others: [Self; K],
        attributes: impl Into<Attributes>,
    ) -> Self {
        self.operator(operator, &others, attributes.into())
    }

    fn operator(self, operator: &str, others: &[Self], attributes: Attributes) -> Self {
        let operands: Vec<_> = [&self].into_iter().chain(others).map(|term| term.value).collect();
        self.step(&|c, _| c.apply_with(operator, &operands, attributes.clone()))
    }

    /// The same numbers in the type of another value.
    pub(crate) fn cast_as(self, other: Self) -> Self {
        self.step(&|c, value| {
            let dtype = c.type_of(other.value)?.dtype;
            c.cast(value, dtype)
        })
    }

    /// The same numbers, as `f32` where their type has 16 bits.
    pub(crate) fn wide(self) -> Self {
        self.step(&|c, value| match c.type_of(value)?.dtype {
            DType::F16 | DType::BF16 => c.cast(value, DType::F32),
            _ => Ok(value),
        })
    }

    /// What this operand gets.
    pub(crate) fn gets(self, gradient: Self) -> Part {
        Part(self.operand.expect("an operand gets a gradient"), gradient.value)
    }

    /// What a step makes of this value.
    pub(crate) fn step(self, step: Step<'_>) -> Self {
        Self { value: (self.add)(step, self.value), operand: None, ..self }
    }
}

macro_rules! arithmetic {
    ($($trait:ident $method:ident;)*) => {$(
        impl $trait for Term<'_> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.apply(stringify!($method), [other])
            }
        }

        impl $trait<f64> for Term<'_> {
            type Output = Self;

            fn $method(self, other: f64) -> Self {
                self.$method(self.number(other))
            }
        }

        impl<'a> $trait<Term<'a>> for f64 {
            type Output = Term<'a>;

            fn $method(self, other: Term<'a>) -> Term<'a> {
                other.number(self).$method(other)
            }
        }
    )*};
}

arithmetic! {
    Add add;
    Sub sub;
    Mul mul;
    Div div;
}

impl Neg for Term<'_> {
    type Output = Self;

    fn neg(self) -> Self {
        self.apply("neg", [])
    }
}

/// Declares kernels of single elements, each with the operator of its name. Before them stand what they have in common:
/// the options of the kernels, and the shape and dtype rules of the operators. Behind each stands a dtype rule of its own, and
/// the formula of its [`gradient`], if it has those.
macro_rules! maps {
    (
        @one [<$($t:ident)?> $options:tt $shape:literal $($dtype:literal)?]
        $(#[$doc:meta])*
        $name:ident $operator:ident $operands:tt -> $to:ident $body:tt $(dtype: $own:literal)? $(gradient: $gradient:expr)?
    ) => {
        $(#[$doc])*
        #[ringwood_device::kernel $options]
        pub fn $name<$($t)?> $operands -> $to $body

        ringwood_graph::register_operator! {
            $(#[$doc])*
            pub $operator = $name;
            shape: $shape,
            $(dtype: $dtype,)?
            $(dtype: $own,)?
            $(gradient: |c| $crate::formula::gradient(c, $gradient),)?
        }
    };
    (
        $common:tt
        $(
            $(#[$doc:meta])*
            $name:ident $operator:ident $operands:tt -> $to:ident { $($body:tt)* }
            $(dtype: $own:literal)? $(gradient: $gradient:expr)?;
        )*
    ) => {$(
        $crate::formula::maps! {
            @one $common
            $(#[$doc])*
            $name $operator $operands -> $to { $($body)* } $(dtype: $own)? $(gradient: $gradient)?
        }
    )*};
}

pub(crate) use maps;
