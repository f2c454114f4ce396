//! Where native code keeps the values of variables and arrays.

use super::regions::{Mention, Region, expr_mentions, mentions};
use ringwood_ir::{
    BinaryOp, Expr, ExprKind, Kernel, MathFn, Space, Stmt, Type, Uniformity, statements,
};
use std::collections::{BTreeMap, BTreeSet};

/// Where a variable is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// One value for all lanes.
    Scalar,
    /// A value of one lane, in this run alone.
    Local(usize),
    /// Computed anew at the head of each run that needs it.
    Recomputed,
    /// A value for each lane.
    Lanes,
}

/// The places of all variables and arrays of a kernel.
pub(super) struct Values<'a> {
    pub(super) vars: Vec<Place>,
    /// Of shared arrays, [`Place::Scalar`].
    pub(super) arrays: Vec<Place>,
    /// What each run computes anew, after what it depends on.
    pub(super) recomputed: Vec<Vec<(u32, &'a Expr)>>,
}

/// The runs that mention a variable or an array.
#[derive(Default)]
struct Uses(BTreeMap<Mention, BTreeSet<usize>>);

impl<'a> Values<'a> {
    /// The places in a kernel of one run, which a loop over work-items repeats.
    pub(super) fn flat(kernel: &Kernel) -> Self {
        Self {
            vars: vec![Place::Local(0); kernel.vars.len()],
            arrays: vec![Place::Local(0); kernel.arrays.len()],
            recomputed: vec![Vec::new()],
        }
    }

    /// The places in a kernel of these regions.
    pub(super) fn of(
        kernel: &'a Kernel,
        uniform: &Uniformity,
        regions: &[Region<'a>],
        runs: usize,
    ) -> Self {
        let mut uses = Uses::default();
        regions.iter().for_each(|region| uses.region(kernel, region));
        let cheap = Cheap::of(kernel, uniform);
        let vars: Vec<_> = (0..kernel.vars.len() as u32)
            .map(|v| match uses.place(Mention::Var(v)) {
                _ if uniform.var(v) => Place::Scalar,
                Place::Lanes if cheap.values.contains_key(&v) => Place::Recomputed,
                place => place,
            })
            .collect();
        let arrays = kernel.arrays.iter().zip(0..).map(|(array, index)| match array.space {
            Space::Shared => Place::Scalar,
            Space::Local => uses.place(Mention::Array(index)),
        });
        let arrays = arrays.collect();
        let mut recomputed = vec![BTreeMap::new(); runs];
        for (mention, used) in &uses.0 {
            if let Mention::Var(v) = *mention
                && vars[v as usize] == Place::Recomputed
            {
                used.iter().for_each(|run| cheap.pull(v, &vars, &mut recomputed[*run]));
            }
        }
        let recomputed = recomputed.into_iter().map(|m| m.into_iter().collect()).collect();
        let mut values = Values { vars, arrays, recomputed };
        // What only one run mentions, but a recomputed value depends on, is recomputed too.
        for (v, _) in values.recomputed.iter().flatten() {
            values.vars[*v as usize] = Place::Recomputed;
        }
        values
    }
}

impl Uses {
    fn region(&mut self, kernel: &Kernel, region: &Region<'_>) {
        match region {
            Region::Run(run, stmts) => {
                stmts.iter().for_each(|stmt| self.note(*run, mentions(kernel, stmt)));
            }
            Region::Group(run, Stmt::GroupReduce { value, .. }) => {
                self.note(*run, expr_mentions(kernel, value));
            }
            Region::Group(run, stmt) => {
                self.note(*run, stmt.target().map(Mention::Var));
                for stmt in stmt.bodies().into_iter().flatten() {
                    self.note(*run, mentions(kernel, stmt));
                }
            }
            Region::Uniform(_, bodies) => {
                bodies.iter().flatten().for_each(|region| self.region(kernel, region));
            }
        }
    }

    fn note(&mut self, run: usize, mentions: impl IntoIterator<Item = Mention>) {
        for mention in mentions {
            self.0.entry(mention).or_default().insert(run);
        }
    }

    /// Where a value of each lane is kept.
    fn place(&self, mention: Mention) -> Place {
        let mut runs = self.0.get(&mention).into_iter().flatten();
        match (runs.next(), runs.next()) {
            (first, None) => Place::Local(first.copied().unwrap_or(0)),
            _ => Place::Lanes,
        }
    }
}

/// The varying variables whose one value is cheap to compute again, wherever they are in scope: a
/// pure function of the index of the lane and of variables that get one value.
struct Cheap<'a> {
    values: BTreeMap<u32, &'a Expr>,
}

/// The most operations of a value that is computed again.
const CHEAP: usize = 12;

impl<'a> Cheap<'a> {
    fn of(kernel: &'a Kernel, uniform: &Uniformity) -> Self {
        let (mut count, mut lets) = (vec![0_u32; kernel.vars.len()], BTreeMap::new());
        for stmt in statements(&kernel.body) {
            stmt.target().into_iter().for_each(|v| count[v as usize] += 1);
            if let Stmt::Let(v, value) = stmt {
                lets.insert(*v, value);
            }
        }
        let mut values: BTreeMap<u32, &Expr> = BTreeMap::new();
        // A value depends on variables declared before it, whose numbers are smaller.
        for (v, value) in lets.into_iter().filter(|(v, _)| !uniform.var(*v)) {
            let stable =
                |of: u32| count[of as usize] == 1 && (uniform.var(of) || values.contains_key(&of));
            if count[v as usize] == 1 && is_cheap(value, &stable) {
                values.insert(v, value);
            }
        }
        Self { values }
    }

    /// Adds a value and those that it depends on.
    fn pull(&self, v: u32, places: &[Place], into: &mut BTreeMap<u32, &'a Expr>) {
        let Some(value) = self.values.get(&v) else { return };
        if into.insert(v, value).is_none() {
            value.walk(&mut |e| {
                if let ExprKind::Var(of) = e.kind
                    && places[of as usize] != Place::Scalar
                {
                    self.pull(of, places, into);
                }
            });
        }
    }
}

fn is_cheap(value: &Expr, stable: &impl Fn(u32) -> bool) -> bool {
    let (mut cheap, mut size) = (true, 0);
    value.walk(&mut |e| {
        size += 1;
        cheap &= match &e.kind {
            ExprKind::Var(v) => stable(*v),
            ExprKind::Load(..) => false,
            ExprKind::Call(_, args) => args.is_empty(),
            ExprKind::Binary(op, ..) => !matches!(op, BinaryOp::Div | BinaryOp::Rem),
            ExprKind::Math(function, _) => matches!(function, MathFn::Min | MathFn::Max),
            _ => true,
        } && !matches!(e.ty, Type::F16 | Type::BF16);
    });
    cheap && size <= CHEAP
}
