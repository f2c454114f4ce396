//! A kernel as a whole: domain, body, result, and the rules about all of them.

use super::Lower;
use super::leave::leaves;
use crate::kernel::model::{Form, Param, Passing};
use crate::text::text;
use quote::ToTokens;
use ringwood_ir::prove::{LaunchFacts, prove};
use ringwood_ir::{
    BinaryOp, Buffer, Expr, ExprKind, Kernel, Space, Stmt, Type, Variable, statements, unique,
};

/// The most bytes of the shared arrays of a kernel: what every OpenCL device has.
const SHARED_BYTES: u64 = 32 << 10;
/// The most bytes of the arrays of a work-item: a device keeps those of many work-items at a time, some on
/// the stack of a thread.
const OWN_BYTES: u64 = 16 << 10;

impl Lower<'_> {
    pub(super) fn kernel(&mut self) -> (Kernel, Vec<Expr>) {
        let model = self.model;
        let stmts = &model.item.block.stmts;
        // The options see the constants of the body.
        self.scopes.push(Vec::new());
        self.declare_constants(stmts);
        let mut domain: Vec<_> =
            model.options.domain.iter().map(|extent| self.extent(extent)).collect();
        let mut requires: Vec<_> =
            model.options.requires.iter().map(|e| self.requirement(e)).collect();
        if model.options.rows {
            self.rows_of_groups(&mut domain, &mut requires);
        }
        let group = self.group_size();
        let (mut body, mut result) = match model.options.form {
            Form::Map | Form::Reduce | Form::Function => self.map_body(stmts),
            _ => (self.sequence(stmts, false), None),
        };
        body = self.with_left(body);
        if !model.options.form.is_scalar() {
            self.rank =
                self.rank.max(1).max(domain.len() as u8).max(model.options.group.len() as u8);
        }
        let mut identity = model.options.identity.as_ref().map(|e| self.start(e));
        self.scopes.pop();
        self.settle();
        self.apply(&mut body);
        domain
            .iter_mut()
            .chain(&mut requires)
            .chain(&mut result)
            .chain(&mut identity)
            .for_each(|e| self.apply_expr(e));
        self.identity = identity;
        let mut ir = Kernel {
            name: model.variant_name(&self.values),
            rank: self.rank,
            group,
            modes: model.options.modes,
            params: self.ir_params(),
            arrays: self.ir_arrays(),
            vars: self.ir_vars(),
            functions: self.ir_functions(),
            requires,
            body,
            result,
        };
        if self.errors.is_empty() {
            self.check(&mut ir, &domain);
        }
        (ir, domain)
    }

    /// A row kernel has a group for each row of what it writes first; other rows are as many.
    fn rows_of_groups(&mut self, domain: &mut Vec<Expr>, requires: &mut Vec<Expr>) {
        let params = self.params.iter().enumerate();
        let rows: Vec<_> = params.filter(|(_, p)| p.passing.is_row()).collect();
        let Some(&first) = rows.iter().find(|(_, p)| p.passing.is_written()) else { return };
        let count = self.row_count(first);
        domain.push(count);
        for other in rows.into_iter().filter(|(i, _)| *i != first.0) {
            let (a, b) = (self.row_count(other), self.row_count(first));
            let ty = self.known(Type::Bool);
            let same = ExprKind::Binary(BinaryOp::Eq, Box::new(a), Box::new(b));
            requires.push(self.node(&other.1.ident, ty, same));
        }
    }

    fn row_count(&mut self, (index, param): (usize, &Param)) -> Expr {
        let ty = self.known(Type::Usize);
        self.node(&param.ident, ty, ExprKind::Dim(Buffer::Param(index as u32), 0))
    }

    /// The rules about a whole kernel.
    fn check(&mut self, ir: &mut Kernel, domain: &[Expr]) {
        self.check_memory(ir);
        if self.model.options.form.is_scalar() {
            self.check_arrays(ir);
        } else {
            if !domain.is_empty() && domain.len() < usize::from(ir.rank) {
                let rank = ir.rank;
                let declare = match self.model.options.form {
                    Form::Group if self.model.options.rows => {
                        "a row kernel has the groups `grp(0)`"
                    }
                    Form::Group => "declare as many, slowest first: `groups = (rows, columns)`",
                    _ => "declare as many extents, slowest first: `domain = (rows, columns)`",
                };
                let at =
                    self.model.options.domain.first().map_or_else(
                        || self.model.name().to_token_stream(),
                        ToTokens::to_token_stream,
                    );
                self.error(at, format!("the body uses {rank} dimensions")).help(declare);
                return;
            }
            self.diverging(ir);
            if self.model.has_body && !writes(&ir.body) {
                self.error(self.model.name(), "this kernel writes nothing")
                    .help("it needs a parameter `&mut [T]` that it stores to");
            }
            // Of the stores of a `racy` kernel, one of several values stays.
            if !ir.modes.racy {
                match requirements(ir, domain) {
                    Ok(requires) => ir.requires.extend(requires),
                    Err(conflicts) => self.report(conflicts),
                }
            }
            self.check_grid(ir, domain);
        }
        if self.errors.is_empty() {
            let text = ringwood_ir::encode(ir);
            if let Err(error) = ringwood_ir::decode(&text) {
                self.error(self.model.name(), format!("this kernel cannot be encoded: {error}"))
                    .help("split deeply nested expressions with `let`");
            }
        }
    }

    /// Refuses accesses to arrays of a function that some arguments put outside: a function has no way
    /// to tell of them.
    fn check_arrays(&mut self, ir: &Kernel) {
        let mut calls = Vec::new();
        ir.walk(&mut |e| {
            if matches!(e.kind, ExprKind::Call(..)) {
                calls.push(e.site);
            }
        });
        let proof = prove(ir, &LaunchFacts { domain: &[], args: &[] });
        let form = self.model.options.form.article();
        // A function that is called was looked at where it is declared.
        for site in proof.failing.into_iter().filter(|site| !calls.contains(site)) {
            let place = self.sites[site as usize].tokens.clone();
            let what = format!("`{}` may be outside of the array", text(&place));
            self.error(place, what)
                .note(format!("{form} has indices that are in bounds for all its arguments"))
                .help("limit the index: `a[i.min(7)]`, `a[i % 8]` or `if i < 8 { a[i] … }`");
        }
    }

    /// Refuses operations of the group that not every work-item reaches.
    fn diverging(&mut self, ir: &Kernel) {
        for divergence in ringwood_ir::Uniformity::of(ir).divergences() {
            let operation = self.sites[divergence.operation as usize].tokens.clone();
            let value = self.sites[divergence.value as usize].tokens.clone();
            let written = text(&operation);
            let name = match written.contains('(') {
                true => format!("`{written}`"),
                false => format!("a loop over `group_range({written})`"),
            };
            self.error(
                &operation,
                format!(
                    "{name} in control flow that can differ between the work-items of a group: \
                     some would wait forever"
                ),
            )
            .help(
                "move it out of this branch or loop, or decide by what is the same for the group",
            );
            let note = format!(
                "note: `{}` is not the same for all of them, and the branch or loop depends on it",
                text(&value)
            );
            self.error(value, note);
        }
    }

    /// Refuses arrays for which not every device has the memory.
    fn check_memory(&mut self, ir: &Kernel) {
        for (space, arrays, owner, most) in [
            (Space::Shared, "shared arrays", "group", SHARED_BYTES),
            (Space::Local, "arrays of a work-item", "work-item", OWN_BYTES),
        ] {
            let of_space = ir.arrays.iter().filter(|array| array.space == space);
            let total = of_space.map(ringwood_ir::Array::bytes).fold(0, u64::saturating_add);
            if total > most {
                let what = format!("the {arrays} of this kernel take {total} bytes");
                self.error(self.model.name(), what)
                    .help(format!("a {owner} has {most} bytes on every device: make them smaller"));
            }
        }
    }

    pub(super) fn report(&mut self, conflicts: Vec<unique::Conflict>) {
        for conflict in conflicts {
            let tokens = self.sites[conflict.site as usize].tokens.clone();
            let term = conflict.term.map(|site| &self.sites[site as usize].tokens);
            let note = match term.map(text) {
                Some(term) => format!("`{term}` {}", conflict.note),
                None => conflict.note,
            };
            let cast = term.is_some_and(|term| text(term).ends_with("as usize"));
            let error =
                self.error(&tokens, format!("`{}` {}", text(&tokens), conflict.what)).note(note);
            if cast {
                error.note(
                    "a position of the work-item is followed as a `usize` only: keep `gid(0)` one in \
                     the index, and cast it where its value is computed with",
                );
            }
            error.help(conflict.help);
        }
    }

    fn map_body(&mut self, stmts: &[syn::Stmt]) -> (Vec<Stmt>, Option<Expr>) {
        if stmts.iter().any(leaves) {
            return self.leaving_body(stmts);
        }
        let Some((syn::Stmt::Expr(last, None), rest)) = stmts.split_last() else {
            self.no_result("end with an expression, without `;`");
            return (self.block(stmts), None);
        };
        let mut body: Vec<_> = rest.iter().flat_map(|stmt| self.stmt(stmt)).collect();
        let result = self.expr(last);
        body.append(&mut self.before);
        if let Some(ty) = self.model.result {
            let expected = self.known(ty.of(self.element));
            self.expect(&result, expected, "the result");
        }
        (body, Some(result))
    }

    /// Reports a body that must have a result, and has none.
    pub(super) fn no_result(&mut self, help: &str) {
        let form = self.model.options.form.article();
        self.error(self.model.name(), format!("the body of {form} ends in its result")).help(help);
    }

    /// One condition of `requires(…)`.
    fn requirement(&mut self, e: &syn::Expr) -> Expr {
        let condition = self.condition(e);
        if !Kernel::is_uniform(&condition) {
            self.error(e, "a requirement is about parameters, lengths and extents only")
                .help("use scalar parameters and `.len()`");
        }
        condition
    }

    /// One extent of `domain = …`.
    fn extent(&mut self, extent: &syn::Expr) -> Expr {
        let e = self.expr(extent);
        let index = self.known(Type::Usize);
        self.expect(&e, index, "an extent of the domain");
        if !Kernel::is_uniform(&e) {
            self.error(extent, "the domain is computed from parameters and lengths only")
                .help("use scalar parameters and `.len()`");
        }
        e
    }

    fn ir_params(&self) -> Vec<ringwood_ir::Param> {
        let kind = |p: &Param| {
            let ty = p.ty.of(self.element);
            match p.passing {
                Passing::Value => ringwood_ir::ParamKind::Scalar(ty),
                Passing::Slice { mutable } => ringwood_ir::ParamKind::Slice { ty, mutable },
                Passing::View { rank, mutable, .. } => {
                    ringwood_ir::ParamKind::View { ty, rank, mutable }
                }
            }
        };
        let name = |p: &Param| p.ident.to_string().trim_start_matches("r#").to_string();
        self.params.iter().map(|p| ringwood_ir::Param { name: name(p), kind: kind(p) }).collect()
    }

    fn ir_arrays(&self) -> Vec<ringwood_ir::Array> {
        let array = |a: &super::Array| ringwood_ir::Array {
            name: a.name.trim_start_matches("r#").to_string(),
            ty: self.types.resolved(a.ty),
            dims: a.dims.clone(),
            space: a.space,
        };
        self.arrays.iter().map(array).collect()
    }

    fn ir_vars(&self) -> Vec<Variable> {
        let var = |v: &super::Var| Variable { name: v.name.clone(), ty: self.types.resolved(v.ty) };
        self.vars.iter().map(var).collect()
    }
}

/// What it rests on that no two work-items meet. The kernel stays `unique`, and rests on nothing, only if
/// the proof needs that.
fn requirements(ir: &mut Kernel, domain: &[Expr]) -> Result<Vec<Expr>, Vec<unique::Conflict>> {
    let asserted = std::mem::take(&mut ir.modes.unique);
    let proved = unique::requirements(ir, domain);
    if !asserted || proved.as_ref().is_ok_and(Vec::is_empty) {
        return proved;
    }
    ir.modes.unique = true;
    unique::requirements(ir, domain)
}

/// Whether a list of statements changes an argument.
fn writes(body: &[Stmt]) -> bool {
    let param = |buffer: Buffer| matches!(buffer, Buffer::Param(_));
    statements(body).any(|stmt| match stmt {
        Stmt::Store { buffer, .. } => param(*buffer),
        Stmt::Atomic(atomic) => param(atomic.buffer),
        _ => false,
    })
}
