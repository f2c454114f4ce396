//! `f16` and `bf16`: each operation is that of `f32`, rounded once.

use super::{Number, Signed};
use half::{bf16, f16};

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        impl Number for $ty {
            numbers! { @binary $ty add sub mul div rem div_euclid rem_euclid min max }
            inline! {
                fn clamp(self, low: Self, high: Self) -> Self =
                    if self < low { low } else if self > high { high } else { self };
            }
        }

        impl Signed for $ty {
            inline! {
                fn neg(self) -> Self = -self;
                fn abs(self) -> Self = $ty::from_f32(Signed::abs(self.to_f32()));
                fn signum(self) -> Self = $ty::from_f32(Signed::signum(self.to_f32()));
            }
        }
    )*};
    (@binary $ty:ident $($name:ident)*) => {
        inline! {
            $(fn $name(self, other: Self) -> Self =
                $ty::from_f32(Number::$name(self.to_f32(), other.to_f32()));)*
        }
    };
}

numbers! { f16 bf16 }
