//! What is asked of a device's floating-point numbers, and the answers of strict ones.

use ringwood_base::DType;
use ringwood_ir::{BinaryOp, Expr, ExprKind, Kernel, MathFn, Param, ParamKind, Type};

/// What a device may do to numbers, and how that is said.
const FLAWS: [&str; 5] = [
    "contracts x * y + z",
    "does not round / correctly",
    "does not round sqrt correctly",
    "flushes subnormal results to zero",
    "reads subnormal values as zero",
];

/// Random operands of each kind.
const RANDOM: usize = 256;

/// The words of one array of operands, or of results.
type Words = Vec<u64>;

/// Operations over one element type, one for each element, and the results of a strict device.
pub(super) struct Cases {
    pub(super) dtype: DType,
    /// Which operation: the index of its flaw.
    flaws: Vec<usize>,
    operands: [Words; 3],
    expected: Words,
}

impl Cases {
    pub(super) fn new(dtype: DType) -> Self {
        let mut cases =
            Self { dtype, flaws: Vec::new(), operands: Default::default(), expected: Vec::new() };
        match dtype {
            DType::F64 => f64_cases(&mut cases),
            _ => f32_cases(&mut cases),
        }
        cases
    }

    pub(super) fn len(&self) -> usize {
        self.flaws.len()
    }

    fn add(&mut self, flaw: usize, operands: [u64; 3], expected: u64) {
        self.flaws.push(flaw);
        for (all, one) in self.operands.iter_mut().zip(operands) {
            all.push(one);
        }
        self.expected.push(expected);
    }

    /// The bytes of the arguments before the result.
    pub(super) fn arguments(&self) -> [Vec<u8>; 4] {
        let operations =
            self.flaws.iter().flat_map(|&flaw| operation(flaw).to_ne_bytes()).collect();
        let [x, y, z] = &self.operands;
        [operations, self.bytes(x), self.bytes(y), self.bytes(z)]
    }

    fn bytes(&self, words: &[u64]) -> Vec<u8> {
        let wide = self.dtype == DType::F64;
        let bytes = |word: &u64| {
            if wide { word.to_ne_bytes().to_vec() } else { (*word as u32).to_ne_bytes().to_vec() }
        };
        words.iter().flat_map(bytes).collect()
    }

    /// The flaws that the bytes of the results show.
    pub(super) fn judge(&self, results: &[u8]) -> Vec<String> {
        let expected = self.bytes(&self.expected);
        let size = self.dtype.size();
        let pairs = results.chunks(size).zip(expected.chunks(size));
        let wrong = pairs.zip(&self.flaws).filter(|((a, b), _)| a != b).map(|(_, flaw)| *flaw);
        let wrong: Vec<_> = wrong.collect();
        let found = (0..FLAWS.len()).filter(|flaw| wrong.contains(flaw));
        found.map(|flaw| format!("{} ({})", FLAWS[flaw], self.dtype)).collect()
    }
}

/// The operation that shows a flaw: `x * y + z`, `x / y`, `sqrt(x)` or `x * y`.
fn operation(flaw: usize) -> u32 {
    flaw.min(3) as u32
}

/// The kernel: `select(op == 0, x * y + z, select(op == 1, x / y, …))`, a map.
pub(super) fn kernel(dtype: DType) -> Kernel {
    let float = if dtype == DType::F64 { Type::F64 } else { Type::F32 };
    let param = |i, ty| Expr { kind: ExprKind::Param(i), ty, site: 0 };
    let [x, y, z] = [1, 2, 3].map(|i| move || param(i, float));
    let is = |op| {
        let op = Expr { kind: ExprKind::Int(op), ty: Type::U32, site: 0 };
        Expr::binary(BinaryOp::Eq, param(0, Type::U32), op, 0)
    };
    let select = |condition, then, otherwise| Expr {
        kind: ExprKind::Select(Box::new(condition), Box::new(then), Box::new(otherwise)),
        ty: float,
        site: 0,
    };
    let product = || Expr::binary(BinaryOp::Mul, x(), y(), 0);
    let sum = Expr::binary(BinaryOp::Add, product(), z(), 0);
    let quotient = Expr::binary(BinaryOp::Div, x(), y(), 0);
    let root = Expr { kind: ExprKind::Math(MathFn::Sqrt, vec![x()]), ty: float, site: 0 };
    let result = select(is(0), sum, select(is(1), quotient, select(is(2), root, product())));
    let named = |(name, ty): (&str, Type)| Param { name: name.into(), kind: ParamKind::Scalar(ty) };
    let params = [("op", Type::U32), ("x", float), ("y", float), ("z", float)];
    Kernel {
        name: "strictness".into(),
        params: params.map(named).into(),
        result: Some(result),
        ..Kernel::default()
    }
}

/// Numbers that look random, the same ones every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 11
    }
}

macro_rules! cases {
    ($name:ident, $float:ident, $bits:ident, $mantissa:literal) => {
        fn $name(cases: &mut Cases) {
            let mut numbers = Numbers(7);
            let mantissa = (1 << $mantissa) - 1;
            let mut near_one = || {
                $float::from_bits((1.0 as $float).to_bits() | (numbers.next() as $bits & mantissa))
            };
            let word = |x: $float| u64::from(x.to_bits());
            let (tiny, large) = ($float::MIN_POSITIVE, (2.0 as $float).powi(60));
            for _ in 0..RANDOM {
                let (x, y) = (near_one(), near_one());
                let z = -(x * y);
                let mut add = |flaw, [x, y, z]: [$float; 3], expected| {
                    cases.add(flaw, [x, y, z].map(word), word(expected));
                };
                add(0, [x, y, z], x * y + z);
                add(1, [x, y, z], x / y);
                add(2, [x, y, z], x.sqrt());
                add(3, [tiny, x / 4.0, z], tiny * (x / 4.0));
                add(4, [tiny / 4.0 * x, large, z], tiny / 4.0 * x * large);
            }
        }
    };
}

cases!(f32_cases, f32, u32, 23);
cases!(f64_cases, f64, u64, 52);

#[cfg(test)]
mod tests;
