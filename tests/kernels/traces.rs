//! Random programs of registered operators: at once, by the interpreter of the kernel IR, planned for the processor and
//! for an OpenCL device, with the same bits.

use crate::devices::devices;
use crate::fallback::TURN;
use ringwood::device::Device;
use ringwood::graph::{Attribute, AttributeKind, Attributes};
use ringwood::lazy::with_default_device;
use ringwood::operator::Operator;
use ringwood::prelude::*;
use ringwood::{ErrorKind, Result, ScalarType};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::PoisonError;

/// One application: an operator to values made before it.
struct Step {
    operator: &'static str,
    operands: Vec<usize>,
    attributes: Attributes,
}

impl Step {
    fn apply(&self, values: &[Lazy]) -> Result<Vec<Lazy>> {
        let operands: Vec<_> = self.operands.iter().map(|&operand| &values[operand]).collect();
        Lazy::apply_all(self.operator, &operands, self.attributes.clone())
    }
}

/// `sum[3](axis = 1)`: the operator, the numbers of its operands, its attributes.
impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}{}", self.operator, self.operands, self.attributes)
    }
}

/// A small generator: the test is the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % n
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn attribute(&mut self, kind: AttributeKind) -> Option<Attribute> {
        Some(match kind {
            AttributeKind::Scalar(ScalarType::F32) => self.pick(&[0.5_f32, 1.0, -2.0]).into(),
            AttributeKind::Scalar(ScalarType::Usize) => self.below(4).into(),
            AttributeKind::Scalar(ScalarType::I64) => (self.below(4) as i64).into(),
            AttributeKind::Integers => {
                self.pick(&[vec![0], vec![1, 0], vec![3, -1], vec![2, 4]]).into()
            }
            AttributeKind::DType => self.pick(&[DType::F32, DType::I32]).into(),
            _ => return None,
        })
    }
}

/// What programs are given, by dtype and shape.
const GIVEN: [(DType, &[usize]); 8] = [
    (DType::F32, &[3, 4]),
    (DType::F32, &[4, 3]),
    (DType::F32, &[4]),
    (DType::F32, &[2, 3, 4]),
    (DType::I32, &[3]),
    (DType::I32, &[3, 4]),
    (DType::Bool, &[3, 4]),
    (DType::U32, &[2]),
];

fn given(seed: usize) -> Vec<Lazy> {
    let tensor = |(i, (dtype, dims)): (usize, &(DType, &[usize]))| {
        let element = |at: usize| ((seed * 7 + i * 5 + at * 3) % 17) as f32 / 4.0 - 1.0;
        let elements: Vec<_> = (0..dims.iter().product()).map(element).collect();
        Lazy::new(dims, &elements).cast(*dtype)
    };
    GIVEN.iter().enumerate().map(tensor).collect()
}

/// Eight applications that fit the operators' rules and kernels, also recorded, and all that they give at once; what does
/// not fit is drawn again.
fn program(seed: usize, operators: &[&Operator]) -> (Vec<Step>, Vec<Lazy>) {
    let (mut random, mut values) = (Random(seed as u64), given(seed));
    let mut steps = Vec::new();
    while steps.len() < 8 {
        let operator = random.pick(operators);
        // Later values are drawn as often as all that were given.
        let operands = (0..operator.operands().unwrap_or(2)).map(|_| match random.below(2) {
            0 => random.below(values.len()),
            _ => values.len() - 1 - random.below(3),
        });
        let operands: Vec<_> = operands.collect();
        let attributes = operator.attributes.iter();
        let attributes: Option<Vec<_>> = attributes
            .map(|def| Some((def.name.to_owned(), random.attribute(def.kind)?)))
            .collect();
        let Some(attributes) = attributes else { continue };
        let step = Step {
            operator: operator.name,
            operands,
            attributes: attributes.into_iter().collect(),
        };
        // An index out of bounds is an error that only a read gives.
        let Ok(results) = step.apply(&values) else { continue };
        steps.push(step);
        // In a program that is recorded for any elements, those that an operator must know are not there.
        let recorded = || jit(|given: Vec<Lazy>| replay(&steps, &given)).graph(&given(seed));
        match results.iter().all(|result| result.to_bytes().is_ok()) && recorded().is_ok() {
            true => values.extend(results),
            false => drop(steps.pop()),
        }
    }
    (steps, values.split_off(GIVEN.len()))
}

/// All that the applications give.
fn replay(steps: &[Step], given: &[Lazy]) -> Result<Vec<Lazy>> {
    let mut values = given.to_vec();
    for step in steps {
        values.extend(step.apply(&values)?);
    }
    Ok(values.split_off(given.len()))
}

/// The bytes of each value; all NaNs are one, as processors make various ones.
fn bits(dtype: DType, bytes: &[u8]) -> Vec<u8> {
    let of = |element: &[u8]| match dtype {
        DType::F32 => {
            let element = f32::from_ne_bytes(element.try_into().unwrap());
            if element.is_nan() { f32::NAN } else { element }.to_ne_bytes().to_vec()
        }
        _ => element.to_vec(),
    };
    bytes.chunks(dtype.size()).flat_map(of).collect()
}

fn all_bits(values: &[Lazy]) -> Vec<Vec<u8>> {
    values.iter().map(|value| bits(value.dtype().unwrap(), &value.to_bytes().unwrap())).collect()
}

/// What the interpreter gives for each value of a recorded program whose inputs are constants; `None` where a kernel has
/// no IR.
fn interpreted(steps: &[Step], seed: usize) -> Vec<Option<Vec<u8>>> {
    let recorded = jit(|()| replay(steps, &given(seed))).graph(&()).unwrap();
    let folded = recorded.with_shapes(&[]).unwrap();
    let of = |value| {
        let value = folded.value(value).unwrap();
        let dtype = folded.type_of(value).unwrap().dtype;
        folded.known(value).unwrap().map(|bytes| bits(dtype, bytes))
    };
    folded.outputs().iter().map(|output| of(output.value)).collect()
}

/// What a plan for a device gives, or `None` if the device has no kernel for an operator.
fn planned(steps: &[Step], seed: usize, device: &Device) -> Option<Vec<Vec<u8>>> {
    let function = jit(|given: Vec<Lazy>| replay(steps, &given));
    match function.call(with_default_device(device, || given(seed))) {
        Ok(values) => Some(all_bits(&values)),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => panic!("{device}: {error}"),
    }
}

#[test]
fn random_programs_have_the_same_bits_in_every_way() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let devices = devices();
    let registry = Device::best().unwrap().registry().clone();
    let operators = registry.of::<Operator>().map(|(_, operator)| operator);
    let operators: Vec<_> = operators.filter(|o| !o.any_attributes).collect();
    let long = std::env::var_os("RINGWOOD_LONG").is_some();
    let (mut seen, mut folded, mut all) = (BTreeSet::new(), 0, 0);
    for seed in 0..if long { 2000 } else { 24 } {
        let (steps, values) = with_default_device(&devices[0], || program(seed, &operators));
        let at_once = all_bits(&values);
        for (i, value) in interpreted(&steps, seed).into_iter().enumerate() {
            all += 1;
            let Some(value) = value else { continue };
            folded += 1;
            assert_eq!(value, at_once[i], "program {seed}, interpreted, result {i}: {steps:#?}");
        }
        // Drivers compile for long: another device takes every third program.
        let others = if long || seed % 3 == 0 { devices.len() } else { 1 };
        for device in &devices[..others] {
            let on = planned(&steps, seed, device);
            assert!(on.is_none_or(|on| on == at_once), "program {seed} on {device}: {steps:#?}");
        }
        seen.extend(steps.iter().map(|step| step.operator));
    }
    assert!(seen.len() > 60 && folded * 10 > all * 9, "{folded} of {all}: {seen:?}");
}
