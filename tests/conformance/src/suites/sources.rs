//! What is written by hand for a backend computes what the portable body of its kernel says.

use super::standard::{STEPS, on_device, same, values};
use super::suite;
use crate::bench::Bench;
use crate::case::{Case, Check, Power, Stop, ensure, ensure_holds};
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Scalar, ScalarType, Shape};
use ringwood_device::backend::dialect;
use ringwood_device::kernel::{
    self, Instance, KernelDef, KernelSpec, Operand, ParamKind, declarations,
};
use ringwood_ir::interpret::{self, Argument};
use ringwood_ir::prove::{Fact, LaunchFacts};
use ringwood_ir::{Kernel, Type, Value};

pub(super) const CASES: &[Case] = &suite(
    "sources",
    &[Power::Streams, Power::Kernels],
    [("sources_equal_the_bodies_of_their_kernels", sources_equal_the_bodies_of_their_kernels)],
);

/// The launches of each instance that are compared.
const LAUNCHES: usize = 6;
/// The arguments tried to find them: most break a requirement, or are out of bounds.
const TRIES: usize = 20_000;

fn sources_equal_the_bodies_of_their_kernels(bench: &Bench) -> Check {
    let registry = Registry::global()?;
    let backend = bench.device().backend_name();
    // Written by hand in the language that the devices compile.
    let backend = dialect(registry, backend).map_or(backend, |dialect| dialect.name);
    let claimed = &bench.device().capabilities().dtypes;
    let mut compared = 0;
    for (_entry, def) in registry.of::<KernelDef>() {
        for instance in def.instances {
            let spec = def.spec(instance);
            let known = dtypes(instance).all(|dtype| claimed.contains(&dtype));
            let Some(_) = spec.source(backend).filter(|_| known) else { continue };
            let Some(body) = body(registry, def, instance)? else { continue };
            compare(bench, def, instance, &body)?;
            compared += 1;
        }
    }
    match compared {
        0 => Err(Stop::Skipped(format!("no kernel has a body and a source for `{backend}`"))),
        _ => Ok(()),
    }
}

fn dtypes(instance: &Instance) -> impl Iterator<Item = DType> + Clone {
    instance.params.iter().filter_map(|param| param.kind.dtype())
}

/// The body of a kernel, from any of its items, if its results do not depend on chance.
fn body(registry: &Registry, def: &KernelDef, instance: &Instance) -> Check<Option<Kernel>> {
    let twins = declarations(registry, def.meta.name)?.flat_map(|(_, def)| def.instances);
    let mut twins = twins.filter(|twin| dtypes(twin).eq(dtypes(instance)));
    let Some(ir) = instance.ir.or_else(|| twins.find_map(|twin| twin.ir)) else { return Ok(None) };
    let body = KernelSpec { ir: Some(ir), ..def.spec(&EMPTY) }.kernel()?;
    Ok((!body.modes.nondeterministic && !body.modes.racy).then_some(body))
}

static EMPTY: Instance = Instance::new(&[]);

fn compare(
    bench: &Bench,
    def: &'static KernelDef,
    instance: &'static Instance,
    body: &Kernel,
) -> Check {
    let mut random = Random(0x5eed);
    let mut launches = 0;
    for _ in 0..TRIES {
        let Some((domain, args)) = sample(def, instance, body, &mut random) else { continue };
        let mut expected = args.clone();
        let Ok(None) = interpret::grid(body, &domain, &mut expected, STEPS) else { continue };
        let got = on_device(bench, &def.spec(instance), &domain, &args)?;
        for (got, want) in got.iter().zip(&expected) {
            let (Argument::Slice(got), Argument::Slice(want)) = (got, want) else { continue };
            for (i, (got, want)) in got.iter().zip(want).enumerate() {
                let place = format!("over {domain} at {i}");
                match body.modes.relaxed {
                    true => near(def, *got, *want, &place)?,
                    false => same(def, *got, *want, &place)?,
                }
            }
        }
        launches += 1;
        if launches == LAUNCHES {
            return Ok(());
        }
    }
    ensure!(launches > 0, "no launch of `{}` was found that its requirements allow", def.meta.name);
    Ok(())
}

/// The same but for the rounding of a few operations.
fn near(def: &KernelDef, got: Value, want: Value, place: &str) -> Check {
    let float = |value: Value| match value.cast(Type::F64) {
        Value::F64(value) if value.is_finite() => Some(value),
        _ => None,
    };
    let error = match want.ty() {
        Type::F32 => 1e-4,
        Type::F64 => 1e-10,
        Type::F16 | Type::BF16 => 2e-2,
        _ => return same(def, got, want, place),
    };
    let (Some(a), Some(b)) = (float(got), float(want)) else { return same(def, got, want, place) };
    let name = def.meta.name;
    let close = (a - b).abs() <= error * b.abs().max(1.0);
    ensure_holds!(close, "`{name}` {place}: {got:?}, not {want:?}");
    Ok(())
}

struct Random(u64);

impl Random {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        from[(self.0 >> 16) as usize % from.len()]
    }
}

/// Arguments that are like those of kernels: counts that fit each other more often than not. `None` if
/// they have no domain, or break a requirement.
fn sample(
    def: &'static KernelDef,
    instance: &'static Instance,
    body: &Kernel,
    random: &mut Random,
) -> Option<(Shape, Vec<Argument>)> {
    let size = random.pick(&[1, 2, 3, 4, 7, 8, 16, 20]);
    let one_size = random.pick(&[true, false]);
    let mut counts = vec![size];
    let mut operands = Vec::new();
    for param in instance.params {
        operands.push(match param.kind {
            ParamKind::Scalar(ScalarType::Usize) => {
                let count = if one_size { size } else { random.pick(&[1, 2, 3, 5, 8]) };
                counts.push(count);
                Operand::Scalar(Scalar::Usize(count))
            }
            ParamKind::Scalar(ScalarType::Bool) => {
                Operand::Scalar(Scalar::Bool(random.pick(&[true, false])))
            }
            ParamKind::Scalar(ty) => {
                let value = Value::F64(random.pick(&[0.0, 1.0, -1.0, 0.5, 3.0]));
                Operand::Scalar(value.cast(ty))
            }
            ParamKind::Slice { dtype, mutable } => {
                Operand::Tensor { dtype, shape: Shape::scalar(), mutable }
            }
            ParamKind::View { dtype, rank, mutable } => {
                let shape = Shape::new(&vec![size.min(8); usize::from(rank)]).ok()?;
                Operand::Tensor { dtype, shape, mutable }
            }
        });
    }
    let products = counts.iter().flat_map(|a| counts.iter().map(move |b| a * b));
    let lengths: Vec<_> = products.chain([32, 64, 256, 1000]).collect();
    let common = random.pick(&lengths);
    for (operand, param) in operands.iter_mut().zip(instance.params) {
        if let (Operand::Tensor { shape, .. }, ParamKind::Slice { .. }) = (operand, param.kind) {
            *shape = Shape::vector(if one_size { common } else { random.pick(&lengths) });
        }
    }
    let domain = kernel::Kernel::new(def, instance).domain(&operands).ok()?;
    let seed = random.pick(&[1, 2, 3, 4, 5]);
    let kinds = instance.params.iter().map(|p| p.kind);
    let args: Vec<_> =
        kinds.zip(&operands).map(|(k, operand)| argument(k, operand, seed)).collect();
    let facts: Vec<_> = args.iter().map(fact).collect();
    let facts = LaunchFacts { domain: &domain, args: &facts };
    let small = domain.elements() <= 4096 && domain.elements() > 0;
    (small && interpret::broken_requirement(body, &facts).is_none()).then_some((domain, args))
}

fn argument(kind: ParamKind, operand: &Operand, seed: u64) -> Argument {
    match operand {
        Operand::Tensor { dtype, shape, .. } => {
            let elements = values(*dtype, shape.elements(), seed);
            match kind {
                ParamKind::View { .. } => {
                    let (strides, shape) = (shape.strides(), shape.to_vec());
                    Argument::View { elements, offset: 0, shape, strides }
                }
                _ => Argument::Slice(elements),
            }
        }
        Operand::Scalar(value) => Argument::Scalar(*value),
    }
}

fn fact(argument: &Argument) -> Fact<'_> {
    match argument {
        Argument::Scalar(value) => Fact::Scalar(*value),
        Argument::Slice(values) => Fact::Len(values.len()),
        Argument::View { shape, strides, .. } => Fact::View { shape, strides },
    }
}
