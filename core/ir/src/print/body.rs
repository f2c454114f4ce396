//! The statements of one work-item.

use super::expr::sum;
use super::places::mark;
use super::prelude::Prelude;
use super::{names, scope};
use crate::{Buffer, Expr, GroupOp, Kernel, MathFn, Param, Space, Stmt, Type, statements};
use std::fmt::Write;

/// What happens at an access outside of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checks {
    /// There is none.
    None,
    /// It does nothing, and reads 0.
    Silent,
    /// The same, and the fault cell records it.
    Recorded,
}

/// Where a statement is in the source, as far as it says.
fn site(stmt: &Stmt) -> Option<u32> {
    match stmt {
        Stmt::Store { site, .. } => Some(*site),
        _ => stmt.exprs().first().map(|e| e.site),
    }
}

/// Prints the statements of a kernel.
pub(super) struct Body<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) checks: Checks,
    pub(super) prelude: &'a mut Prelude,
    narrow: bool,
    hoisted: Vec<bool>,
    /// The site of the statement that is printed.
    site: Option<u32>,
    text: String,
}

impl<'a> Body<'a> {
    pub(super) fn new(
        kernel: &'a Kernel,
        checks: Checks,
        narrow: bool,
        prelude: &'a mut Prelude,
    ) -> Self {
        let hoisted = scope::hoisted(kernel);
        Self { kernel, checks, prelude, narrow, hoisted, site: None, text: String::new() }
    }

    /// The statements, and the `return` of a map, indented by `depth` levels.
    pub(super) fn text(mut self, depth: usize) -> String {
        let kernel = self.kernel;
        for (a, array) in kernel.arrays.iter().enumerate() {
            let name = names::buffer(kernel, Buffer::Array(a as u32));
            let count: u32 = array.dims.iter().product();
            let space = if array.space == Space::Shared { "shared " } else { "" };
            self.line(depth, &format!("{space}{} {name}[{count}];", self.ty(array.ty.in_array())));
        }
        self.scratch(depth);
        for (v, variable) in kernel.vars.iter().enumerate() {
            if self.hoisted[v] {
                let name = names::variable(kernel, v as u32);
                self.line(depth, &format!("{} {name} = 0;", self.ty(variable.ty)));
            }
        }
        self.block(&kernel.body, depth);
        if let Some(result) = &kernel.result {
            self.site = Some(result.site);
            let value = self.expr(result);
            self.line(depth, &format!("return {value};"));
        }
        self.text
    }

    /// The type that holds the values of `ty`.
    pub(super) fn ty(&self, ty: Type) -> Type {
        if self.narrow && ty == Type::Usize { Type::U32 } else { ty }
    }

    /// The shared arrays of reductions, one for each type.
    fn scratch(&mut self, depth: usize) {
        for ty in reduced(self.kernel) {
            let line = format!("shared {} k_all_{ty}[{}];", self.ty(ty), self.kernel.group_size());
            self.line(depth, &line);
        }
    }

    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{}{:2$}{line}", mark(self.site), "", 4 * depth);
    }

    fn block(&mut self, body: &[Stmt], depth: usize) {
        body.iter().for_each(|stmt| self.stmt(stmt, depth));
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize) {
        self.site = site(stmt).or(self.site);
        match stmt {
            Stmt::Let(v, e) | Stmt::Assign(v, e) => {
                let declared = matches!(stmt, Stmt::Let(..)) && !self.hoisted[*v as usize];
                let ty = if declared { format!("{} ", self.ty(e.ty)) } else { String::new() };
                let (name, value) = (names::variable(self.kernel, *v), self.expr(e));
                self.line(depth, &format!("{ty}{name} = {value};"));
            }
            Stmt::Store { buffer, indices, value, site } => {
                let line = self.store(*buffer, indices, value, *site);
                self.line(depth, &line);
            }
            Stmt::Fill(array, value) => self.fill(*array, value, depth),
            Stmt::Atomic(atomic) => {
                let line = self.atomic(atomic);
                self.line(depth, &line);
            }
            Stmt::If(c, a, b) => {
                let condition = self.expr(c);
                self.line(depth, &format!("if ({condition}) {{"));
                self.branch(a, depth + 1);
                if !b.is_empty() {
                    self.line(depth, "} else {");
                    self.branch(b, depth + 1);
                }
                self.line(depth, "}");
            }
            Stmt::For(v, a, b, body) => {
                let bounds = [self.expr(a), self.expr(b)];
                self.count(*v, self.ty(a.ty), bounds, "++", body, depth);
            }
            Stmt::ForGroup(v, n, body) => {
                let bounds = ["k_lane".to_owned(), self.expr(n)];
                let next = format!(" += {}u", self.kernel.group_size());
                self.count(*v, self.ty(n.ty), bounds, &next, body, depth);
            }
            Stmt::While(c, body) => {
                let condition = self.expr(c);
                self.line(depth, &format!("while ({condition}) {{"));
                self.block(body, depth + 1);
                self.line(depth, "}");
            }
            Stmt::Break => self.line(depth, "break;"),
            Stmt::Continue => self.line(depth, "continue;"),
            Stmt::Barrier(_) => self.line(depth, "meet;"),
            Stmt::GroupReduce { var, op, value, .. } => self.reduce(*var, *op, value, depth),
        }
    }

    /// A branch. The group leaves one with barriers together: PoCL 3.1 runs what follows the last barrier
    /// of a branch for all work-items as the first one does.
    fn branch(&mut self, body: &[Stmt], depth: usize) {
        self.block(body, depth);
        let meets = |stmt: &Stmt| matches!(stmt, Stmt::Barrier(_) | Stmt::GroupReduce { .. });
        if statements(body).any(meets) && !body.last().is_some_and(meets) {
            self.line(depth, "meet;");
        }
    }

    /// A counting loop: the bounds are evaluated once, and an assignment to the variable changes
    /// neither the count nor its next value.
    fn count(
        &mut self,
        v: u32,
        ty: Type,
        [start, end]: [String; 2],
        next: &str,
        body: &[Stmt],
        depth: usize,
    ) {
        let name = names::variable(self.kernel, v);
        let simple = !self.hoisted[v as usize] && !scope::assigns(body, v);
        let at = if simple { name.clone() } else { format!("k_at{v}") };
        self.line(
            depth,
            &format!("for ({ty} {at} = {start}, k_end{v} = {end}; {at} < k_end{v}; {at}{next}) {{"),
        );
        if !simple {
            let ty = if self.hoisted[v as usize] { String::new() } else { format!("{ty} ") };
            self.line(depth + 1, &format!("{ty}{name} = {at};"));
        }
        self.block(body, depth + 1);
        self.line(depth, "}");
    }

    fn fill(&mut self, array: u32, value: &Expr, depth: usize) {
        let name = names::buffer(self.kernel, Buffer::Array(array));
        let count: u32 = self.kernel.arrays[array as usize].dims.iter().product();
        let (ty, value) = (self.ty(value.ty), self.expr(value));
        self.line(depth, "{");
        self.line(depth + 1, &format!("{ty} k_value = {value};"));
        self.line(
            depth + 1,
            &format!("for (u32 k_i = 0u; k_i < {count}u; k_i++) {name}[k_i] = k_value;"),
        );
        self.line(depth, "}");
    }

    /// Combines by the halving tree.
    fn reduce(&mut self, var: u32, op: GroupOp, value: &Expr, depth: usize) {
        let ty = self.ty(value.ty);
        let all = format!("k_all_{}", value.ty);
        let (name, value) = (names::variable(self.kernel, var), self.expr(value));
        let pair = [format!("{all}[k_lane]"), format!("{all}[k_lane + k_half]")];
        let both = self.combine(op, ty, pair);
        let half = self.kernel.group_size() / 2;
        for line in [format!("{all}[k_lane] = {value};"), "meet;".to_owned()] {
            self.line(depth, &line);
        }
        self.line(depth, &format!("for (u32 k_half = {half}u; k_half > 0u; k_half >>= 1) {{"));
        self.line(depth + 1, &format!("if (k_lane < k_half) {all}[k_lane] = {both};"));
        self.line(depth + 1, "meet;");
        for line in ["}".to_owned(), format!("{name} = {all}[0];"), "meet;".to_owned()] {
            self.line(depth, &line);
        }
    }

    fn combine(&mut self, op: GroupOp, ty: Type, [a, b]: [String; 2]) -> String {
        let (narrow, ty) = (ty, ty.computed());
        match op {
            GroupOp::Sum => {
                let sum = sum(ty, &a, &b);
                self.rounded(narrow, sum)
            }
            GroupOp::Min => format!("{}({a}, {b})", self.prelude.name(MathFn::Min.name(), ty)),
            GroupOp::Max => format!("{}({a}, {b})", self.prelude.name(MathFn::Max.name(), ty)),
            GroupOp::Function(function) => format!("{}({a}, {b})", self.function(function)),
        }
    }

    /// The name of a function of the kernel, which the text gets if it lacks it.
    pub(super) fn function(&mut self, index: u32) -> String {
        let function = &self.kernel.functions[index as usize];
        match &function.body {
            Some(body) => self.prelude.function(&function.name, body),
            None => panic!("the function `{}` was not found", function.name),
        }
    }
}

/// The bytes of memory that the work-items of a group share: the shared arrays of a kernel, and one
/// array for the reductions of each type.
pub fn group_memory(kernel: &Kernel) -> usize {
    let shared = kernel.arrays.iter().filter(|a| a.space == Space::Shared);
    let arrays = shared.map(|array| array.bytes() as usize);
    let reduced = reduced(kernel).into_iter().map(|ty| ty.computed().size() * kernel.group_size());
    arrays.chain(reduced).sum()
}

/// The types of which values are combined, each once.
fn reduced(kernel: &Kernel) -> Vec<Type> {
    let mut types = Vec::new();
    for stmt in statements(&kernel.body) {
        if let Stmt::GroupReduce { value, .. } = stmt
            && !types.contains(&value.ty)
        {
            types.push(value.ty);
        }
    }
    types
}

/// The text of a function that a kernel calls.
pub(super) fn function_text(kernel: &Kernel, name: &str, prelude: &mut Prelude) -> String {
    let param = |(i, p): (usize, &Param)| format!("{} {}", p.kind.ty(), names::param(kernel, i));
    let params: Vec<_> = kernel.params.iter().enumerate().map(param).collect();
    let result = kernel.result.as_ref().map_or(Type::F32, |e| e.ty);
    let body = Body::new(kernel, Checks::Silent, false, prelude).text(1);
    format!("fn {result} {name}({}) {{\n{body}}}\n", params.join(", "))
}
