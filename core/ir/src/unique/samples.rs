//! Launches that requirements are tried on: what none of them meets is worth no proof.

use crate::check::MAX_RANK;
use crate::interpret::{known, none_fails};
use crate::prove::{Fact, LaunchFacts};
use crate::{Expr, ExprKind, Kernel, ParamKind, Type, Value};
use std::cell::OnceCell;

/// Launches of several work-items along every dimension that is not declared to have one.
pub(super) struct Samples<'a> {
    kernel: &'a Kernel,
    domain: &'a [Expr],
    few: OnceCell<Vec<Launch>>,
    all: OnceCell<Vec<Launch>>,
}

struct Launch {
    /// The domain, slowest dimension first.
    domain: Vec<usize>,
    /// For each parameter its value, its length or its extents.
    values: Vec<[usize; MAX_RANK as usize]>,
}

impl<'a> Samples<'a> {
    /// The launches that ways of a proof are compared by.
    pub(super) const COUNT: usize = 48;
    /// The tries to find launches.
    const TRIES: u64 = 600;

    pub(super) fn new(kernel: &'a Kernel, domain: &'a [Expr]) -> Self {
        Samples { kernel, domain, few: OnceCell::new(), all: OnceCell::new() }
    }

    /// For how many of [`Samples::COUNT`] launches the conditions hold.
    pub(super) fn held(&self, conditions: &[Expr]) -> usize {
        if conditions.is_empty() {
            return Self::COUNT;
        }
        let few = self.few.get_or_init(|| self.launches().take(Self::COUNT).collect());
        let held = few.iter().filter(|launch| self.holds(launch, conditions)).count();
        held + Self::COUNT - few.len()
    }

    /// Whether the conditions hold for any of many launches, if those are found.
    pub(super) fn possible(&self, conditions: &[Expr]) -> bool {
        let all = self.all.get_or_init(|| self.launches().collect());
        all.is_empty() || all.iter().any(|launch| self.holds(launch, conditions))
    }

    fn launches(&self) -> impl Iterator<Item = Launch> {
        (0..Self::TRIES).filter_map(|seed| self.launch(seed))
    }

    /// A launch with arguments of one scale, many of them powers of 2, and none below 2; `None` if it has
    /// fewer than two work-items along a dimension, or very many.
    fn launch(&self, seed: u64) -> Option<Launch> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
            ((state ^ (state >> 29)) >> 33) as usize % n
        };
        // All are large in some launches: several may have to be at least a group, or a tile.
        let scale = [0, 0, 5, 12][below(4)];
        let mut size = || match below(8) {
            0 => 2 << (below(16) + scale),
            1..4 => 2 << (below(6) + scale),
            _ => (2 + below(16)) << scale,
        };
        let values =
            self.kernel.params.iter().map(|_| [(); MAX_RANK as usize].map(|()| size())).collect();
        let mut launch = Launch { domain: Vec::new(), values };
        launch.domain = match self.domain {
            [] => (0..self.kernel.rank).map(|_| size()).collect(),
            declared => {
                let args = self.facts(&launch);
                let facts = LaunchFacts { domain: &[], args: &args };
                let extent = |e: &Expr| match known(self.kernel, &facts, e) {
                    Ok(Value::Usize(1)) if matches!(e.kind, ExprKind::Int(_)) => Some(1),
                    Ok(Value::Usize(n)) => (2..1 << 40).contains(&n).then_some(n),
                    // A constant of the user's crate.
                    _ => Some(size()),
                };
                declared.iter().map(extent).collect::<Option<_>>()?
            }
        };
        Some(launch)
    }

    fn holds(&self, launch: &Launch, conditions: &[Expr]) -> bool {
        let args = self.facts(launch);
        none_fails(self.kernel, &LaunchFacts { domain: &launch.domain, args: &args }, conditions)
    }

    fn facts<'l>(&self, launch: &'l Launch) -> Vec<Fact<'l>> {
        let all = self.kernel.params.iter().zip(&launch.values);
        all.map(|(param, values)| fact(param.kind, values)).collect()
    }
}

fn fact(kind: ParamKind, values: &[usize; MAX_RANK as usize]) -> Fact<'_> {
    match kind {
        ParamKind::Scalar(Type::Bool) => Fact::Scalar(Value::Bool(values[0].is_multiple_of(2))),
        ParamKind::Scalar(ty) => Fact::Scalar(Value::Usize(values[0]).cast(ty)),
        ParamKind::Slice { .. } => Fact::Len(values[0]),
        ParamKind::View { rank, .. } => {
            let shape = &values[..rank.into()];
            Fact::View { shape, strides: shape }
        }
    }
}
