//! Where native code keeps the values of variables and arrays.

use super::regions::{Region, expr_mentions, mentions};
use ringwood_ir::{BinaryOp, Expr, ExprKind, Kernel, MathFn, Space, Stmt, Type, Uniformity};
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

/// What each run mentions.
#[derive(Default)]
struct Uses {
    vars: BTreeMap<u32, BTreeSet<usize>>,
    arrays: BTreeMap<u32, BTreeSet<usize>>,
}

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
        let place = |v: u32| match uses.vars.get(&v) {
            _ if uniform.var(v) => Place::Scalar,
            None => Place::Local(0),
            Some(runs) if runs.len() == 1 => Place::Local(*runs.first().expect("one run")),
            Some(_) if cheap.values.contains_key(&v) => Place::Recomputed,
            Some(_) => Place::Lanes,
        };
        let vars: Vec<_> = (0..kernel.vars.len() as u32).map(place).collect();
        let array = |index: u32| match uses.arrays.get(&index) {
            _ if kernel.arrays[index as usize].space == Space::Shared => Place::Scalar,
            None => Place::Local(0),
            Some(runs) if runs.len() == 1 => Place::Local(*runs.first().expect("one run")),
            Some(_) => Place::Lanes,
        };
        let arrays = (0..kernel.arrays.len() as u32).map(array).collect();
        let mut recomputed = vec![BTreeMap::new(); runs];
        for (v, used) in uses.vars.iter().filter(|(v, _)| vars[**v as usize] == Place::Recomputed) {
            used.iter().for_each(|run| cheap.pull(*v, &vars, &mut recomputed[*run]));
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
                stmts.iter().for_each(|stmt| self.stmt(kernel, *run, stmt));
            }
            Region::Reduce { run, value, .. } => {
                let Uses { vars, arrays } = self;
                expr_mentions(
                    kernel,
                    value,
                    &mut |v| {
                        vars.entry(v).or_default().insert(*run);
                    },
                    &mut |a| {
                        arrays.entry(a).or_default().insert(*run);
                    },
                );
            }
            Region::Shared { run, var, body, .. } => {
                self.vars.entry(*var).or_default().insert(*run);
                body.iter().for_each(|stmt| self.stmt(kernel, *run, stmt));
            }
            Region::If(_, a, b) => a.iter().chain(b).for_each(|r| self.region(kernel, r)),
            Region::For(.., body) | Region::While(_, body) => {
                body.iter().for_each(|r| self.region(kernel, r));
            }
            Region::Set(..) | Region::Leave(_) => {}
        }
    }

    fn stmt(&mut self, kernel: &Kernel, run: usize, stmt: &Stmt) {
        let Uses { vars, arrays } = self;
        mentions(
            kernel,
            stmt,
            &mut |v| {
                vars.entry(v).or_default().insert(run);
            },
            &mut |a| {
                arrays.entry(a).or_default().insert(run);
            },
        );
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
        assignments(&kernel.body, &mut |stmt, v| {
            count[v as usize] += 1;
            if let Stmt::Let(v, value) = stmt {
                lets.insert(*v, value);
            }
        });
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

fn assignments<'a>(body: &'a [Stmt], visit: &mut impl FnMut(&'a Stmt, u32)) {
    for stmt in body {
        stmt.target().into_iter().for_each(|v| visit(stmt, v));
        stmt.bodies().into_iter().for_each(|body| assignments(body, visit));
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
        } && !matches!(e.ty, Type::F16 | Type::Bf16);
    });
    cheap && size <= CHEAP
}
