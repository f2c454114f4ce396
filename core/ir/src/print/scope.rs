//! Which variables can be declared where they get their first value.

use crate::{Expr, ExprKind, Kernel, Stmt, statements};

/// For each variable, whether its declaration must precede the statements: it is used outside of
/// the block that its only `let` is in, or has several of them, or none.
pub(super) fn hoisted(kernel: &Kernel) -> Vec<bool> {
    let count = kernel.vars.len();
    let mut scope = Scope {
        open: vec![false; count],
        declared: vec![false; count],
        hoisted: vec![false; count],
    };
    scope.block(&kernel.body, kernel.result.as_ref());
    scope.hoisted
}

/// Whether a statement of the list, or one below it, gives the variable another value.
pub(super) fn assigns(body: &[Stmt], variable: u32) -> bool {
    statements(body).any(|stmt| stmt.target() == Some(variable))
}

struct Scope {
    /// Whether the variable is declared in a block that is open.
    open: Vec<bool>,
    declared: Vec<bool>,
    hoisted: Vec<bool>,
}

impl Scope {
    fn block(&mut self, body: &[Stmt], last: Option<&Expr>) {
        let mut here = Vec::new();
        for stmt in body {
            stmt.exprs().into_iter().for_each(|e| self.uses(e));
            match stmt {
                Stmt::Let(v, _) => here.extend(self.declare(*v)),
                Stmt::Assign(v, _) => self.touch(*v),
                Stmt::Atomic(_) | Stmt::GroupReduce { .. } => {
                    stmt.target().into_iter().for_each(|v| self.touch(v));
                }
                Stmt::For(v, .., body) | Stmt::ForGroup(v, _, body) => {
                    let variable = self.declare(*v);
                    self.block(body, None);
                    variable.into_iter().for_each(|v| self.open[v] = false);
                }
                _ => stmt.bodies().into_iter().for_each(|body| self.block(body, None)),
            }
        }
        last.into_iter().for_each(|e| self.uses(e));
        here.into_iter().for_each(|v| self.open[v] = false);
    }

    fn declare(&mut self, variable: u32) -> Option<usize> {
        let v = variable as usize;
        self.hoisted[v] |= self.declared[v];
        (self.declared[v], self.open[v]) = (true, true);
        Some(v)
    }

    fn touch(&mut self, variable: u32) {
        self.hoisted[variable as usize] |= !self.open[variable as usize];
    }

    fn uses(&mut self, e: &Expr) {
        e.walk(&mut |e| {
            if let ExprKind::Var(v) = e.kind {
                self.touch(v);
            }
        });
    }
}
