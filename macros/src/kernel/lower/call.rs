//! Calls: `gid`, lengths and math methods.

use super::{Lower, Rule};
use crate::kernel::infer::Known;
use crate::kernel::model::Form;
use crate::kernel::signature::text;
use quote::ToTokens;
use ringwood_ir::{BinaryOp, Buffer, Expr, ExprKind, MathFn, Type};

impl Lower<'_> {
    pub(super) fn method(&mut self, call: &syn::ExprMethodCall) -> Expr {
        let name = call.method.to_string();
        if name == "len" {
            return self.len(call);
        }
        let receiver = self.expr(&call.receiver);
        let ty = self.ty(&receiver);
        let mut args = vec![receiver];
        args.extend(call.args.iter().map(|arg| self.expr(arg)));
        if let Some(op) = wrapping(&name) {
            if !self.arity(call, 2, args.len()) {
                return self.wrong();
            }
            let (right, left) = (args.pop(), args.pop());
            let (Some(left), Some(right)) = (left, right) else { return self.wrong() };
            self.rules.push((left.site, ty, Rule::Integer("the receiver of a wrapping operation")));
            return self.binary(&syn::Expr::MethodCall(call.clone()), op, left, right);
        }
        let Some(function) = MathFn::parse(&name) else {
            self.unknown_method(call);
            return self.wrong();
        };
        if !self.arity(call, function.arity(), args.len()) {
            return self.wrong();
        }
        for arg in &args[1..] {
            self.expect(arg, ty, &format!("the argument of `{name}`"));
        }
        let node = self.node(call, ty, ExprKind::Math(function, args));
        let at = call.method.to_token_stream();
        self.rules.push((node.site, ty, Rule::Function(function, at)));
        node
    }

    fn arity(&mut self, call: &syn::ExprMethodCall, wants: usize, got: usize) -> bool {
        if wants != got {
            let (name, wants, got) = (&call.method, wants - 1, got - 1);
            self.error(call, format!("`{name}` takes {wants} arguments, got {got}"))
                .help("as in Rust's standard library");
        }
        wants == got
    }

    fn unknown_method(&mut self, call: &syn::ExprMethodCall) {
        let name = call.method.to_string();
        let mut known: Vec<_> = MathFn::ALL.iter().map(|f| f.name()).collect();
        known.extend(["len", "wrapping_add", "wrapping_sub", "wrapping_mul"]);
        if name == "iter" || name == "iter_mut" {
            self.error(&call.method, "iterators are not available in kernels")
                .help("write `for i in 0..x.len() { .. x[i] .. }`");
            return;
        }
        self.error(&call.method, format!("method `{name}` is not available in kernels"))
            .suggest(&name, &known);
    }

    fn len(&mut self, call: &syn::ExprMethodCall) -> Expr {
        let Some(param) = self.slice(&call.receiver) else { return self.wrong() };
        let ty = self.types.new_var(Known::Type(Type::Usize));
        self.node(call, ty, ExprKind::Len(Buffer::Param(param)))
    }

    pub(super) fn call(&mut self, call: &syn::ExprCall) -> Expr {
        let name = text(&call.func);
        match name.as_str() {
            "gid" if self.model.form == Form::Grid => self.gid(call),
            "gid" => {
                self.error(call, "a `map` kernel has no `gid`: it sees one element")
                    .help("for positions, drop `map` and take slices");
                self.wrong()
            }
            "barrier" | "lid" | "grp" | "group_range" | "group_sum" | "group_max" | "group_min" => {
                self.error(call, format!("`{name}` needs workgroups, which no kernel form has"))
                    .help("compute each element in one work-item: `gid(0)`");
                self.wrong()
            }
            _ => {
                self.error(&call.func, format!("`{name}` is not a kernel function"))
                    .help("write its expression in place; available are `gid` and math methods");
                self.wrong()
            }
        }
    }

    fn gid(&mut self, call: &syn::ExprCall) -> Expr {
        let dimension = match call.args.first() {
            Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(lit), .. })) => {
                lit.base10_parse::<u8>().ok().filter(|d| *d < 3 && call.args.len() == 1)
            }
            _ => None,
        };
        let Some(dimension) = dimension else {
            self.error(call, "`gid` takes a dimension: 0, 1 or 2")
                .help("`gid(0)` is the contiguous dimension");
            return self.wrong();
        };
        self.rank = self.rank.max(dimension + 1);
        let ty = self.types.new_var(Known::Type(Type::Usize));
        self.node(call, ty, ExprKind::Gid(dimension))
    }
}

/// The operation of a method that says what kernels do anyway: they wrap.
fn wrapping(name: &str) -> Option<BinaryOp> {
    match name {
        "wrapping_add" => Some(BinaryOp::Add),
        "wrapping_sub" => Some(BinaryOp::Sub),
        "wrapping_mul" => Some(BinaryOp::Mul),
        _ => None,
    }
}
