//! The domain of a grid kernel that declares none: the shape of what it writes first.

use super::Lower;
use crate::kernel::model::{Form, Param, Passing};
use crate::text::text;
use ringwood_ir::{BinaryOp, Buffer, Expr, ExprKind, Kernel, Stmt, statements, unique};
use std::collections::HashMap;

impl Lower<'_> {
    /// A grid has the shape of what is written first, if it is not declared. So what a work-item changes
    /// there must be its own, other than in a histogram, and inside of it.
    pub(super) fn check_grid(&mut self, ir: &Kernel, domain: &[Expr]) {
        let model = self.model;
        let declared = !domain.is_empty() || model.options.form != Form::Grid || !model.has_body;
        if !self.errors.is_empty() || declared {
            return;
        }
        let mut params = model.params.iter().enumerate();
        let Some((index, first)) = params.find(|(_, p)| p.passing.is_written()) else { return };
        if !unique::has_own_elements(ir, Buffer::Param(index as u32)) {
            let (name, first) = (model.name(), &first.ident);
            let what = format!(
                "`{name}` would have a work-item for each element of `{first}`, though each may change any of them"
            );
            self.error(first, what)
                .help("declare the work-items: `domain = x.len()`, or `domain = (rows, columns)`");
        }
        match first.passing {
            Passing::View { rank, .. } => self.check_positions(ir, index, usize::from(rank)),
            _ if ir.rank == 1 => self.check_reach(ir, index, first),
            _ => {}
        }
    }

    /// The shape of a view counts each dimension by one position of the work-item, and what there are more
    /// of by the last one together: an index that is another position is outside of the view, or never
    /// comes to its end.
    fn check_positions(&mut self, ir: &Kernel, param: usize, rank: usize) {
        let along = unique::along(ir, Buffer::Param(param as u32));
        let merged = rank > usize::from(ir.rank);
        let last = |position: u8| merged && position + 1 == ir.rank;
        let dimension = |position: u8| rank.checked_sub(usize::from(position) + 1);
        let misplaced =
            |a: &&unique::Along| last(a.position) || dimension(a.position) != Some(a.dimension);
        let Some(wrong) = along.iter().find(misplaced) else { return };
        let (name, d) = (&self.model.params[param].ident, wrong.position);
        let over = match (dimension(d), last(d)) {
            (Some(end), true) => format!("dimensions 0 to {end} together"),
            (Some(end), false) => format!("dimension {end}"),
            (None, _) => "none of its dimensions".to_owned(),
        };
        let what = format!(
            "`gid({d})` is the index along dimension {} of `{name}`, but counts {over}: the domain is \
             the shape of `{name}`",
            wrong.dimension
        );
        let extent = |position: u8| {
            let at = along.iter().find(|a| a.position == position)?.dimension;
            Some(format!("{name}.extent({at})"))
        };
        let extents: Option<Vec<_>> = (0..ir.rank).rev().map(extent).collect();
        let help = match extents.as_deref() {
            Some([one]) => format!("declare the work-items: `domain = {one}`"),
            Some(all) => format!("declare the work-items: `domain = ({})`", all.join(", ")),
            None => "declare the work-items: `domain = (rows, columns)`".to_owned(),
        };
        let at = self.sites[wrong.site as usize].tokens.clone();
        self.error(at, what).help(help);
    }

    /// `gid(0)` counts the elements of a slice: a multiple of it is beyond the last one.
    fn check_reach(&mut self, ir: &Kernel, param: usize, first: &Param) {
        let mut reach = Reach { values: HashMap::new(), steps: STEPS };
        reach.know(&ir.body);
        let Some((site, factors)) = reach.beyond(&ir.body, Buffer::Param(param as u32)) else {
            return;
        };
        let written = |site: u32| text(&self.sites[site as usize].tokens);
        let place = written(site);
        let factors: Vec<_> = factors.iter().map(|factor| written(factor.site)).collect();
        let factor = match &*factors {
            [one] if !one.contains(' ') => one.clone(),
            [one] => format!("({one})"),
            all => format!("({})", all.join(" * ")),
        };
        let name = &first.ident;
        let what = format!(
            "`{place}` is beyond the end of `{name}`: there is a work-item for each element of \
             `{name}`, and this takes `{factor}` elements for each"
        );
        let at = self.sites[site as usize].tokens.clone();
        self.error(at, what)
            .help(format!("declare the work-items: `domain = {name}.len() / {factor}`"));
    }
}

/// Expressions are given up after so many parts, of which one may be the value of many variables.
const STEPS: usize = 1000;

/// What an index is at least.
struct Reach<'a> {
    /// The values of variables that have one alone.
    values: HashMap<u32, Option<&'a Expr>>,
    /// How many more parts of expressions are looked at.
    steps: usize,
}

impl<'a> Reach<'a> {
    fn know(&mut self, body: &'a [Stmt]) {
        for stmt in statements(body) {
            let Some(var) = stmt.target() else { continue };
            let value = match stmt {
                Stmt::Let(_, value) if !self.values.contains_key(&var) => Some(value),
                _ => None,
            };
            self.values.insert(var, value);
        }
    }

    /// The first store that no condition keeps inside of the buffer, at a multiple of `gid(0)`, and what
    /// that is multiplied by.
    fn beyond(&mut self, body: &'a [Stmt], buffer: Buffer) -> Option<(u32, Vec<&'a Expr>)> {
        body.iter().find_map(|stmt| match stmt {
            Stmt::Store { buffer: stored, indices, site, .. } if *stored == buffer => {
                let factors = self.factors(indices.first()?)?;
                (!factors.is_empty()).then_some((*site, factors))
            }
            Stmt::For(.., body) => self.beyond(body, buffer),
            _ => None,
        })
    }

    /// What `gid(0)` is multiplied by in an index that is at least that multiple of it.
    fn factors(&mut self, index: &'a Expr) -> Option<Vec<&'a Expr>> {
        let index = self.value(index)?;
        match &index.kind {
            ExprKind::Gid(0) => Some(Vec::new()),
            ExprKind::Binary(BinaryOp::Add, a, b) => self.factors(a).or_else(|| self.factors(b)),
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let (of, by) = if self.is_uniform(b) { (a, b) } else { (b, a) };
                let mut factors = self.factors(of)?;
                let by = self.value(by)?;
                match by.kind {
                    ExprKind::Int(1) => {}
                    ExprKind::Int(0) => return None,
                    _ if self.is_uniform(by) => factors.push(by),
                    _ => return None,
                }
                Some(factors)
            }
            _ => None,
        }
    }

    /// Whether an expression is the same for all work-items.
    fn is_uniform(&mut self, e: &'a Expr) -> bool {
        let Some(e) = self.value(e) else { return false };
        let mut operands = e.operands().into_iter();
        match e.operands().is_empty() {
            true => Kernel::is_uniform(e),
            false => {
                !matches!(e.kind, ExprKind::Load(..)) && operands.all(|part| self.is_uniform(part))
            }
        }
    }

    /// An expression, or the value of the variable that it is.
    fn value(&mut self, mut e: &'a Expr) -> Option<&'a Expr> {
        while let ExprKind::Var(var) = e.kind
            && let Some(Some(value)) = self.values.get(&var)
        {
            e = value;
        }
        self.steps = self.steps.checked_sub(1)?;
        Some(e)
    }
}
