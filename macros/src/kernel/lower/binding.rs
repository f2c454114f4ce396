//! `let`.

use super::loops::bare;
use super::{Local, Lower};
use crate::kernel::infer::Known;
use ringwood_ir::Stmt;

impl Lower<'_> {
    pub(super) fn local(&mut self, local: &syn::Local) -> Vec<Stmt> {
        let (pat, annotated) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        if let (syn::Pat::Tuple(names), Some(init)) = (pat, &local.init)
            && let syn::Expr::Tuple(values) = bare(&init.expr)
            && names.elems.len() == values.elems.len()
            && (annotated.is_none() && init.diverge.is_none())
        {
            return self.tuple(names, values);
        }
        let syn::Pat::Ident(name) = pat else {
            self.refuse_pattern(pat);
            return Vec::new();
        };
        let Some(init) = &local.init else {
            self.error(local, format!("`{}` has no first value", name.ident))
                .help("give it one: `let mut … = 0.0;`");
            self.bind_wrong(pat);
            return Vec::new();
        };
        if let Some((_, diverge)) = &init.diverge {
            self.error(diverge, "a kernel has no `let … else`").help("use `if`");
        }
        if let Some(stmts) = self.local_array(name, annotated, &init.expr) {
            return stmts;
        }
        let value = self.assigned(&init.expr);
        if let Some(ty) = annotated
            && let Some(expected) = self.scalar_type(ty)
        {
            self.expect(&value, expected, &format!("`{}`", name.ident));
        }
        let ty = self.ty(&value);
        let var = self.declare(name.ident.to_string(), ty, name.mutability.is_some());
        self.bind(&name.ident, Local::Var(var));
        vec![Stmt::Let(var, value)]
    }

    /// `let (a, b) = (x, y);`: the values are computed in order, and no name stands for its value before
    /// all of them are.
    fn tuple(&mut self, names: &syn::PatTuple, values: &syn::ExprTuple) -> Vec<Stmt> {
        let mut bound = Vec::new();
        let mut stmts = Vec::new();
        for (pat, value) in names.elems.iter().zip(&values.elems) {
            let syn::Pat::Ident(name) = pat else {
                self.refuse_pattern(pat);
                continue;
            };
            let value = self.assigned(value);
            let ty = self.ty(&value);
            let var = self.declare(name.ident.to_string(), ty, name.mutability.is_some());
            bound.push((&name.ident, var));
            stmts.append(&mut self.before);
            stmts.push(Stmt::Let(var, value));
        }
        for (name, var) in bound {
            self.bind(name, Local::Var(var));
        }
        stmts
    }

    fn refuse_pattern(&mut self, pat: &syn::Pat) {
        self.error(pat, "a kernel binds plain names in a `let`")
            .help("write `let name = …;`, or `let (a, b) = (…, …);`");
        self.bind_wrong(pat);
    }

    /// Binds the names of a pattern that is refused, so that their uses are not refused, too.
    fn bind_wrong(&mut self, pat: &syn::Pat) {
        match pat {
            syn::Pat::Ident(name) => {
                let ty = self.types.new_var(Known::Wrong);
                let var = self.declare(name.ident.to_string(), ty, true);
                self.bind(&name.ident, Local::Var(var));
            }
            syn::Pat::Tuple(names) => names.elems.iter().for_each(|pat| self.bind_wrong(pat)),
            syn::Pat::Slice(names) => names.elems.iter().for_each(|pat| self.bind_wrong(pat)),
            _ => {}
        }
    }
}
