//! The table of math functions.

use crate::Type;
use crate::named::named;

named! {
    /// The types that a function takes; its trait in [`math`](crate::math) has this name.
    pub enum Class {
        /// Every type but `bool`.
        Number "Number",
        /// Signed integers and floating-point types.
        Signed "Signed",
        /// Integers.
        Integer "Integer",
        /// Floating-point types.
        Float "Float",
        /// `f32` and `f64`, whose bits are a type of kernels.
        ToBits "ToBits",
        /// `u32` and `u64`.
        FromBits "FromBits",
    }
    /// The name of the trait.
    fn name;
}

impl Class {
    const fn takes(self, ty: Type) -> bool {
        match self {
            Class::Number => ty.is_float() || ty.is_integer(),
            Class::Signed => ty.is_signed(),
            Class::Integer => ty.is_integer(),
            Class::Float => ty.is_float(),
            Class::ToBits => matches!(ty, Type::F32 | Type::F64),
            Class::FromBits => matches!(ty, Type::U32 | Type::U64),
        }
    }
}

/// The type of a result.
#[derive(Clone, Copy)]
enum Outcome {
    Same,
    Bool,
    U32,
    Bits,
}

/// How far results are from the exact ones, in units of the last place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The bound of the `f32` function, on every device; infinite if it grows with an operand.
    pub f32: f64,
    /// The bound of the `f64` function, on every device.
    pub f64: f64,
    /// The function of the C libraries of devices, without a suffix, and its bound, by the OpenCL C
    /// specification; a kernel with `fp = relaxed` may call it.
    pub library: Option<(&'static str, f64)>,
}

const EXACT: Accuracy = Accuracy { f32: 0.0, f64: 0.0, library: None };
const ROUNDED: Accuracy = Accuracy { f32: 0.5, f64: 0.5, library: None };

const fn within(f32: f64, f64: f64) -> Accuracy {
    Accuracy { f32, f64, library: None }
}

const fn or(f32: f64, f64: f64, name: &'static str, bound: f64) -> Accuracy {
    Accuracy { f32, f64, library: Some((name, bound)) }
}

macro_rules! functions {
    ($($variant:ident $name:literal $arity:literal $class:ident $outcome:ident $accuracy:expr;)*) => {
        /// A math function of kernels, called as a method.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the names are those of Rust's methods")]
        pub enum MathFn {
            $($variant,)*
        }

        impl MathFn {
            /// Every function.
            pub const ALL: &[MathFn] = &[$(MathFn::$variant,)*];

            /// The name of the method in Rust.
            pub const fn name(self) -> &'static str {
                match self { $(MathFn::$variant => $name,)* }
            }

            /// The number of operands, with the receiver.
            pub const fn arity(self) -> usize {
                match self { $(MathFn::$variant => $arity,)* }
            }

            /// The types that the receiver may have.
            pub const fn class(self) -> Class {
                match self { $(MathFn::$variant => Class::$class,)* }
            }

            /// How exact it is for floating-point types.
            pub const fn accuracy(self) -> Accuracy {
                match self { $(MathFn::$variant => $accuracy,)* }
            }

            const fn outcome(self) -> Outcome {
                match self { $(MathFn::$variant => Outcome::$outcome,)* }
            }
        }
    };
}

functions! {
    Abs "abs" 1 Signed Same EXACT;
    Signum "signum" 1 Signed Same EXACT;
    Min "min" 2 Number Same EXACT;
    Max "max" 2 Number Same EXACT;
    Clamp "clamp" 3 Number Same EXACT;
    RemEuclid "rem_euclid" 2 Number Same ROUNDED;
    DivEuclid "div_euclid" 2 Number Same ROUNDED;
    SaturatingAdd "saturating_add" 2 Integer Same EXACT;
    SaturatingSub "saturating_sub" 2 Integer Same EXACT;
    Pow "pow" 2 Integer Same EXACT;
    RotateLeft "rotate_left" 2 Integer Same EXACT;
    RotateRight "rotate_right" 2 Integer Same EXACT;
    CountOnes "count_ones" 1 Integer U32 EXACT;
    LeadingZeros "leading_zeros" 1 Integer U32 EXACT;
    TrailingZeros "trailing_zeros" 1 Integer U32 EXACT;
    ToBits "to_bits" 1 ToBits Bits EXACT;
    FromBits "from_bits" 1 FromBits Bits EXACT;
    IsNan "is_nan" 1 Float Bool EXACT;
    IsFinite "is_finite" 1 Float Bool EXACT;
    IsInfinite "is_infinite" 1 Float Bool EXACT;
    MulAdd "mul_add" 3 Float Same ROUNDED;
    Copysign "copysign" 2 Float Same EXACT;
    Floor "floor" 1 Float Same EXACT;
    Ceil "ceil" 1 Float Same EXACT;
    Trunc "trunc" 1 Float Same EXACT;
    Round "round" 1 Float Same EXACT;
    RoundTiesEven "round_ties_even" 1 Float Same EXACT;
    Fract "fract" 1 Float Same EXACT;
    Sqrt "sqrt" 1 Float Same ROUNDED;
    Recip "recip" 1 Float Same ROUNDED;
    ToDegrees "to_degrees" 1 Float Same within(1.5, 1.5);
    ToRadians "to_radians" 1 Float Same within(1.5, 1.5);
    Exp "exp" 1 Float Same or(1.0, 1.0, "exp", 3.0);
    Exp2 "exp2" 1 Float Same or(1.0, 1.0, "exp2", 3.0);
    ExpM1 "exp_m1" 1 Float Same or(1.0, 1.0, "expm1", 3.0);
    Ln "ln" 1 Float Same or(1.0, 1.0, "log", 3.0);
    Log2 "log2" 1 Float Same or(1.0, 1.0, "log2", 3.0);
    Log10 "log10" 1 Float Same or(1.0, 1.0, "log10", 3.0);
    Ln1p "ln_1p" 1 Float Same or(1.0, 1.0, "log1p", 2.0);
    Sin "sin" 1 Float Same or(1.0, 1.0, "sin", 4.0);
    Cos "cos" 1 Float Same or(1.0, 1.0, "cos", 4.0);
    Tan "tan" 1 Float Same or(1.5, 1.0, "tan", 5.0);
    Sinh "sinh" 1 Float Same or(1.0, 1.0, "sinh", 4.0);
    Cosh "cosh" 1 Float Same or(1.0, 1.0, "cosh", 4.0);
    Tanh "tanh" 1 Float Same or(1.0, 1.0, "tanh", 5.0);
    Asin "asin" 1 Float Same or(1.0, 1.0, "asin", 4.0);
    Acos "acos" 1 Float Same or(1.0, 1.0, "acos", 4.0);
    Atan "atan" 1 Float Same or(1.0, 1.0, "atan", 5.0);
    Asinh "asinh" 1 Float Same or(1.0, 1.0, "asinh", 4.0);
    Acosh "acosh" 1 Float Same or(1.0, 1.0, "acosh", 4.0);
    Atanh "atanh" 1 Float Same or(1.0, 1.0, "atanh", 5.0);
    Atan2 "atan2" 2 Float Same or(1.0, 1.0, "atan2", 6.0);
    Powf "powf" 2 Float Same or(1.0, 1.0, "pow", 16.0);
    Powi "powi" 2 Float Same within(f64::INFINITY, f64::INFINITY);
    Cbrt "cbrt" 1 Float Same or(1.0, 1.0, "cbrt", 2.0);
    Hypot "hypot" 2 Float Same or(1.0, 1.0, "hypot", 4.0);
    Erf "erf" 1 Float Same or(1.0, 1.0, "erf", 16.0);
    Erfc "erfc" 1 Float Same or(2.5, 2.0, "erfc", 16.0);
    Rsqrt "rsqrt" 1 Float Same or(1.5, 1.5, "rsqrt", 2.0);
}

impl MathFn {
    /// The function called `name`.
    pub fn parse(name: &str) -> Option<MathFn> {
        MathFn::ALL.iter().copied().find(|f| f.name() == name)
    }

    /// Whether the function exists for a receiver of this type.
    pub const fn takes(self, ty: Type) -> bool {
        self.class().takes(ty)
    }

    /// The type of an operand, of which 0 is the receiver, for a receiver of this type.
    pub const fn operand(self, index: usize, receiver: Type) -> Type {
        match self {
            MathFn::Powi if index > 0 => Type::I32,
            MathFn::Pow | MathFn::RotateLeft | MathFn::RotateRight if index > 0 => Type::U32,
            _ => receiver,
        }
    }

    /// The type of the result for a receiver of this type.
    pub const fn result(self, receiver: Type) -> Type {
        match (self.outcome(), receiver) {
            (Outcome::Same, ty) => ty,
            (Outcome::Bool, _) => Type::Bool,
            (Outcome::U32, _) => Type::U32,
            (Outcome::Bits, Type::F32) => Type::U32,
            (Outcome::Bits, Type::F64) => Type::U64,
            (Outcome::Bits, Type::U32) => Type::F32,
            (Outcome::Bits, _) => Type::F64,
        }
    }
}
