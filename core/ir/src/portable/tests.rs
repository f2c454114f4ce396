use crate::MathFn;
use crate::math::{Float, Signed, ToBits, apply};

type Single = fn(f64) -> f64;
type Double = fn(f64, f64) -> f64;

/// Functions of one operand, with those that the platform has for `f64`, which are within 1 ulp there.
/// The error functions are those of this crate, judged by `reference.txt`.
const FUNCTIONS: [(MathFn, Single); 26] = [
    (MathFn::Exp, f64::exp),
    (MathFn::Exp2, f64::exp2),
    (MathFn::ExpM1, f64::exp_m1),
    (MathFn::Ln, f64::ln),
    (MathFn::Log2, f64::log2),
    (MathFn::Log10, f64::log10),
    (MathFn::Ln1p, f64::ln_1p),
    (MathFn::Sin, f64::sin),
    (MathFn::Cos, f64::cos),
    (MathFn::Tan, f64::tan),
    (MathFn::Sinh, f64::sinh),
    (MathFn::Cosh, f64::cosh),
    (MathFn::Tanh, f64::tanh),
    (MathFn::Asin, f64::asin),
    (MathFn::Acos, f64::acos),
    (MathFn::Atan, f64::atan),
    (MathFn::Asinh, f64::asinh),
    (MathFn::Acosh, f64::acosh),
    (MathFn::Atanh, f64::atanh),
    (MathFn::Cbrt, f64::cbrt),
    (MathFn::Erf, Float::erf),
    (MathFn::Erfc, Float::erfc),
    (MathFn::Rsqrt, |x| 1.0 / x.sqrt()),
    (MathFn::Recip, f64::recip),
    (MathFn::ToDegrees, f64::to_degrees),
    (MathFn::ToRadians, f64::to_radians),
];

/// As [`FUNCTIONS`], of two operands.
const PAIRS: [(MathFn, Double); 3] =
    [(MathFn::Powf, f64::powf), (MathFn::Atan2, f64::atan2), (MathFn::Hypot, f64::hypot)];

/// The distance from the exact value in units of the last place there.
fn ulps(got: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if got.to_bits() == nearest.to_bits() || got.is_nan() && nearest.is_nan() {
        return 0.0;
    }
    if !nearest.is_finite() || !got.is_finite() || nearest == 0.0 && got == 0.0 {
        return f64::INFINITY;
    }
    let exponent = (exact.abs().to_bits() >> 52) as i32 - 1023;
    (f64::from(got) - exact).abs() / 2.0_f64.powi(exponent.max(-126) - 23)
}

/// The largest distance, and the operands that it is at.
type Worst = (f64, [f32; 2]);

fn worse(a: Worst, b: Worst) -> Worst {
    if b.0 > a.0 { b } else { a }
}

/// Judges `f` for the numbers `first`, `first + step`, … below `end` of operands, on every core.
fn largest(end: u64, step: u64, judge: impl Fn(u64) -> Worst + Sync) -> Worst {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    std::thread::scope(|scope| {
        let run = |first: u64| {
            let judge = &judge;
            let numbers = (first * step..end).step_by((step * threads) as usize);
            scope.spawn(move || numbers.map(judge).fold((0.0, [0.0; 2]), worse))
        };
        let all: Vec<_> = (0..threads).map(run).collect();
        all.into_iter().map(|t| t.join().unwrap()).fold((0.0, [0.0; 2]), worse)
    })
}

fn check(function: MathFn, worst: Worst) {
    let (ulps, [x, y]) = worst;
    println!("{}: {ulps:.3} ulp at {x:e}, {y:e}", function.name());
    let bound = function.accuracy().f32;
    assert!(ulps <= bound, "{}: {ulps} ulp at {x:e}, {y:e}", function.name());
}

fn check_f32(step: u64) {
    for (function, exact) in FUNCTIONS {
        let judge = |bits: u64| {
            let x = f32::from_bits(bits as u32);
            (ulps(apply(function, &[x]).unwrap(), exact(x.into())), [x, 0.0])
        };
        check(function, largest(1 << 32, step, judge));
    }
}

/// Pseudo-random bits.
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

const SPECIAL: [f32; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    2.5,
    -1.5,
    1e-45,
    -1e-45,
    1e-38,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    16777215.0,
    16777216.0,
    -16777217.0,
    0.999_999_94,
    1.000_000_1,
];

/// Special values, then bits at random, then second operands by which results are in range.
fn pair(function: MathFn, number: u64) -> [f32; 2] {
    let special = SPECIAL.len() as u64;
    if number < special * special {
        return [SPECIAL[(number / special) as usize], SPECIAL[(number % special) as usize]];
    }
    let bits = mix(number);
    let (x, y) = (f32::from_bits((bits >> 32) as u32), f32::from_bits(bits as u32));
    let share = f64::from(bits as u32) / f64::from(u32::MAX);
    match function {
        _ if number.is_multiple_of(2) => [x, y],
        MathFn::Powf => [x.abs(), ((share * 300.0 - 155.0) / f64::from(x.abs()).log2()) as f32],
        _ => [x, (f64::from(x) * (share * 8.0 - 4.0).exp2()) as f32],
    }
}

fn check_pairs(count: u64) {
    for (function, exact) in PAIRS {
        let judge = |number: u64| {
            let [x, y] = pair(function, number);
            (ulps(apply(function, &[x, y]).unwrap(), exact(x.into(), y.into())), [x, y])
        };
        check(function, largest(count, 1, judge));
    }
}

#[test]
fn functions_of_f32_are_within_their_bounds_over_all_exponents() {
    check_f32(99_991);
    check_pairs(100_000);
}

#[test]
#[ignore = "takes an hour in a release build"]
fn functions_of_f32_are_within_their_bounds_over_all_values() {
    check_f32(1);
    check_pairs(1 << 30);
}

/// `reference.txt` has functions, operands and the nearest `f64`, as bits, computed by mpmath 1.3 with
/// 200 bits, or 1300 for trigonometric functions.
#[test]
fn functions_of_f64_are_at_most_one_step_from_the_nearest_value() {
    let mut counts = [0_usize; 2];
    for line in include_str!("reference.txt").lines() {
        let words: Vec<_> = line.split(' ').collect();
        let function = MathFn::parse(words[0]).unwrap();
        let values = words[1..].iter().map(|w| u64::from_str_radix(w, 16).unwrap());
        let values: Vec<_> = values.map(f64::from_bits).collect();
        let (exact, operands) = values.split_last().unwrap();
        let got = apply(function, operands).unwrap();
        let steps = (ToBits::to_bits(got) as i64 - ToBits::to_bits(*exact) as i64).unsigned_abs();
        assert!(steps <= 1, "{} {operands:?}: {got:e}, not {exact:e}", words[0]);
        counts[usize::from(steps > 0)] += 1;
    }
    println!("{} nearest, {} next to it", counts[0], counts[1]);
    // Every function with a stated error is in the table.
    let stated = MathFn::ALL.iter().filter(|f| f.accuracy().library.is_some()).count();
    assert_eq!(counts[0] + counts[1], 48 * stated);
}

#[test]
fn special_values_have_their_limits() {
    let inf = f32::INFINITY;
    assert_eq!(Float::exp(-inf), 0.0);
    assert_eq!(Float::exp(inf), inf);
    assert_eq!(Float::exp(-0.0_f32), 1.0);
    assert_eq!(Float::exp(-1e300), 0.0);
    assert_eq!(Float::exp(1e300), f64::INFINITY);
    assert_eq!(Float::ln(-0.0_f32), -inf);
    assert_eq!(Float::ln(f64::INFINITY), f64::INFINITY);
    assert!(Float::ln(-1.0).is_nan() && Float::exp(f64::NAN).is_nan());
    assert_eq!(Float::ln(5e-324), 5e-324_f64.ln());
    assert_eq!(Float::tanh(f64::INFINITY), 1.0);
    assert_eq!(Float::tanh(-inf), -1.0);
    assert_eq!(Float::erfc(-inf), 2.0);
    assert_eq!(Float::asinh(-0.0_f32).to_bits(), (-0.0_f32).to_bits());
    assert_eq!((Float::asinh(-inf), Float::acosh(inf), Float::acosh(1.0_f32)), (-inf, inf, 0.0));
    assert_eq!((Float::atanh(1.0_f32), Float::atanh(-1.0)), (inf, f64::NEG_INFINITY));
    assert!(Float::acosh(0.999_f32).is_nan() && Float::atanh(1.001_f32).is_nan());
    assert!(
        [Float::asinh(f32::NAN), Float::acosh(f32::NAN), Float::atanh(f32::NAN)]
            .iter()
            .all(|x| x.is_nan())
    );
    assert_eq!(Float::erf(f64::NEG_INFINITY), -1.0);
    assert!(Float::erf(f32::NAN).is_nan() && Float::acos(1.5_f64).is_nan());
    // The value nearest to a multiple of π/2; the result is known from 1600-bit arithmetic.
    let nearest = 6381956970095103.0 * 2.0_f64.powi(797);
    assert_eq!(Float::cos(nearest), -4.687165924254628e-19);
    for function in [MathFn::Sin, MathFn::Tanh, MathFn::Erf, MathFn::Cbrt, MathFn::Ln1p] {
        let zero = apply(function, &[-0.0_f64]).unwrap();
        assert_eq!(zero.to_bits(), (-0.0_f64).to_bits(), "{function:?}");
    }
}

#[test]
fn powers_and_angles_of_special_pairs_are_those_of_the_platform() {
    for (function, exact) in PAIRS {
        for number in 0..(SPECIAL.len() * SPECIAL.len()) as u64 {
            let [x, y] = pair(function, number).map(f64::from);
            let (got, exact) = (apply(function, &[x, y]).unwrap(), exact(x, y));
            let close = (got - exact).abs() <= exact.abs() * f64::EPSILON;
            let same = got.to_bits() == exact.to_bits() || got.is_nan() && exact.is_nan();
            let zero = exact == 0.0 && !same;
            assert!(same || close && !zero, "{function:?}({x}, {y}) = {got}, not {exact}");
        }
    }
}

#[test]
fn rounding_to_integers_is_that_of_rust() {
    type Function = (MathFn, fn(f32) -> f32, fn(f64) -> f64);
    let functions: [Function; 7] = [
        (MathFn::Floor, f32::floor, f64::floor),
        (MathFn::Ceil, f32::ceil, f64::ceil),
        (MathFn::Trunc, f32::trunc, f64::trunc),
        (MathFn::Round, f32::round, f64::round),
        (MathFn::RoundTiesEven, f32::round_ties_even, f64::round_ties_even),
        (MathFn::Fract, f32::fract, f64::fract),
        (MathFn::Recip, f32::recip, f64::recip),
    ];
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    for (function, single, double) in functions {
        let values = (0..=u32::MAX).step_by(99_991).map(f32::from_bits);
        for x in values.chain([-0.0, 0.5, -0.5, 0.499_999_97, -1.5, 2.5, 8_388_607.5]) {
            let got = apply(function, &[x]).unwrap();
            assert!(same(got.into(), single(x).into()), "{function:?} {x}: {got}");
            let wide = f64::from(x) * 1.000_000_001;
            let got = apply(function, &[wide]).unwrap();
            assert!(same(got, double(wide)), "{function:?} {wide}: {got}");
        }
    }
    assert_eq!(Float::floor(4503599627370495.5), 4503599627370495.0);
    assert_eq!(Float::trunc(-1e300), -1e300);
}

#[test]
fn signs_are_those_of_rust() {
    for x in SPECIAL {
        for y in SPECIAL {
            let sign = if y.is_nan() { 1.0 } else { y };
            let got = Float::copysign(x, y);
            assert!(got.is_nan() || got.to_bits() == x.copysign(sign).to_bits(), "{x} {y}");
        }
        let got = Signed::signum(x);
        assert!(got.is_nan() && x.is_nan() || got == x.signum(), "{x}");
    }
    assert_eq!(ToBits::to_bits(-f32::NAN), 0x7fc0_0000);
}

#[test]
fn every_16_bit_number_widens_exactly_and_narrowing_rounds_as_the_crate_half_does() {
    use super::narrow::any::*;
    use half::{bf16, f16};
    use std::num::Wrapping;
    for bits in 0..=u16::MAX {
        let wide = [k_wide_f16(Wrapping(bits.into())), k_wide_bf16(Wrapping(bits.into()))];
        let exact = [f16::from_bits(bits).to_f32(), bf16::from_bits(bits).to_f32()];
        for (wide, exact) in wide.into_iter().zip(exact) {
            let same = wide.to_bits() == exact.to_bits() || wide.is_nan() && exact.is_nan();
            assert!(same, "{bits:#x}: {wide}, not {exact}");
        }
        assert_eq!(k_round_f16(wide[0]).is_nan(), wide[0].is_nan());
        // Around every number: the ties, and next to them.
        for base in [f16::from_bits(bits).to_f32(), bf16::from_bits(bits).to_f32()] {
            for step in [0, 1, 0xfff, 0x1000, 0x1001, 0x1fff, 0x7fff, 0x8000, 0x8001] {
                let x = f32::from_bits(base.to_bits().wrapping_add(step));
                if x.is_nan() {
                    assert!(k_round_f16(x).is_nan() && k_round_bf16(x).is_nan());
                    continue;
                }
                assert_eq!(k_narrow_f16(x).0, f16::from_f32(x).to_bits().into(), "{x:e}");
                assert_eq!(k_narrow_bf16(x).0, bf16::from_f32(x).to_bits().into(), "{x:e}");
            }
        }
    }
}
