//! Group kernels as a user writes them: they compile, and their declarations say what they are.

#[path = "../support/group_kernels.rs"]
mod examples;

use crate::def;
use crate::devices::cpu;
use examples::{matmul_tiled, row_softmax};
use ringwood::device::Tensor;
use ringwood::kernel::{Form, Kernel, Operand};
use ringwood::{DType, Result, Scalar, Shape, kernel};

#[test]
fn a_group_kernel_declares_its_number_of_groups() {
    let def = def(row_softmax::ENTRY);
    assert_eq!(def.form, Form::Group);
    let tensor = |mutable| Operand::Tensor {
        dtype: DType::F32,
        shape: Shape::new(&[6, 100]).unwrap(),
        mutable,
    };
    let operands = [tensor(false), tensor(true), Operand::Scalar(Scalar::Usize(100))];
    let instance = &def.instances[0];
    assert_eq!(*Kernel::new(def, instance).domain(&operands).unwrap(), [6]);
    let ir = def.spec(instance).kernel().unwrap();
    assert_eq!(ir.group, Some([256, 1, 1]));
}

#[kernel(device = cpu, group = 256, groups = x.len().div_ceil(1024), requires(bins.len() >= 16))]
fn histogram(x: &[u32], bins: &mut [u32]) {
    shared!(local: [u32; 16]);
    if lid(0) < 16 {
        local[lid(0)] = 0;
    }
    barrier();
    for c in 0..4 {
        let i = grp(0) * 1024 + c * 256 + lid(0);
        if i < x.len() {
            atomic_add(&mut local[(x[i] % 16) as usize], 1);
        }
    }
    barrier();
    if lid(0) < 16 {
        atomic_add(&mut bins[lid(0)], local[lid(0)]);
    }
}

#[kernel(device = cpu, nondeterministic, domain = x.len())]
fn compact(x: &[f32], count: &mut [u32], places: &mut [u32]) {
    let mut at = 0;
    if x[gid(0)] > 0.0 {
        at = atomic_add(&mut count[0], 1);
    }
    places[gid(0)] = at;
}

#[kernel(device = cpu, racy, domain = x.len())]
fn mark(x: &[u32], seen: &mut [u32]) {
    seen[x[gid(0)] as usize] = 1;
}

#[test]
fn what_a_kernel_gives_up_is_in_its_ir() {
    let modes = |item| {
        let def = def(item);
        def.spec(&def.instances[0]).kernel().unwrap().modes
    };
    assert_eq!(modes(histogram::ENTRY), Default::default());
    assert!(modes(compact::ENTRY).nondeterministic);
    assert!(modes(mark::ENTRY).racy);
}

#[kernel(device = cpu, const N: usize in [64, 256], group = N, groups = x.len().div_ceil(N))]
fn partial_sums<const N: usize>(x: &[f32], y: &mut [f32]) {
    let i = grp(0) * N + lid(0);
    let s = group_sum(if i < x.len() { x[i] } else { 0.0 });
    if lid(0) == 0 {
        y[grp(0)] = s;
    }
}

#[test]
fn each_value_of_a_compile_time_parameter_is_a_kernel_of_its_own() {
    let sizes = partial_sums::ENTRIES.map(|entry| {
        let def = def(entry);
        (def.meta.name, def.spec(&def.instances[0]).kernel().unwrap().group_size())
    });
    assert_eq!(sizes, [("partial_sums_64", 64), ("partial_sums_256", 256)]);
    let launch: fn(&Tensor, &mut Tensor) -> Result<()> = partial_sums::<64>;
    let _ = (launch, partial_sums::launch::<256>);
}

#[test]
fn rows_become_their_softmax() {
    let device = cpu();
    let (rows, n) = (3, 300);
    let x: Vec<f32> = (0..rows * n).map(|i| (i % 17) as f32 * 0.25 - 2.0).collect();
    let x = device.tensor_with(&x, Shape::new(&[rows, n]).unwrap()).unwrap();
    let mut y = device.tensor(&vec![0.0_f32; rows * n]).unwrap();
    row_softmax(&x, &mut y, n).unwrap();
    let (x, y) = (x.to_vec::<f32>().unwrap(), y.to_vec::<f32>().unwrap());
    for (x, y) in x.chunks(n).zip(y.chunks(n)) {
        let sum: f64 = x.iter().map(|v| f64::from(*v).exp()).sum();
        for (x, y) in x.iter().zip(y) {
            let expected = f64::from(*x).exp() / sum;
            assert!((f64::from(*y) - expected).abs() < 1e-6 * expected, "{y} for {expected}");
        }
    }
}

#[test]
fn tiles_of_a_matrix_product_meet_at_barriers() {
    let device = cpu();
    let (m, k, n) = (20, 37, 33);
    let a: Vec<f32> = (0..m * k).map(|i| (i % 7) as f32 - 3.0).collect();
    let b: Vec<f32> = (0..k * n).map(|i| (i % 5) as f32 - 2.0).collect();
    let mut c = device.tensor(&vec![9.0_f32; m * n]).unwrap();
    let (ta, tb) = (device.tensor(&a).unwrap(), device.tensor(&b).unwrap());
    matmul_tiled(&ta, &tb, &mut c, m, k, n).unwrap();
    let c = c.to_vec::<f32>().unwrap();
    for row in 0..m {
        for col in 0..n {
            let expected: f32 = (0..k).map(|i| a[row * k + i] * b[i * n + col]).sum();
            assert_eq!(c[row * n + col], expected, "row {row}, column {col}");
        }
    }
}

#[test]
fn atomic_counts_and_their_requirement_are_those_of_the_declaration() {
    let device = cpu();
    let x: Vec<u32> = (0..5000).map(|i| i * 7).collect();
    let tensor = device.tensor(&x).unwrap();
    let mut bins = device.tensor(&[0_u32; 16]).unwrap();
    histogram(&tensor, &mut bins).unwrap();
    let count = |bin| x.iter().filter(|v| *v % 16 == bin).count() as u32;
    let expected: Vec<_> = (0..16).map(count).collect();
    assert_eq!(bins.to_vec::<u32>().unwrap(), expected);
    let mut few = device.tensor(&[0_u32; 8]).unwrap();
    let error = histogram(&tensor, &mut few).unwrap_err().to_string();
    assert!(error.contains("requires bins.len() >= 16_usize"), "{error}");
    assert!(error.contains("for this launch: 8 and 16"), "{error}");
}

#[test]
fn a_value_of_a_compile_time_parameter_is_chosen_by_the_call() {
    let device = cpu();
    let x = device.tensor(&[1.0_f32; 300]).unwrap();
    let mut y = device.tensor(&[0.0_f32; 5]).unwrap();
    partial_sums::<64>(&x, &mut y).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [64.0, 64.0, 64.0, 64.0, 44.0]);
    let mut y = device.tensor(&[0.0_f32; 2]).unwrap();
    partial_sums::<256>(&x, &mut y).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [256.0, 44.0]);
}
