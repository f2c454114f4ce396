//! Kernel to text.

use super::VERSION;
use crate::{Buffer, Expr, ExprKind, Kernel, ParamKind, Stmt};
use std::fmt::Write;

/// The text of a kernel; [`decode`](crate::decode) inverts it.
pub fn encode(kernel: &Kernel) -> String {
    let mut text = Text(String::from(VERSION));
    text.word(&kernel.name).word(kernel.rank).word(kernel.params.len());
    for param in &kernel.params {
        let (kind, ty) = match param.kind {
            ParamKind::Scalar(ty) => ("s", ty),
            ParamKind::Slice { ty, mutable: false } => ("c", ty),
            ParamKind::Slice { ty, mutable: true } => ("m", ty),
        };
        text.word(&param.name).word(kind).word(ty);
    }
    text.word(kernel.vars.len());
    for var in &kernel.vars {
        text.word(&var.name).word(var.ty);
    }
    text.word(kernel.requires.len());
    kernel.requires.iter().for_each(|e| text.expr(e));
    text.block(&kernel.body);
    match &kernel.result {
        Some(result) => text.expr(result),
        None => {
            text.word("void");
        }
    }
    text.0
}

struct Text(String);

impl Text {
    fn word(&mut self, word: impl std::fmt::Display) -> &mut Self {
        let _ = write!(self.0, " {word}");
        self
    }

    fn block(&mut self, body: &[Stmt]) {
        self.word(body.len());
        body.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(v, e) => self.word("let").word(v).expr(e),
            Stmt::Assign(v, e) => self.word("set").word(v).expr(e),
            Stmt::Store { buffer, index, value, site } => {
                self.word("st").buffer(*buffer).word(site).expr(index);
                self.expr(value);
            }
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
            Stmt::While(c, body) => {
                self.word("while").expr(c);
                self.block(body);
            }
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Float(bits) => self.head("f", e).word(format_args!("{bits:x}")),
            ExprKind::Int(value) => self.head("i", e).word(value),
            ExprKind::Bool(value) => self.head("b", e).word(u8::from(*value)),
            ExprKind::Var(v) => self.head("v", e).word(v),
            ExprKind::Param(p) => self.head("p", e).word(p),
            ExprKind::Len(buffer) => self.head("len", e).buffer(*buffer),
            ExprKind::Load(buffer, _) => self.head("ld", e).buffer(*buffer),
            ExprKind::Binary(op, ..) => self.head(op.symbol(), e),
            ExprKind::Neg(_) => self.head("neg", e),
            ExprKind::Not(_) => self.head("!", e),
            ExprKind::Cast(_) => self.head("as", e),
            ExprKind::Math(f, _) => self.head(f.name(), e),
            ExprKind::Select(..) => self.head("sel", e),
            ExprKind::Gid(d) => self.head("gid", e).word(d),
            ExprKind::Extent(d) => self.head("ext", e).word(d),
        };
        e.operands().into_iter().for_each(|o| self.expr(o));
    }

    fn head(&mut self, operation: &str, e: &Expr) -> &mut Self {
        self.word(operation).word(format_args!("{}:{}", e.ty, e.site))
    }

    fn buffer(&mut self, buffer: Buffer) -> &mut Self {
        match buffer {
            Buffer::Param(index) => self.word(format_args!("p{index}")),
        }
    }
}
