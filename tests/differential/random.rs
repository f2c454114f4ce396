//! Random values, half of them special.

use ringwood::DType;
use ringwood_ir::{Type, Value};

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    1e-40,
    -1e-40,
    3e38,
    -3e38,
    88.0,
    -104.0,
    2_147_483_648.0,
    -9.3e18,
    1.9e19,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

const INTEGERS: &[i64] =
    &[0, 1, -1, 2, 31, 32, 33, 63, 64, i32::MIN as i64, i32::MAX as i64, i64::MIN, i64::MAX];

/// A small generator: the test is the same on every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn float(&mut self) -> f64 {
        match self.below(2) {
            0 => self.pick(FLOATS),
            _ => (self.below(20_000) as f64 - 10_000.0) / 1024.0,
        }
    }

    fn integer(&mut self) -> i64 {
        match self.below(2) {
            0 => self.pick(INTEGERS),
            _ => self.below(200) as i64 - 100,
        }
    }

    pub(crate) fn value(&mut self, ty: impl Into<Type>) -> Value {
        match ty.into() {
            Type::F32 => Value::F32(self.float() as f32),
            Type::F64 => Value::F64(self.float()),
            Type::I32 => Value::I32(self.integer() as i32),
            Type::U32 => Value::U32(self.integer() as u32),
            Type::I64 => Value::I64(self.integer()),
            Type::F16 => Value::F64(self.float()).cast(Type::F16),
            Type::BF16 => Value::F64(self.float()).cast(Type::BF16),
            Type::U8 => Value::U8(self.integer() as u8),
            Type::I8 => Value::I8(self.integer() as i8),
            Type::I16 => Value::I16(self.integer() as i16),
            Type::U16 => Value::U16(self.integer() as u16),
            Type::Bool => Value::Bool(self.below(2) == 0),
            _ => Value::U64(self.integer() as u64),
        }
    }

    pub(crate) fn values(&mut self, dtype: DType, count: usize) -> Vec<Value> {
        (0..count).map(|_| self.value(dtype)).collect()
    }

    /// A scalar argument; an index is mostly `size`, which most kernels need to run.
    pub(crate) fn scalar(&mut self, ty: Type, size: usize) -> Value {
        match ty {
            Type::Usize if self.below(20) == 0 => Value::Usize(self.pick(&[1, 0, 9])),
            Type::Usize => Value::Usize(size),
            other => self.value(other),
        }
    }
}
