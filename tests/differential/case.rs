//! Random launches of a kernel, and what the interpreter makes of them.

use crate::given::{self, Given, Slices};
use crate::random::Random;
use ringwood::kernel::{self, Form, Instance, KernelDef, KernelSpec, Operand, ParamKind};
use ringwood::{DType, Shape};
use ringwood_ir::interpret::{self, Argument, OutOfBounds, Refusal};
use ringwood_ir::{Kernel, Value};

/// The statements after which a run is given up.
const STEPS: u64 = 2_000_000;

/// An instance of a kernel, with its IR.
pub(crate) struct Subject {
    pub(crate) def: &'static KernelDef,
    pub(crate) instance: &'static Instance,
    pub(crate) ir: Kernel,
}

/// A launch, and how it must end.
pub(crate) struct Case {
    pub(crate) what: String,
    pub(crate) domain: Shape,
    pub(crate) args: Vec<Given>,
    pub(crate) expected: Slices,
    pub(crate) outcome: Result<Option<OutOfBounds>, Refusal>,
}

impl Subject {
    pub(crate) fn spec(&self) -> KernelSpec<'static> {
        self.def.spec(self.instance)
    }

    /// A launch of a kernel of any form.
    pub(crate) fn case(&self, random: &mut Random) -> Case {
        match self.def.form {
            Form::Map => self.map(random),
            _ => self.grid(random),
        }
    }

    /// A map over inputs that broadcast.
    fn map(&self, random: &mut Random) -> Case {
        let mut dims: Vec<_> = (0..random.below(4)).map(|_| random.pick(&[1, 2, 3, 4])).collect();
        if let Some(last) = dims.last_mut() {
            *last = random.pick(&[0, 1, 5, 7, 300]);
        }
        let domain = Shape::new(&dims).unwrap();
        let (result, inputs) = self.instance.params.split_last().expect("a map has a result");
        let input = |random: &mut Random, dtype: DType| {
            let own: Vec<_> =
                dims.iter().map(|d| if random.below(4) == 0 { 1 } else { *d }).collect();
            let own = Shape::new(&own).unwrap();
            let dense = own.strides();
            let sizes = own.iter().zip(domain.iter());
            let strides =
                dense.iter().zip(sizes).map(|(s, (own, all))| if own == all { *s } else { 0 });
            let slice = Given::slice(random.values(dtype, own.elements()), dtype.into());
            Given { strides: Some(strides.collect()), ..slice }
        };
        let inputs: Vec<_> = inputs.iter().map(|p| input(random, dtype(p.kind))).collect();
        self.mapped(domain, inputs, None, dtype(result.kind), random)
    }

    /// A map whose result takes the place of one of its inputs; `None` if none has its type.
    pub(crate) fn map_in_place(&self, random: &mut Random) -> Option<Case> {
        let n = random.pick(&[1, 5, 256, 700]);
        let kinds: Vec<_> = self.instance.params.iter().map(|p| dtype(p.kind)).collect();
        let (result, inputs) = kinds.split_last().expect("a map has a result");
        let alike: Vec<_> = (0..inputs.len()).filter(|i| inputs[*i] == *result).collect();
        if alike.is_empty() {
            return None;
        }
        let replaced = random.pick(&alike);
        let slices =
            inputs.iter().map(|dtype| Given::slice(random.values(*dtype, n), (*dtype).into()));
        let slices = slices.collect();
        Some(self.mapped(Shape::vector(n), slices, Some(replaced), *result, random))
    }

    fn mapped(
        &self,
        domain: Shape,
        inputs: Vec<Given>,
        replaced: Option<usize>,
        result: DType,
        random: &mut Random,
    ) -> Case {
        let row_major = domain.strides();
        let at = |item: usize, given: &Given| {
            let strides = given.strides.as_deref().unwrap_or(&row_major);
            let along = |d: usize| item / row_major[d].max(1) % domain[d] * strides[d];
            given.elements().unwrap()[(0..domain.len()).map(along).sum::<usize>()]
        };
        let value = |item| {
            let inputs: Vec<_> = inputs.iter().map(|given| at(item, given)).collect();
            interpret::map(&self.ir, &inputs, STEPS).unwrap()
        };
        let values: Vec<Value> = (0..domain.elements()).map(value).collect();
        let mut args = inputs;
        let mut expected: Slices = args.iter().map(|g| g.elements().map(<[_]>::to_vec)).collect();
        if let Some(replaced) = replaced {
            expected[replaced] = Some(values.clone());
        }
        expected.push(Some(values));
        let before = vec![random.value(result); domain.elements()];
        args.push(Given { same: replaced, ..Given::slice(before, result.into()) });
        let strides: Vec<_> = args.iter().map(|given| &given.strides).collect();
        let what = format!("{} over {domain}, strides {strides:?}", self.def.meta.name);
        Case { what, domain, args, expected, outcome: Ok(None) }
    }

    /// A grid or group kernel.
    fn grid(&self, random: &mut Random) -> Case {
        let groups = self.def.form == Form::Group;
        let size = if groups { random.below(20) } else { random.below(6) };
        let (operands, args): (Vec<_>, Vec<_>) =
            self.instance.params.iter().map(|p| self.argument(p.kind, size, random)).unzip();
        let domain = kernel::Kernel::new(self.def, self.instance).domain(&operands).unwrap();
        let mut after: Vec<Argument> = args.iter().map(|given: &Given| given.arg.clone()).collect();
        let outcome = interpret::grid(&self.ir, &domain, &mut after, STEPS);
        let what = format!("{} over {domain}: {operands:?}", self.def.meta.name);
        let allowed = matches!(outcome, Ok(_) | Err(Refusal::Requirement(_)));
        assert!(allowed, "{what}: {outcome:?}");
        Case { what, domain, args, expected: given::slices(&after), outcome }
    }

    fn argument(&self, kind: ParamKind, size: usize, random: &mut Random) -> (Operand, Given) {
        match kind {
            ParamKind::Scalar(ty) => {
                let value = random.scalar(ty, size);
                (Operand::Scalar(value), Given::scalar(value))
            }
            ParamKind::Slice { dtype, mutable } => {
                let groups = self.def.form == Form::Group;
                let rank = if groups { 1 } else { self.instance.rank.max(1) };
                let mut dims: Vec<_> = (0..rank)
                    .map(|_| if random.below(3) == 0 { random.below(7) } else { size })
                    .collect();
                if groups {
                    dims[0] = random.pick(&[size * size, size * size, size * size, 16, 200]);
                }
                let shape = Shape::new(&dims).unwrap();
                let values = random.values(dtype, shape.elements());
                (Operand::Tensor { dtype, shape, mutable }, Given::slice(values, dtype.into()))
            }
            ParamKind::View { dtype, rank, mutable } => {
                let dims: Vec<_> = (0..rank)
                    .map(|_| if random.below(4) == 0 { random.below(7) } else { size.min(6) })
                    .collect();
                let shape = Shape::new(&dims).unwrap();
                let (elements, strides) = steps(&dims, mutable, random);
                let offset = random.below(3);
                let elements = random.values(dtype, offset + elements);
                let arg = Argument::View { elements, offset, shape: dims, strides };
                (Operand::Tensor { dtype, shape, mutable }, Given::view(arg, dtype.into()))
            }
        }
    }

    /// Whether the work-items may run in another order than that of their indices.
    pub(crate) fn has_lanes(&self) -> bool {
        self.ir.group.is_some() || self.ir.body.iter().any(|stmt| !stmt.bodies().is_empty())
    }
}

impl Case {
    /// Whether it runs, and every access is in bounds.
    pub(crate) fn is_clean(&self) -> bool {
        self.outcome == Ok(None)
    }
}

/// The steps of a view: its dimensions in a random order, with gaps; some repeat elements if it is
/// only read. And the elements of its memory, of which the last ones may not be part of the view.
fn steps(dims: &[usize], mutable: bool, random: &mut Random) -> (usize, Vec<usize>) {
    let mut order: Vec<_> = (0..dims.len()).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i + 1));
    }
    let dense = random.below(2) == 0;
    if dense && random.below(2) == 0 {
        order = (0..dims.len()).rev().collect();
    }
    let (mut strides, mut step) = (vec![0; dims.len()], 1);
    for d in order {
        if !mutable && random.below(6) == 0 {
            continue;
        }
        step *= if dense { 1 } else { random.pick(&[1, 1, 2, 3]) };
        strides[d] = step;
        step *= dims[d].max(1);
    }
    (step + if dense { 0 } else { random.below(3) }, strides)
}

fn dtype(kind: ParamKind) -> DType {
    match kind {
        ParamKind::Slice { dtype, .. } => dtype,
        ParamKind::View { .. } | ParamKind::Scalar(_) => panic!("a map takes slices"),
    }
}
