//! The statements of one work-item.

use super::prelude::Prelude;
use super::{names, scope};
use crate::{Kernel, Stmt};
use std::fmt::Write;

/// Prints the statements of a kernel.
pub(super) struct Body<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) checked: bool,
    pub(super) prelude: &'a mut Prelude,
    hoisted: Vec<bool>,
    text: String,
}

impl<'a> Body<'a> {
    pub(super) fn new(kernel: &'a Kernel, checked: bool, prelude: &'a mut Prelude) -> Self {
        Self { kernel, checked, prelude, hoisted: scope::hoisted(kernel), text: String::new() }
    }

    /// The statements, and the `return` of a map, indented by `depth` levels.
    pub(super) fn text(mut self, depth: usize) -> String {
        let kernel = self.kernel;
        for (v, variable) in kernel.vars.iter().enumerate() {
            if self.hoisted[v] {
                let line = format!("{} {} = 0;", variable.ty, names::variable(kernel, v as u32));
                self.line(depth, &line);
            }
        }
        self.block(&kernel.body, depth);
        if let Some(result) = &kernel.result {
            let value = self.expr(result);
            self.line(depth, &format!("return {value};"));
        }
        self.text
    }

    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 4 * depth);
    }

    fn block(&mut self, body: &[Stmt], depth: usize) {
        body.iter().for_each(|stmt| self.stmt(stmt, depth));
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize) {
        match stmt {
            Stmt::Let(v, e) | Stmt::Assign(v, e) => {
                let declared = matches!(stmt, Stmt::Let(..)) && !self.hoisted[*v as usize];
                let ty = if declared { format!("{} ", e.ty) } else { String::new() };
                let (name, value) = (names::variable(self.kernel, *v), self.expr(e));
                self.line(depth, &format!("{ty}{name} = {value};"));
            }
            Stmt::Store { buffer, indices, value, site } => {
                let line = self.store(*buffer, &indices[0], value, *site);
                self.line(depth, &line);
            }
            Stmt::If(c, a, b) => {
                let condition = self.expr(c);
                self.line(depth, &format!("if ({condition}) {{"));
                self.block(a, depth + 1);
                if !b.is_empty() {
                    self.line(depth, "} else {");
                    self.block(b, depth + 1);
                }
                self.line(depth, "}");
            }
            Stmt::For(v, a, b, body) => self.count(*v, [a, b], body, depth),
            Stmt::While(c, body) => {
                let condition = self.expr(c);
                self.line(depth, &format!("while ({condition}) {{"));
                self.block(body, depth + 1);
                self.line(depth, "}");
            }
            other => panic!("cannot print {other:?}"),
        }
    }

    /// A counting loop: the bounds are evaluated once, and an assignment to the variable changes
    /// neither the count nor its next value.
    fn count(&mut self, v: u32, [a, b]: [&crate::Expr; 2], body: &[Stmt], depth: usize) {
        let (start, end) = (self.expr(a), self.expr(b));
        let (name, ty) = (names::variable(self.kernel, v), a.ty);
        let simple = !self.hoisted[v as usize] && !scope::assigns(body, v);
        let at = if simple { name.clone() } else { format!("k_at{v}") };
        self.line(
            depth,
            &format!("for ({ty} {at} = {start}, k_end{v} = {end}; {at} < k_end{v}; {at}++) {{"),
        );
        if !simple {
            let ty = if self.hoisted[v as usize] { String::new() } else { format!("{ty} ") };
            self.line(depth + 1, &format!("{ty}{name} = {at};"));
        }
        self.block(body, depth + 1);
        self.line(depth, "}");
    }
}
