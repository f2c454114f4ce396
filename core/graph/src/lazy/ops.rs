//! Arithmetic between tensors, and between tensors and numbers.

use super::Lazy;
use super::apply::{IntoOperand, one, results};
use crate::graph::Attributes;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::panic::Location;

impl Lazy {
    /// Applies an operator of two operands to this tensor and a tensor or number.
    #[track_caller]
    #[must_use]
    pub fn with(&self, operator: &str, other: impl IntoOperand) -> Lazy {
        let line = Location::caller();
        let other = other.operand(self, line);
        one(operator, results(operator, &[self, &other], Attributes::default(), line), line)
    }
}

macro_rules! operations {
    ($($trait:ident $method:ident $operator:literal;)*) => {$(
        operations!(@tensor $trait $method $operator Lazy, &Lazy);
        operations!(@number $trait $method $operator f32, f64, i32);
    )*};
    (@tensor $trait:ident $method:ident $operator:literal $($tensor:ty),*) => {$(
        impl<T: IntoOperand> $trait<T> for $tensor {
            type Output = Lazy;

            #[track_caller]
            fn $method(self, other: T) -> Lazy {
                self.with($operator, other)
            }
        }
    )*};
    (@number $trait:ident $method:ident $operator:literal $($number:ty),*) => {$(
        impl $trait<Lazy> for $number {
            type Output = Lazy;

            #[track_caller]
            fn $method(self, other: Lazy) -> Lazy {
                self.$method(&other)
            }
        }

        impl $trait<&Lazy> for $number {
            type Output = Lazy;

            #[track_caller]
            fn $method(self, other: &Lazy) -> Lazy {
                self.operand(other, Location::caller()).with($operator, other)
            }
        }
    )*};
}

operations! {
    Add add "ringwood::add";
    Sub sub "ringwood::sub";
    Mul mul "ringwood::mul";
    Div div "ringwood::div";
}

impl Neg for Lazy {
    type Output = Lazy;

    #[track_caller]
    fn neg(self) -> Lazy {
        -&self
    }
}

impl Neg for &Lazy {
    type Output = Lazy;

    #[track_caller]
    fn neg(self) -> Lazy {
        self.apply("ringwood::neg", &[], ())
    }
}
