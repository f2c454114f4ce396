//! Every operator at once, recorded and planned: with the same bits.

use crate::gradients::{CASES, Case};
use crate::support::{labels, random, runtime};
use ringwood_base::{DType, Element, Result, Scalar, ScalarType};
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Attribute, AttributeKind, Attributes, Planner};
use ringwood_graph::lazy::{Lazy, grad, jit};
use ringwood_graph::operator::Operator;
use ringwood_kernels::lazy::Operations;
use std::collections::BTreeSet;

fn device() -> Device {
    runtime().device("cpu:0").unwrap()
}

fn on<T: Element>(device: &Device, dims: &[usize], elements: &[T]) -> Lazy {
    Lazy::of(crate::support::tensor(device, dims, elements))
}

/// What a function gives at once, planned, and as its recorded graph, operator by operator.
fn agree(what: &str, device: &Device, given: &[Lazy], f: impl Fn(&[Lazy]) -> Result<Vec<Lazy>>) {
    let bytes = |results: Vec<Lazy>| -> Vec<Vec<u8>> {
        results
            .iter()
            .map(|result| result.to_bytes().unwrap_or_else(|e| panic!("{what}: {e}")))
            .collect()
    };
    let at_once = bytes(f(given).unwrap());
    let function = jit(|given: Vec<Lazy>| f(&given));
    assert_eq!(bytes(function.call(given.to_vec()).unwrap()), at_once, "{what}, planned");
    let graph = function.graph(&given.to_vec()).unwrap();
    let mut plan = Planner::new(std::slice::from_ref(device)).fuse(false).plan(&graph).unwrap();
    let tensors: Vec<(String, Tensor)> = (given.iter().enumerate())
        .map(|(i, lazy)| (i.to_string(), lazy.tensor().unwrap()))
        .filter(|(name, _)| graph.named(name).is_ok())
        .collect();
    let inputs: Vec<_> = tensors.iter().map(|(name, tensor)| (name.as_str(), tensor)).collect();
    let recorded = plan.run(&inputs).unwrap();
    let recorded: Vec<_> = recorded.iter().map(|tensor| tensor.to_bytes().unwrap()).collect();
    assert_eq!(recorded, at_once, "{what}, recorded");
}

/// An operand that fits a pattern of a shape rule: symbols are 3, and what may be several dimensions is one of 2.
fn operand(device: &Device, dtype: DType, pattern: &str, seed: usize) -> Lazy {
    let extent = |word: &str| word.parse().unwrap_or(if word.ends_with("...") { 2 } else { 3 });
    let dims: Vec<usize> = pattern.split_whitespace().map(extent).collect();
    let element = |i: usize| match dtype {
        DType::F16 | DType::BF16 | DType::F32 | DType::F64 => {
            0.25 + ((i * 37 + seed * 11) % 64) as f32 / 100.0
        }
        _ => ((i + seed) % 3) as f32,
    };
    let elements: Vec<_> = (0..dims.iter().product()).map(element).collect();
    on(device, &dims, &elements).cast(dtype)
}

/// The dtype that a word of a dtype rule stands for here.
fn dtype(word: &str) -> DType {
    match word.trim() {
        "I" => DType::I32,
        word => word.parse().unwrap_or(DType::F32),
    }
}

fn attribute(kind: AttributeKind) -> Option<Attribute> {
    Some(match kind {
        AttributeKind::Scalar(ScalarType::F32) => 0.5_f32.into(),
        AttributeKind::Scalar(ScalarType::Usize) => 1_usize.into(),
        AttributeKind::Scalar(ScalarType::I64) => 1_i64.into(),
        AttributeKind::Scalar(ScalarType::U32) => 1_u32.into(),
        AttributeKind::Scalar(ScalarType::Bool) => Scalar::Bool(true).into(),
        _ => return None,
    })
}

#[test]
fn every_operator_has_the_same_bits_at_once_recorded_and_planned() {
    let device = device();
    let mut apart = BTreeSet::new();
    let checked: BTreeSet<_> = CASES.iter().map(|case| case.operator).collect();
    for (_, operator) in device.registry().of::<Operator>() {
        let name = operator.name;
        let attributes: Option<Vec<_>> = (operator.attributes.iter())
            .map(|def| Some((def.name.to_owned(), attribute(def.kind)?)))
            .collect();
        // What is made of others has their bits.
        if operator.decompose.is_some() {
            continue;
        }
        let Some(attributes) = attributes.filter(|_| operator.view.is_none()) else {
            apart.extend((!checked.contains(name)).then_some(name));
            continue;
        };
        let attributes: Attributes = attributes.into_iter().collect();
        let patterns: Vec<_> = operator.shape.split("->").next().unwrap().split(',').collect();
        let words = operator.dtype.split("->").next().unwrap();
        let words: Vec<_> = match words {
            "" => vec!["F"; patterns.len()],
            words => words.split(',').collect(),
        };
        let given = patterns.iter().zip(words).enumerate();
        let given: Vec<_> =
            given.map(|(i, (pattern, word))| operand(&device, dtype(word), pattern, i)).collect();
        let f = |given: &[Lazy]| {
            let operands: Vec<_> = given.iter().collect();
            Lazy::apply_all(name, &operands, attributes.clone())
        };
        match f(&given) {
            Ok(_) => agree(name, &device, &given, f),
            Err(_) => apart.extend((!checked.contains(name)).then_some(name)),
        }
    }
    assert_eq!(apart, BTreeSet::new());
}

/// The loss of a case, as `gradients::loss` builds it.
fn loss(case: &Case, given: &[Lazy]) -> Result<Lazy> {
    let device = given[0].device()?;
    let constant = |lazy: Lazy| lazy.to_device(&device);
    let mut operands = given.to_vec();
    if case.operator == "select" {
        operands.insert(0, constant(Lazy::new(&[2, 1], &[1.0_f32, 0.0]).cast(DType::Bool)));
    }
    if ["take_along", "put_along"].contains(&case.operator) {
        operands.insert(1, constant(Lazy::new(&[1, 4, 2], &[2_i64, 0, -1, 1, 2, 2, 0, 0])));
    }
    if case.labels {
        let rows = case.dims[0][0];
        operands.push(constant(Lazy::new(&[rows], &labels(5, rows, case.dims[0][1]))));
    }
    let operands: Vec<_> = operands.iter().collect();
    let y = Lazy::apply_all(case.operator, &operands, (case.attributes)())?.swap_remove(0);
    let shape = y.shape()?;
    let weights = constant(Lazy::new(&shape, &random(99, shape.elements())));
    Ok((y * weights).tanh().sum_all())
}

#[test]
fn every_gradient_has_the_same_bits_at_once_recorded_and_planned() {
    let device = device();
    let choose = |operator| ["if_less", "expand", "attention", "batch_norm"].contains(&operator);
    for case in CASES.iter().filter(|case| !choose(case.operator)) {
        let given = case.dims.iter().zip(1..).map(|(dims, seed)| {
            let elements = random(seed, dims.iter().product());
            on(&device, dims, &elements.iter().map(|x| x + case.shift).collect::<Vec<_>>())
        });
        let given: Vec<_> = given.collect();
        agree(case.operator, &device, &given, |given| {
            Ok(grad(&given.to_vec(), |given| Lazy::of_result(loss(case, given))))
        });
    }
}
