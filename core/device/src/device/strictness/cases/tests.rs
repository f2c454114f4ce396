use super::*;
use ringwood_ir::Value;
use ringwood_ir::interpret::map;

/// The results of a device that computes the operations on `f32` with these functions.
fn results(
    cases: &Cases,
    sum: fn(f32, f32, f32) -> f32,
    quotient: fn(f32, f32) -> f32,
    product: fn(f32, f32) -> f32,
) -> Vec<u8> {
    let float = |words: &Words, i: usize| f32::from_bits(words[i] as u32);
    let result = |i: usize| {
        let [x, y, z] = [0, 1, 2].map(|k| float(&cases.operands[k], i));
        match operation(cases.flaws[i]) {
            0 => sum(x, y, z),
            1 => quotient(x, y),
            2 => x.sqrt(),
            _ => product(x, y),
        }
    };
    (0..cases.len()).flat_map(|i| result(i).to_ne_bytes()).collect()
}

fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0.0 } else { x }
}

#[test]
fn every_flaw_shows_and_no_other() {
    let cases = Cases::new(DType::F32);
    let sum = |x: f32, y: f32, z: f32| x * y + z;
    let strict = results(&cases, sum, |x, y| x / y, |x, y| x * y);
    assert_eq!(cases.judge(&strict), Vec::<String>::new());
    let fused = results(&cases, f32::mul_add, |x, y| x / y, |x, y| x * y);
    assert_eq!(cases.judge(&fused), ["contracts x * y + z (f32)"]);
    let reciprocal = results(&cases, sum, |x, y| x * (1.0 / y), |x, y| x * y);
    assert_eq!(cases.judge(&reciprocal), ["does not round / correctly (f32)"]);
    let flushing = results(&cases, sum, |x, y| x / y, |x, y| flushed(x * y));
    assert_eq!(cases.judge(&flushing), ["flushes subnormal results to zero (f32)"]);
    let blind = results(&cases, sum, |x, y| x / y, |x, y| flushed(x) * y);
    assert_eq!(cases.judge(&blind), ["reads subnormal values as zero (f32)"]);
}

#[test]
fn the_kernel_computes_the_expected_results() {
    for (dtype, wide) in [(DType::F32, false), (DType::F64, true)] {
        let (cases, kernel) = (Cases::new(dtype), kernel(dtype));
        let value = |word: u64| match wide {
            true => Value::F64(f64::from_bits(word)),
            false => Value::F32(f32::from_bits(word as u32)),
        };
        for i in 0..cases.len() {
            let operands = [0, 1, 2].map(|k| value(cases.operands[k][i]));
            let [x, y, z] = operands;
            let inputs = [Value::U32(operation(cases.flaws[i])), x, y, z];
            assert_eq!(map(&kernel, &inputs, 100).unwrap(), value(cases.expected[i]), "{i}");
        }
    }
}
