//! Recorded programs, which are taken again only for what is the same.

use crate::lazy::bits;
use ringwood_graph::lazy::{Lazy, jit};
use ringwood_kernels::lazy::Operations;

/// A random program over three matrices: one function, to be recorded or to run at once. A change makes it differ in
/// one application: in the order of its operands, in an operand, a number or attribute, the operator.
fn random_program(seed: u64, change: usize, inputs: &[Lazy]) -> Vec<Lazy> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut values = inputs.to_vec();
    for step in 0..12 {
        let (mut a, mut b, mut operator) = (below(values.len()), below(values.len()), below(12));
        let mut moved = 0;
        if step == seed as usize % 12 {
            match change {
                0 => {}
                1 => (a, b) = (b, a),
                2 => b = a,
                3 => moved = 1,
                _ => operator = (operator + 1) % 12,
            }
        }
        let (a, b) = (values[a].clone(), values[b].clone());
        values.push(match operator {
            0 => a + b,
            1 => a - b,
            2 => a * b,
            3 => a.matmul(&b).tanh(),
            4 => a.transpose(0, 1),
            5 => a.softmax(),
            6 => a.sum_keep(1) + b,
            7 => b.maximum(a.mean(0)),
            8 => a.gelu() * (0.5 + moved as f32),
            9 => a.slice(0, 1 - moved, 4 - moved).concat(&[&b.slice(0, 0, 1)], 0),
            10 => a.lt(&b).where_(&b, &a),
            _ => a.reshape(&[2, -1]).reshape(&[4, 4]),
        });
    }
    // As many results as arguments, so that each may take the memory of one.
    values.split_off(values.len() - 3)
}

fn three_matrices(seed: u64) -> Vec<Lazy> {
    let element = |i: usize| ((seed as usize * 31 + i * 7) as f32 * 0.37).cos();
    let matrix = |n: usize| (n * 16..(n + 1) * 16).map(element).collect::<Vec<_>>();
    (0..3).map(|n| Lazy::new(&[4, 4], &matrix(n))).collect()
}

#[test]
fn random_programs_have_the_same_bits_at_once_and_planned() {
    for seed in 0..50 {
        let planned = jit(|xs: Vec<Lazy>| random_program(seed, 0, &xs));
        let mut state = three_matrices(seed);
        // What comes back goes in again: memory that results take over is used as it is in training.
        for turn in 0..3 {
            let want: Vec<_> = random_program(seed, 0, &state).iter().map(bits).collect();
            state = planned.call(state).unwrap();
            let got: Vec<_> = state.iter().map(bits).collect();
            assert_eq!(got, want, "program {seed}, turn {turn}");
        }
    }
}

#[test]
fn random_programs_are_never_taken_for_those_that_differ_in_one_thing() {
    for seed in 0..24 {
        // All of them are known the second time.
        for change in (0..5).chain(0..5) {
            let (given, program) =
                (three_matrices(seed), |xs: &[Lazy]| random_program(seed, change, xs));
            let want: Vec<_> = program(&given).iter().map(bits).collect();
            let got = jit(|xs: Vec<Lazy>| program(&xs)).call(given).unwrap();
            let got: Vec<_> = got.iter().map(bits).collect();
            assert_eq!(got, want, "program {seed}, change {change}");
        }
    }
}

#[test]
fn programs_that_differ_in_one_thing_are_never_taken_for_each_other() {
    let (x, y) = (Lazy::new(&[3], &[1.0_f32, 2.0, 3.0]), Lazy::new(&[3], &[5.0_f32, 7.0, 11.0]));
    type Pair = fn((Lazy, Lazy)) -> Lazy;
    let pairs: [(Pair, [f32; 3]); 8] = [
        (|(x, y)| &x - &y, [-4.0, -5.0, -8.0]),
        (|(x, y)| &y - &x, [4.0, 5.0, 8.0]),
        (|(x, _)| &x - &x, [0.0; 3]),
        (|(x, y)| &x + &y * 2.0, [11.0, 16.0, 25.0]),
        (|(x, y)| &x + &y * 3.0, [16.0, 23.0, 36.0]),
        (|(x, y)| &x * 2.0 + &y, [7.0, 11.0, 17.0]),
        (|(x, y)| (&x - &y).slice(0, 0, 1).expand(&[3]), [-4.0; 3]),
        (|(x, y)| (&x - &y).slice(0, 1, 2).expand(&[3]), [-5.0; 3]),
    ];
    for _ in 0..2 {
        for (f, want) in pairs {
            assert_eq!(jit(f).call((x.clone(), y.clone())).unwrap().to_vec::<f32>().unwrap(), want);
            assert_eq!(f((x.clone(), y.clone())).to_vec::<f32>().unwrap(), want);
        }
    }
    // One tensor at two places, and two tensors.
    let difference = jit(|(x, y): (Lazy, Lazy)| x - y);
    for _ in 0..2 {
        assert_eq!(
            difference.call((x.clone(), x.clone())).unwrap().to_vec::<f32>().unwrap(),
            [0.0; 3]
        );
        assert_eq!(
            difference.call((x.clone(), y.clone())).unwrap().to_vec::<f32>().unwrap(),
            [-4.0, -5.0, -8.0]
        );
    }
}
