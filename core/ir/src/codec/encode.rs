//! Kernel to text.

use super::VERSION;
use crate::{
    Atomic, Buffer, Expr, ExprKind, Function, GroupOp, Kernel, Modes, Param, ParamKind, Space, Stmt,
};
use std::fmt::Write;

/// The text of a kernel; [`decode`](crate::decode) inverts it.
pub fn encode(kernel: &Kernel) -> String {
    let mut text = Text(String::from(VERSION));
    text.kernel(kernel);
    text.0
}

struct Text(String);

impl Text {
    fn word(&mut self, word: impl std::fmt::Display) -> &mut Self {
        let _ = write!(self.0, " {word}");
        self
    }

    fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) -> &mut Self {
        self.word(items.len());
        items.iter().for_each(|i| item(self, i));
        self
    }

    fn kernel(&mut self, kernel: &Kernel) {
        self.word(&kernel.name).word(kernel.rank).modes(kernel.modes);
        self.list(kernel.group.as_ref().map_or(&[][..], |size| size), |text, n| {
            text.word(n);
        });
        self.list(&kernel.params, Self::param);
        self.list(&kernel.arrays, |text, array| {
            let space = if array.space == Space::Local { "l" } else { "g" };
            text.word(&array.name).word(space).word(array.ty);
            text.list(&array.dims, |text, extent| {
                text.word(extent);
            });
        });
        self.list(&kernel.vars, |text, var| {
            text.word(&var.name).word(var.ty);
        });
        self.list(&kernel.functions, Self::function);
        self.list(&kernel.requires, Self::expr);
        self.block(&kernel.body);
        match &kernel.result {
            Some(result) => self.expr(result),
            None => {
                self.word("void");
            }
        }
    }

    fn modes(&mut self, modes: Modes) {
        let flags = [
            (modes.relaxed, 'f'),
            (modes.racy, 'r'),
            (modes.unique, 'u'),
            (modes.nondeterministic, 'n'),
        ];
        let letters: String = flags.iter().filter(|(on, _)| *on).map(|(_, c)| *c).collect();
        self.word(if letters.is_empty() { "-" } else { &letters });
    }

    fn param(&mut self, param: &Param) {
        self.word(&param.name);
        match param.kind {
            ParamKind::Scalar(ty) => self.word("s").word(ty),
            ParamKind::Slice { ty, mutable } => self.word(if mutable { "m" } else { "c" }).word(ty),
            ParamKind::View { ty, rank, mutable } => {
                self.word(if mutable { "vm" } else { "vc" }).word(ty).word(rank)
            }
        };
    }

    fn function(&mut self, function: &Function) {
        self.word(&function.name);
        self.list(&function.params, |text, ty| {
            text.word(ty);
        });
        self.word(function.result);
        match &function.body {
            None => {
                self.word("-");
            }
            Some(body) => self.word("+").kernel(body),
        }
    }

    fn block(&mut self, body: &[Stmt]) {
        self.list(body, Self::stmt);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(v, e) => self.word("let").word(v).expr(e),
            Stmt::Assign(v, e) => self.word("set").word(v).expr(e),
            Stmt::Store { buffer, indices, value, site } => {
                self.word("st").buffer(*buffer).word(site).list(indices, Self::expr).expr(value);
            }
            Stmt::Fill(array, value) => self.word("fill").word(array).expr(value),
            Stmt::Atomic(atomic) => self.atomic(atomic),
            Stmt::If(c, a, b) => {
                self.word("if").expr(c);
                self.block(a);
                self.block(b);
            }
            Stmt::For(v, a, b, body) => {
                self.word("for").word(v).expr(a);
                self.expr(b);
                self.block(body);
            }
            Stmt::ForGroup(v, n, body) => {
                self.word("share").word(v).expr(n);
                self.block(body);
            }
            Stmt::While(c, body) => {
                self.word("while").expr(c);
                self.block(body);
            }
            Stmt::Break => {
                self.word("break");
            }
            Stmt::Continue => {
                self.word("continue");
            }
            Stmt::Barrier(site) => {
                self.word("barrier").word(site);
            }
            Stmt::GroupReduce { var, op, value, site } => {
                match op {
                    GroupOp::Sum => self.word("sum"),
                    GroupOp::Min => self.word("least"),
                    GroupOp::Max => self.word("most"),
                    GroupOp::Function(f) => self.word("combine").word(f),
                };
                self.word(var).word(site).expr(value);
            }
        }
    }

    fn atomic(&mut self, atomic: &Atomic) {
        let Atomic { op, buffer, indices, values, old, site } = atomic;
        self.word("atomic").word(op.name()).buffer(*buffer).word(site).list(indices, Self::expr);
        values.iter().for_each(|value| self.expr(value));
        match old {
            Some(var) => self.word("into").word(var),
            None => self.word("drop"),
        };
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Float(bits) => self.head("f", e).word(format_args!("{bits:x}")),
            ExprKind::Int(value) => self.head("i", e).word(value),
            ExprKind::Bool(value) => self.head("b", e).word(u8::from(*value)),
            ExprKind::Var(v) => self.head("v", e).word(v),
            ExprKind::Param(p) => self.head("p", e).word(p),
            ExprKind::Len(buffer) => self.head("len", e).buffer(*buffer),
            ExprKind::Dim(buffer, d) => self.head("dim", e).buffer(*buffer).word(d),
            ExprKind::Load(buffer, indices) => {
                self.head("ld", e).buffer(*buffer).word(indices.len())
            }
            ExprKind::Binary(op, ..) => self.head(op.symbol(), e),
            ExprKind::Neg(_) => self.head("neg", e),
            ExprKind::Not(_) => self.head("!", e),
            ExprKind::Cast(_) => self.head("as", e),
            ExprKind::Math(f, _) => self.head(f.name(), e),
            ExprKind::Select(..) => self.head("sel", e),
            ExprKind::Gid(d) => self.head("gid", e).word(d),
            ExprKind::Extent(d) => self.head("ext", e).word(d),
            ExprKind::Lid(d) => self.head("lid", e).word(d),
            ExprKind::Group(d) => self.head("grp", e).word(d),
            ExprKind::Call(f, args) => self.head("call", e).word(f).word(args.len()),
        };
        e.operands().into_iter().for_each(|o| self.expr(o));
    }

    fn head(&mut self, operation: &str, e: &Expr) -> &mut Self {
        self.word(operation).word(format_args!("{}:{}", e.ty, e.site))
    }

    fn buffer(&mut self, buffer: Buffer) -> &mut Self {
        match buffer {
            Buffer::Param(index) => self.word(format_args!("p{index}")),
            Buffer::Array(index) => self.word(format_args!("a{index}")),
        }
    }
}
