use super::double::*;
use super::single::*;

/// The distance in units of the last place of the nearest `f32`.
fn ulps(got: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if got.to_bits() == nearest.to_bits() || got.is_nan() && nearest.is_nan() {
        return 0.0;
    }
    if !nearest.is_finite() || !got.is_finite() {
        return f64::INFINITY;
    }
    let unit = f64::from(f32::from_bits(nearest.abs().to_bits() + 1)) - f64::from(nearest.abs());
    (f64::from(got) - exact).abs() / unit
}

/// The largest distance over every `stride`-th `f32`.
fn largest(stride: usize, function: fn(f32) -> f32, exact: fn(f64) -> f64) -> (f64, f32) {
    let values = (0..=u32::MAX).step_by(stride).map(f32::from_bits);
    let distances = values.map(|x| (ulps(function(x), exact(f64::from(x))), x));
    distances.fold((0.0, 0.0), |worst, now| if now.0 > worst.0 { now } else { worst })
}

/// Name, function, wider arithmetic, bound.
type Function = (&'static str, fn(f32) -> f32, fn(f64) -> f64, f64);

fn check_f32(stride: usize) {
    let functions: [Function; 5] = [
        ("exp", k_exp_f32, f64::exp, 1.0),
        ("ln", k_ln_f32, f64::ln, 1.0),
        ("tanh", k_tanh_f32, f64::tanh, 2.0),
        ("sin", k_sin_f32, f64::sin, 1.0),
        ("cos", k_cos_f32, f64::cos, 1.0),
    ];
    for (name, function, exact, bound) in functions {
        let (ulps, at) = largest(stride, function, exact);
        println!("{name}: {ulps:.3} ulp at {at:e}");
        assert!(ulps <= bound, "{name}: {ulps} ulp at {at:e}");
    }
}

#[test]
fn functions_of_f32_are_within_their_bounds_over_all_exponents() {
    check_f32(9973);
}

#[test]
#[ignore = "takes a minute in a release build"]
fn functions_of_f32_are_within_their_bounds_over_many_values() {
    check_f32(61);
}

#[test]
fn functions_of_f64_stay_close_to_those_of_the_platform() {
    let unit = |y: f64| f64::from_bits(y.abs().to_bits() + 1) - y.abs();
    let largest = |function: fn(f64) -> f64, exact: fn(f64) -> f64, low: f64, high: f64| {
        let values = (0..40_000).map(|i| low + (high - low) * f64::from(i) / 40_000.0);
        values.map(|x| (function(x) - exact(x)).abs() / unit(exact(x))).fold(0.0, f64::max)
    };
    let exp =
        largest(k_exp_f64, f64::exp, -745.0, 709.7).max(largest(k_exp_f64, f64::exp, -1.0, 1.0));
    let ln = largest(k_ln_f64, f64::ln, 1e-300, 4.0).max(largest(k_ln_f64, f64::ln, 1.0, 1e300));
    let tanh =
        largest(k_tanh_f64, f64::tanh, -1.0, 1.0).max(largest(k_tanh_f64, f64::tanh, -20.0, 20.0));
    for (function, exact) in
        [(k_sin_f64 as fn(f64) -> f64, f64::sin as fn(f64) -> f64), (k_cos_f64, f64::cos)]
    {
        for (low, high) in [(-1.0, 1.0), (-30.0, 30.0), (0.0, 1e9), (1e22, 1e300)] {
            let wave = largest(function, exact, low, high);
            assert!(wave <= 1.0, "{wave} from {low} to {high}");
        }
        for x in [f64::MAX, 5e-324, 0.5e-160] {
            let (got, exact) = (function(x), exact(x));
            assert!((got - exact).abs() <= unit(exact), "{x:e}: {got:e} instead of {exact:e}");
        }
    }
    // The value nearest to a multiple of π/2; the result is known from 1600-bit arithmetic.
    let nearest = 6381956970095103.0 * 2.0_f64.powi(797);
    assert_eq!(k_cos_f64(nearest), -4.687165924254628e-19);
    println!("exp {exp} ln {ln} tanh {tanh}");
    assert!(exp <= 1.0 && ln <= 1.0 && tanh <= 2.0, "exp {exp} ln {ln} tanh {tanh}");
}

#[test]
fn special_values_have_their_limits() {
    assert_eq!(k_exp_f32(f32::NEG_INFINITY), 0.0);
    assert_eq!(k_exp_f32(f32::INFINITY), f32::INFINITY);
    assert_eq!(k_exp_f32(-0.0), 1.0);
    assert_eq!(k_exp_f64(-1e300), 0.0);
    assert_eq!(k_exp_f64(1e300), f64::INFINITY);
    assert_eq!(k_ln_f32(-0.0), f32::NEG_INFINITY);
    assert_eq!(k_ln_f64(f64::INFINITY), f64::INFINITY);
    assert!(
        k_ln_f64(-1.0).is_nan() && k_exp_f64(f64::NAN).is_nan() && k_tanh_f32(f32::NAN).is_nan()
    );
    assert_eq!(k_ln_f64(5e-324), 5e-324_f64.ln());
    assert_eq!(k_tanh_f32(-0.0).to_bits(), (-0.0_f32).to_bits());
    assert_eq!(k_tanh_f32(f32::NEG_INFINITY), -1.0);
    assert_eq!(k_tanh_f64(f64::INFINITY), 1.0);
}

#[test]
fn rounding_to_integers_is_that_of_rust() {
    type Pair = [fn(f32) -> f32; 2];
    let functions: [Pair; 4] = [
        [k_floor_f32, f32::floor],
        [k_ceil_f32, f32::ceil],
        [k_trunc_f32, f32::trunc],
        [k_round_ties_even_f32, f32::round_ties_even],
    ];
    for [ours, theirs] in functions {
        for x in (0..=u32::MAX).step_by(9973).map(f32::from_bits).chain([-0.0, 0.5, -1.5, 2.5]) {
            let (ours, theirs) = (ours(x), theirs(x));
            let same = ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan();
            assert!(same, "{x}: {ours} instead of {theirs}");
        }
    }
    for i in -40..40 {
        let x = f64::from(i) / 8.0;
        assert_eq!(k_floor_f64(x).to_bits(), x.floor().to_bits(), "{x}");
        assert_eq!(k_ceil_f64(x).to_bits(), x.ceil().to_bits(), "{x}");
        assert_eq!(k_round_ties_even_f64(x).to_bits(), x.round_ties_even().to_bits(), "{x}");
    }
    assert_eq!(k_floor_f64(4503599627370495.5), 4503599627370495.0);
    assert_eq!(k_trunc_f64(-1e300), -1e300);
}
