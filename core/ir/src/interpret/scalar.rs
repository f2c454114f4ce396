//! Operations on typed values. Types were checked before: a pair of types that no operation takes
//! gives the left operand.

use crate::math::{self, Float, FromBits, Integer, MathFn, Number, Signed, ToBits};
use crate::{BinaryOp, Type, Value};

macro_rules! same_type {
    ($a:expr, $b:expr, $x:ident, $y:ident, $variants:tt => $body:expr, $default:expr) => {
        same_type!(@arms $a, $b, $x, $y, $variants, $body, $default)
    };
    (@arms $a:expr, $b:expr, $x:ident, $y:ident, [$($variant:ident)*], $body:expr, $default:expr) => {
        match ($a, $b) {
            $((Value::$variant($x), Value::$variant($y)) => $body,)*
            _ => $default,
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
    same_type!(a, b, x, y, [U8 I8 I16 U16 I32 U32 I64 U64 Usize F16 Bf16 F32 F64] => Value::from(apply(op, x, y)), a)
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
    same_type!(a, b, x, y, [Bool U8 I8 I16 U16 I32 U32 I64 U64 Usize F16 Bf16 F32 F64] => apply(op, x, y), false)
}

fn bitwise(op: BinaryOp, a: Value, b: Value) -> Value {
    same_type!(a, b, x, y, [Bool U8 I8 I16 U16 I32 U32 I64 U64 Usize] => Value::from(match op {
        BinaryOp::BitAnd => x & y,
        BinaryOp::BitOr => x | y,
        _ => x ^ y,
    }), a)
}

/// The amount counts modulo the width of the left operand.
fn shift(op: BinaryOp, a: Value, b: Value) -> Value {
    let Value::U64(amount) = b.cast(Type::U64) else { return a };
    let left = op == BinaryOp::Shl;
    macro_rules! by {
        ($x:expr, $width:literal) => {
            Value::from(if left { $x << (amount % $width) } else { $x >> (amount % $width) })
        };
    }
    match a {
        Value::U8(x) => by!(x, 8),
        Value::I8(x) => by!(x, 8),
        Value::I16(x) => by!(x, 16),
        Value::U16(x) => by!(x, 16),
        Value::I32(x) => by!(x, 32),
        Value::U32(x) => by!(x, 32),
        Value::I64(x) => by!(x, 64),
        Value::U64(x) => by!(x, 64),
        Value::Usize(x) => by!(x, 64),
        _ => a,
    }
}

pub(super) fn negate(a: Value) -> Value {
    match a {
        Value::I8(x) => Value::I8(Signed::neg(x)),
        Value::I16(x) => Value::I16(Signed::neg(x)),
        Value::I32(x) => Value::I32(Signed::neg(x)),
        Value::I64(x) => Value::I64(Signed::neg(x)),
        Value::F16(x) => Value::F16(Signed::neg(x)),
        Value::Bf16(x) => Value::Bf16(Signed::neg(x)),
        Value::F32(x) => Value::F32(Signed::neg(x)),
        Value::F64(x) => Value::F64(Signed::neg(x)),
        _ => a,
    }
}

pub(super) fn complement(a: Value) -> Value {
    match a {
        Value::Bool(x) => Value::Bool(!x),
        Value::U8(x) => Value::U8(!x),
        Value::I8(x) => Value::I8(!x),
        Value::I16(x) => Value::I16(!x),
        Value::U16(x) => Value::U16(!x),
        Value::I32(x) => Value::I32(!x),
        Value::U32(x) => Value::U32(!x),
        Value::I64(x) => Value::I64(!x),
        Value::U64(x) => Value::U64(!x),
        Value::Usize(x) => Value::Usize(!x),
        _ => a,
    }
}

/// A math function.
pub(super) fn math(function: MathFn, args: &[Value]) -> Value {
    match (function, args) {
        (MathFn::Powi, [x, Value::I32(n)]) => return power(*x, *n),
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
        Usize integer_math; F16 float_math; Bf16 float_math; F32 real_math; F64 real_math;
    };
    value.unwrap_or(args[0])
}

fn power(x: Value, n: i32) -> Value {
    match x {
        Value::F16(x) => Float::powi(x, n).into(),
        Value::Bf16(x) => Float::powi(x, n).into(),
        Value::F32(x) => Float::powi(x, n).into(),
        Value::F64(x) => Float::powi(x, n).into(),
        other => other,
    }
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
    match x {
        Value::U8(x) => of(function, x, n).into(),
        Value::I8(x) => of(function, x, n).into(),
        Value::I16(x) => of(function, x, n).into(),
        Value::U16(x) => of(function, x, n).into(),
        Value::I32(x) => of(function, x, n).into(),
        Value::U32(x) => of(function, x, n).into(),
        Value::I64(x) => of(function, x, n).into(),
        Value::U64(x) => of(function, x, n).into(),
        Value::Usize(x) => of(function, x, n).into(),
        other => other,
    }
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

/// A literal of a floating-point type, from its bits.
pub(crate) fn float(bits: u64, ty: Type) -> Value {
    match ty {
        Type::F16 => Value::F16(half::f16::from_bits(bits as u16)),
        Type::Bf16 => Value::Bf16(half::bf16::from_bits(bits as u16)),
        Type::F32 => Value::F32(f32::from_bits(bits as u32)),
        _ => Value::F64(f64::from_bits(bits)),
    }
}

/// An integer literal of a type that holds it.
pub(crate) fn integer(value: i128, ty: Type) -> Value {
    match ty {
        Type::U8 => Value::U8(value as u8),
        Type::I8 => Value::I8(value as i8),
        Type::I16 => Value::I16(value as i16),
        Type::U16 => Value::U16(value as u16),
        Type::I32 => Value::I32(value as i32),
        Type::U32 => Value::U32(value as u32),
        Type::I64 => Value::I64(value as i64),
        Type::U64 => Value::U64(value as u64),
        _ => Value::Usize(value as usize),
    }
}

/// Whether `a < b`.
pub(super) fn less(a: Value, b: Value) -> bool {
    compare(BinaryOp::Lt, a, b)
}

/// The next integer; called only below another one.
pub(super) fn next(a: Value) -> Value {
    arithmetic(BinaryOp::Add, a, integer_like(a))
}

fn integer_like(a: Value) -> Value {
    integer(1, a.ty())
}
