//! Values on which devices like to differ.

use ringwood_ir::{Type, Value};

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1.5,
    2.5,
    -2.5,
    0.1,
    -0.6,
    3.7,
    -7.0,
    1e-40,
    -1e-40,
    1.5e-38,
    1e-310,
    16777217.0,
    2147483647.5,
    -2147483649.0,
    4294967296.0,
    9.3e18,
    -9.3e18,
    1.9e19,
    88.7,
    -103.9,
    700.0,
    -744.0,
    3.4e38,
    1e308,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

const INTEGERS: &[i128] = &[
    0,
    1,
    -1,
    2,
    3,
    -7,
    7,
    31,
    32,
    33,
    63,
    64,
    1000003,
    i32::MIN as i128,
    i32::MAX as i128,
    u32::MAX as i128,
    i64::MIN as i128,
    i64::MAX as i128,
    u64::MAX as i128,
    16777217,
    9007199254740993,
    -9007199254740993,
];

/// The special values of a type.
pub(crate) fn special(ty: Type) -> Vec<Value> {
    match ty {
        Type::Bool => INTEGERS.iter().map(|v| Value::Bool(v & 1 == 1)).collect(),
        ty if ty.is_float() => FLOATS.iter().map(|v| Value::F64(*v).cast(ty)).collect(),
        _ => INTEGERS.iter().map(|v| Value::U64(*v as u64).cast(ty)).collect(),
    }
}

/// All pairs of special values.
pub(crate) fn pairs(ty: Type) -> (Vec<Value>, Vec<Value>) {
    let values = special(ty);
    values.iter().flat_map(|a| values.iter().map(|b| (*a, *b))).unzip()
}

/// Values with pseudo-random bits.
pub(crate) fn random(ty: Type, count: usize) -> Vec<Value> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut bits = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    };
    (0..count).map(|_| from_bits(ty, bits())).collect()
}

/// The value with these bits.
pub(crate) fn from_bits(ty: Type, bits: u64) -> Value {
    match ty {
        Type::F16 => Value::F16(half::f16::from_bits(bits as u16)),
        Type::BF16 => Value::BF16(half::bf16::from_bits(bits as u16)),
        Type::F32 => Value::F32(f32::from_bits(bits as u32)),
        Type::F64 => Value::F64(f64::from_bits(bits)),
        Type::Bool => Value::Bool(bits & 1 == 1),
        _ => Value::U64(bits).cast(ty),
    }
}

/// The bits of the value as a device holds it, and their number of bytes.
pub(crate) fn to_bits(value: Value) -> (u64, usize) {
    match value {
        Value::Bool(v) => (v.into(), 1),
        Value::U8(v) => (v.into(), 1),
        Value::I8(v) => (u64::from(v as u8), 1),
        Value::I16(v) => (u64::from(v as u16), 2),
        Value::U16(v) => (v.into(), 2),
        Value::F16(v) => (v.to_bits().into(), 2),
        Value::BF16(v) => (v.to_bits().into(), 2),
        Value::I32(v) => (u64::from(v as u32), 4),
        Value::U32(v) => (v.into(), 4),
        Value::I64(v) => (v as u64, 8),
        Value::U64(v) => (v, 8),
        Value::Usize(v) => (v as u64, 8),
        Value::F32(v) => (v.to_bits().into(), 4),
        Value::F64(v) => (v.to_bits(), 8),
    }
}

/// Values as memory.
pub(crate) fn to_bytes(values: &[Value]) -> Vec<u8> {
    let bytes = |v: &Value| {
        let (bits, size) = to_bits(*v);
        bits.to_le_bytes().into_iter().take(size)
    };
    values.iter().flat_map(bytes).collect()
}

/// Memory as values.
pub(crate) fn from_bytes(ty: Type, bytes: &[u8]) -> Vec<Value> {
    let size = to_bits(Value::zero(ty)).1;
    let bits = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..size].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    };
    bytes.chunks_exact(size).map(|chunk| from_bits(ty, bits(chunk))).collect()
}
