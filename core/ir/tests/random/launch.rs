//! Random arguments for random kernels.

use crate::parallel::{Dim, INPUTS, Parallel, Random, Role, TOTALS, Use};
use crate::values;
use ringwood_ir::interpret::{Argument, OutOfBounds};
use ringwood_ir::prove::{Fact, LaunchFacts};
use ringwood_ir::{Buffer, ExprKind, Kernel, ParamKind, Stmt, Type, Value, encode};
use std::fmt;

/// A launch of a kernel.
#[derive(Clone)]
pub(crate) struct Launch {
    pub(crate) kernel: Kernel,
    pub(crate) args: Vec<Argument>,
    /// Slowest dimension first.
    pub(crate) domain: Vec<usize>,
}

/// The elements from which on a view gets no more gaps.
const GAPS: usize = 1000;

/// Makes the states of neighbouring seeds different ones.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Parallel {
    /// The kernel with arguments of a seed.
    pub(crate) fn launch(self, seed: u64) -> Launch {
        let items = self.items();
        let unit = Random(seed.wrapping_mul(SPREAD) | 1).below(2) == 0;
        let args = self.kernel.params.iter().zip(&self.uses).enumerate();
        let args = args
            .map(|(i, (param, of))| {
                let seed = seed.wrapping_mul(31).wrapping_add(i as u64);
                argument(param.kind, of, items, unit, seed)
            })
            .collect();
        let domain = self.domain.into_iter().rev().collect();
        Launch { kernel: self.kernel, args, domain }
    }
}

fn elements(ty: Type, count: usize, seed: u64) -> Vec<Value> {
    let all = values::special(ty);
    let at = |i: usize| (seed as usize).wrapping_mul(7).wrapping_add(i * 5) % all.len();
    (0..count).map(|i| all[at(i)]).collect()
}

fn argument(kind: ParamKind, of: &Use, items: usize, unit: bool, seed: u64) -> Argument {
    let ty = match kind {
        ParamKind::Scalar(ty) | ParamKind::Slice { ty, .. } => ty,
        ParamKind::View { ty, mutable, .. } => return view(ty, &of.dims, mutable, unit, seed),
    };
    match of.role {
        Role::Scalar => Argument::Scalar(match ty {
            Type::Usize => Value::Usize(seed as usize % 7),
            Type::Bool => Value::Bool(seed.is_multiple_of(2)),
            _ => elements(ty, 1, seed)[0],
        }),
        Role::Input => Argument::Slice(elements(ty, INPUTS, seed)),
        Role::Output => Argument::Slice(elements(ty, 2 * items, seed)),
        Role::Total(_) => Argument::Slice(elements(ty, TOTALS, seed)),
        Role::Cell { .. } => Argument::Slice(elements(ty, items, seed)),
    }
}

/// A view with its dimensions in any order, with gaps and elements around it; some dimensions repeat
/// elements if it is only read. If `unit`, the last step is 1.
fn view(ty: Type, dims: &[Dim], mutable: bool, unit: bool, seed: u64) -> Argument {
    let mut random = Random(seed.wrapping_mul(SPREAD) | 1);
    let shape: Vec<_> = dims.iter().map(|dim| dim.extent).collect();
    let mut order: Vec<_> = (0..shape.len()).collect();
    for d in (1..order.len().saturating_sub(unit.into())).rev() {
        order.swap(d, random.below(d + 1));
    }
    let (mut strides, mut step, mut last) = (vec![0; shape.len()], 1, 0);
    for d in order.into_iter().rev() {
        let only = unit && d + 1 == shape.len();
        if shape[d] <= 1 && !only {
            // No access takes this step.
            strides[d] = random.pick(&[0, 1, 7, 1 << 40]);
        } else if mutable || only || random.below(6) > 0 {
            step *= if only || step > GAPS { 1 } else { random.pick(&[1, 1, 1, 2, 3]) };
            strides[d] = step;
            last += shape[d].saturating_sub(1) * step;
            step *= shape[d].max(1);
        }
    }
    let offset = random.below(4);
    let reach = if shape.contains(&0) { 0 } else { last + 1 };
    let elements = elements(ty, offset + reach + random.below(3), seed);
    Argument::View { elements, offset, shape, strides }
}

impl Launch {
    /// What the prover may know.
    pub(crate) fn prove(&self) -> ringwood_ir::prove::Proof {
        let fact = |arg| match arg {
            &Argument::Scalar(value) => Fact::Scalar(value),
            Argument::Slice(elements) => Fact::Len(elements.len()),
            Argument::View { shape, strides, .. } => Fact::View { shape, strides },
        };
        let args: Vec<_> = self.args.iter().map(fact).collect();
        let facts = LaunchFacts { domain: &self.domain, args: &args };
        ringwood_ir::prove::prove(&self.kernel, &facts)
    }

    /// Whether what a fault tells can be true: it is at an access that the proof leaves open, and its
    /// index is outside of an extent of what the access is to.
    pub(crate) fn can_fail(&self, fault: OutOfBounds) -> bool {
        fault.index >= fault.len
            && self.prove().failing.contains(&fault.site)
            && self.accessed(fault.site).is_some_and(|b| self.extents(b).contains(&fault.len))
    }

    /// What the access at a site is to.
    pub(crate) fn accessed(&self, site: u32) -> Option<Buffer> {
        fn stored(body: &[Stmt], at: u32) -> Option<Buffer> {
            body.iter().find_map(|stmt| match stmt {
                Stmt::Store { buffer, site, .. } if *site == at => Some(*buffer),
                Stmt::Atomic(atomic) if atomic.site == at => Some(atomic.buffer),
                _ => stmt.bodies().into_iter().find_map(|body| stored(body, at)),
            })
        }
        let mut found = stored(&self.kernel.body, site);
        self.kernel.walk(&mut |e| {
            if let ExprKind::Load(buffer, _) = e.kind
                && e.site == site
            {
                found = Some(buffer);
            }
        });
        found
    }

    /// Whether a buffer is a view.
    pub(crate) fn is_view(&self, buffer: Buffer) -> bool {
        let Buffer::Param(p) = buffer else { return false };
        matches!(self.args[p as usize], Argument::View { .. })
    }

    fn extents(&self, buffer: Buffer) -> Vec<usize> {
        match buffer {
            Buffer::Param(p) => match &self.args[p as usize] {
                Argument::Scalar(_) => Vec::new(),
                Argument::Slice(elements) => vec![elements.len()],
                Argument::View { shape, .. } => shape.clone(),
            },
            Buffer::Array(a) => {
                let dims = &self.kernel.arrays[a as usize].dims;
                dims.iter().map(|n| *n as usize).collect()
            }
        }
    }
}

impl fmt::Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\nover {:?}", self.kernel, encode(&self.kernel), self.domain)?;
        for (param, arg) in self.kernel.params.iter().zip(&self.args) {
            if let Argument::View { offset, shape, strides, .. } = arg {
                writeln!(f, "{}: {shape:?} by {strides:?} from {offset}", param.name)?;
            }
        }
        Ok(())
    }
}
