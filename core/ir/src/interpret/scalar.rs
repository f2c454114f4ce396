//! Operations on typed values. Types were checked before: a pair of types that no operation takes
//! gives the left operand.

use crate::math::{self, Float, FromBits, Integer, MathFn, Number, Signed, ToBits};
use crate::value::each;
use crate::{BinaryOp, Value};

/// As [`each`], for two values of one variant.
macro_rules! both {
    ([$($variant:ident)*] $a:expr, $b:expr, $x:ident $y:ident => $body:expr, $otherwise:expr) => {
        match ($a, $b) {
            $((Value::$variant($x), Value::$variant($y)) => $body,)*
            _ => $otherwise,
        }
    };
}

/// Any binary operation but `&&` and `||`.
pub(crate) fn binary(op: BinaryOp, a: Value, b: Value) -> Value {
    match op {
        _ if op.is_comparison() => Value::Bool(compare(op, a, b)),
        _ if op.is_bitwise() => bitwise(op, a, b),
        _ if op.is_shift() => shift(op, a, b),
        _ => arithmetic(op, a, b),
    }
}

fn arithmetic(op: BinaryOp, a: Value, b: Value) -> Value {
    fn apply<T: Number>(op: BinaryOp, a: T, b: T) -> T {
        match op {
            BinaryOp::Add => a.add(b),
            BinaryOp::Sub => a.sub(b),
            BinaryOp::Mul => a.mul(b),
            BinaryOp::Div => a.div(b),
            _ => a.rem(b),
        }
    }
    both!([U8 I8 I16 U16 I32 U32 I64 U64 Usize F16 BF16 F32 F64] a, b, x y => Value::from(apply(op, x, y)), a)
}

fn compare(op: BinaryOp, a: Value, b: Value) -> bool {
    fn apply<T: PartialOrd>(op: BinaryOp, a: T, b: T) -> bool {
        match op {
            BinaryOp::Eq => a == b,
            BinaryOp::Ne => a != b,
            BinaryOp::Lt => a < b,
            BinaryOp::Le => a <= b,
            BinaryOp::Gt => a > b,
            _ => a >= b,
        }
    }
    both!([Bool U8 I8 I16 U16 I32 U32 I64 U64 Usize F16 BF16 F32 F64] a, b, x y => apply(op, x, y), false)
}

fn bitwise(op: BinaryOp, a: Value, b: Value) -> Value {
    both!([Bool U8 I8 I16 U16 I32 U32 I64 U64 Usize] a, b, x y => Value::from(match op {
        BinaryOp::BitAnd => x & y,
        BinaryOp::BitOr => x | y,
        _ => x ^ y,
    }), a)
}

/// The amount counts modulo the width of the left operand.
fn shift(op: BinaryOp, a: Value, b: Value) -> Value {
    let amount = b.integer().unwrap_or(0) as u64 % (8 * a.ty().size() as u64);
    each!([U8 I8 I16 U16 I32 U32 I64 U64 Usize] a, x => match op {
        BinaryOp::Shl => (x << amount).into(),
        _ => (x >> amount).into(),
    }, a)
}

pub(super) fn negate(a: Value) -> Value {
    each!([I8 I16 I32 I64 F16 BF16 F32 F64] a, x => Signed::neg(x).into(), a)
}

pub(super) fn complement(a: Value) -> Value {
    each!([Bool U8 I8 I16 U16 I32 U32 I64 U64 Usize] a, x => (!x).into(), a)
}

/// A math function.
pub(super) fn math(function: MathFn, args: &[Value]) -> Value {
    match (function, args) {
        (MathFn::Powi, [x, Value::I32(n)]) => {
            return each!([F16 BF16 F32 F64] *x, v => Float::powi(v, *n).into(), *x);
        }
        (MathFn::Pow | MathFn::RotateLeft | MathFn::RotateRight, [x, Value::U32(n)]) => {
            return counted(function, *x, *n);
        }
        _ => {}
    }
    macro_rules! with {
        ($($variant:ident $apply:ident;)*) => {
            match args[0] {
                $(Value::$variant(first) => {
                    let typed = |v: &Value| match v { Value::$variant(x) => *x, _ => first };
                    let operands: Vec<_> = args.iter().map(typed).collect();
                    $apply(function, &operands)
                })*
                Value::Bool(_) => None,
            }
        };
    }
    let value = with! {
        U8 integer_math; I8 signed_math; I16 signed_math; U16 integer_math; I32 signed_math; U32 word_math; I64 signed_math; U64 word_math;
        Usize integer_math; F16 float_math; BF16 float_math; F32 real_math; F64 real_math;
    };
    value.unwrap_or(args[0])
}

/// A function of an integer and a count.
fn counted(function: MathFn, x: Value, n: u32) -> Value {
    fn of<T: Integer>(function: MathFn, x: T, n: u32) -> T {
        match function {
            MathFn::Pow => Integer::pow(x, n),
            MathFn::RotateLeft => Integer::rotate_left(x, n),
            _ => Integer::rotate_right(x, n),
        }
    }
    each!([U8 I8 I16 U16 I32 U32 I64 U64 Usize] x, v => of(function, v, n).into(), x)
}

fn number_math<T: Number + Into<Value>>(function: MathFn, args: &[T]) -> Option<Value> {
    Some(match (function, args) {
        (MathFn::Min, [x, y]) => Number::min(*x, *y).into(),
        (MathFn::Max, [x, y]) => Number::max(*x, *y).into(),
        (MathFn::RemEuclid, [x, y]) => Number::rem_euclid(*x, *y).into(),
        (MathFn::DivEuclid, [x, y]) => Number::div_euclid(*x, *y).into(),
        (MathFn::Clamp, [x, y, z]) => Number::clamp(*x, *y, *z).into(),
        _ => return None,
    })
}

fn sign_math<T: Signed + Into<Value>>(function: MathFn, args: &[T]) -> Option<Value> {
    match function {
        MathFn::Abs => Some(Signed::abs(args[0]).into()),
        MathFn::Signum => Some(Signed::signum(args[0]).into()),
        _ => number_math(function, args),
    }
}

fn integer_math<T: Integer + Into<Value>>(function: MathFn, args: &[T]) -> Option<Value> {
    Some(match (function, args) {
        (MathFn::SaturatingAdd, [x, y]) => Integer::saturating_add(*x, *y).into(),
        (MathFn::SaturatingSub, [x, y]) => Integer::saturating_sub(*x, *y).into(),
        (MathFn::CountOnes, [x]) => Integer::count_ones(*x).into(),
        (MathFn::LeadingZeros, [x]) => Integer::leading_zeros(*x).into(),
        (MathFn::TrailingZeros, [x]) => Integer::trailing_zeros(*x).into(),
        _ => return number_math(function, args),
    })
}

fn signed_math<T: Integer + Signed + Into<Value>>(function: MathFn, args: &[T]) -> Option<Value> {
    integer_math(function, args).or_else(|| sign_math(function, args))
}

fn word_math<T>(function: MathFn, args: &[T]) -> Option<Value>
where
    T: Integer + FromBits<Float: Into<Value>> + Into<Value>,
{
    match function {
        MathFn::FromBits => Some(FromBits::from_bits(args[0]).into()),
        _ => integer_math(function, args),
    }
}

fn float_math<T: Float + Into<Value>>(function: MathFn, args: &[T]) -> Option<Value> {
    match function {
        MathFn::IsNan => Some(Float::is_nan(args[0]).into()),
        MathFn::IsFinite => Some(Float::is_finite(args[0]).into()),
        MathFn::IsInfinite => Some(Float::is_infinite(args[0]).into()),
        _ => sign_math(function, args).or_else(|| math::apply(function, args).map(Into::into)),
    }
}

fn real_math<T>(function: MathFn, args: &[T]) -> Option<Value>
where
    T: Float + ToBits<Bits: Into<Value>> + Into<Value>,
{
    match function {
        MathFn::ToBits => Some(ToBits::to_bits(args[0]).into()),
        _ => float_math(function, args),
    }
}
