//! Random arguments for random kernels.

use crate::parallel::{INPUTS, Parallel, Role, TOTALS, VIEW};
use crate::values;
use ringwood_ir::interpret::Argument;
use ringwood_ir::prove::{Fact, LaunchFacts};
use ringwood_ir::{Kernel, ParamKind, Type, Value};

/// A launch of a kernel.
pub(crate) struct Launch {
    pub(crate) kernel: Kernel,
    pub(crate) args: Vec<Argument>,
    /// Slowest dimension first.
    pub(crate) domain: Vec<usize>,
}

/// The strides of views: dense, transposed, broadcast, with gaps.
const STRIDES: [[usize; 2]; 4] = [[4, 1], [1, 3], [0, 1], [9, 2]];

impl Parallel {
    /// The kernel with arguments of a seed.
    pub(crate) fn launch(self, seed: u64) -> Launch {
        let items = self.items();
        let args = self.kernel.params.iter().zip(&self.roles).enumerate();
        let args = args
            .map(|(i, (param, role))| {
                let seed = seed.wrapping_mul(31).wrapping_add(i as u64);
                argument(param.kind, *role, items, seed)
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

fn argument(kind: ParamKind, role: Role, items: usize, seed: u64) -> Argument {
    let ty = match kind {
        ParamKind::Scalar(ty) | ParamKind::Slice { ty, .. } | ParamKind::View { ty, .. } => ty,
    };
    match role {
        Role::Scalar => Argument::Scalar(match ty {
            Type::Usize => Value::Usize(seed as usize % 7),
            Type::Bool => Value::Bool(seed.is_multiple_of(2)),
            _ => elements(ty, 1, seed)[0],
        }),
        Role::Input => Argument::Slice(elements(ty, INPUTS, seed)),
        Role::Output => Argument::Slice(elements(ty, 2 * items, seed)),
        Role::Total(_) => Argument::Slice(elements(ty, TOTALS, seed)),
        Role::Cell { .. } => Argument::Slice(elements(ty, items, seed)),
        Role::View => Argument::View {
            elements: elements(ty, 26, seed),
            offset: 1,
            shape: VIEW.into(),
            strides: STRIDES[seed as usize % 4].into(),
        },
    }
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
}
