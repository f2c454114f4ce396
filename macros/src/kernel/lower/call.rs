//! Calls: `gid`, lengths and math methods.

use super::{Literal, Lower, Rule, atomic, group};
use crate::kernel::infer::{Known, TypeVar};
use crate::kernel::model::Form;
use crate::kernel::signature::text;
use quote::ToTokens;
use ringwood_ir::math::Class;
use ringwood_ir::{BinaryOp, Expr, ExprKind, MathFn, Type};

impl Lower<'_> {
    pub(super) fn method(&mut self, call: &syn::ExprMethodCall) -> Expr {
        let name = call.method.to_string();
        if name == "len" {
            return self.len(call);
        }
        if name == "extent" {
            return self.extent_of(call);
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
        if name == "div_ceil" {
            if !self.arity(call, 2, args.len()) {
                return self.wrong();
            }
            return self.div_ceil(call, &args[0], &args[1]);
        }
        let Some(function) = MathFn::parse(&name).filter(|f| *f != MathFn::FromBits) else {
            self.unknown_method(call);
            return self.wrong();
        };
        if !self.arity(call, function.arity(), args.len()) {
            return self.wrong();
        }
        for (i, arg) in args.iter().enumerate().skip(1) {
            let expected = match function.operand(i, Type::Usize) {
                Type::Usize => ty,
                other => self.types.new_var(Known::Type(other)),
            };
            self.expect(arg, expected, &format!("the argument of `{name}`"));
        }
        let result = self.result_of(call, function, ty);
        let node = self.node(call, result, ExprKind::Math(function, args));
        let at = call.method.to_token_stream();
        self.rules.push((node.site, ty, Rule::Function(function, at)));
        node
    }

    /// The quotient of unsigned integers, rounded up.
    fn div_ceil(&mut self, call: &syn::ExprMethodCall, a: &Expr, b: &Expr) -> Expr {
        let whole = syn::Expr::MethodCall(call.clone());
        let ty = self.ty(a);
        self.rules.push((a.site, ty, Rule::Integer("the receiver of `div_ceil`")));
        let quotient = self.binary(&whole, BinaryOp::Div, a.clone(), b.clone());
        let rest = self.binary(&whole, BinaryOp::Rem, a.clone(), b.clone());
        let zero = self.literal_node(call, Known::Integer, Literal::Int(0));
        let left = self.binary(&whole, BinaryOp::Ne, rest, zero);
        let one_more = self.node(call, ty, ExprKind::Cast(Box::new(left)));
        self.binary(&whole, BinaryOp::Add, quotient, one_more)
    }

    /// The type of a function's result; one that depends on the receiver's needs that to be known.
    fn result_of(&mut self, at: &impl ToTokens, function: MathFn, receiver: TypeVar) -> TypeVar {
        let fixed = match function.result(Type::Usize) {
            _ if matches!(function.class(), Class::ToBits | Class::FromBits) => None,
            Type::Usize => return receiver,
            other => Some(other),
        };
        let known = match (fixed, self.types.known(receiver)) {
            (Some(ty), _) => Known::Type(ty),
            (None, Known::Type(ty)) => Known::Type(function.result(ty)),
            (None, Known::Wrong) => Known::Wrong,
            (None, _) => {
                let name = function.name();
                self.error(at, format!("the type that `{name}` is called on is ambiguous here"))
                    .help("give it a type: `let x: f32 = …`");
                Known::Wrong
            }
        };
        self.types.new_var(known)
    }

    /// `f32::from_bits(bits)`
    fn bits_call(&mut self, call: &syn::ExprCall, bits: Type) -> Expr {
        let [operand] = &*call.args.iter().collect::<Vec<_>>() else {
            self.error(call, "`from_bits` takes one argument")
                .help("as in Rust's standard library");
            return self.wrong();
        };
        let operand = self.expr(operand);
        let ty = self.types.new_var(Known::Type(bits));
        self.expect(&operand, ty, "the argument of `from_bits`");
        let result = self.types.new_var(Known::Type(MathFn::FromBits.result(bits)));
        self.node(call, result, ExprKind::Math(MathFn::FromBits, vec![operand]))
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
        let methods = MathFn::ALL.iter().filter(|f| **f != MathFn::FromBits);
        let mut known: Vec<_> = methods.map(|f| f.name()).collect();
        known.extend(["len", "extent", "wrapping_add", "wrapping_sub", "wrapping_mul", "div_ceil"]);
        if name == "iter" || name == "iter_mut" {
            self.error(&call.method, "iterators are not available in kernels")
                .help("write `for i in 0..x.len() { .. x[i] .. }`");
            return;
        }
        self.error(&call.method, format!("method `{name}` is not available in kernels"))
            .suggest(&name, &known);
    }

    pub(super) fn call(&mut self, call: &syn::ExprCall) -> Expr {
        let name = text(&call.func);
        if let Some(op) = atomic::operation(&name) {
            return self.atomic_value(call, op);
        }
        match name.as_str() {
            "gid" => match self.model.form {
                Form::Group => {
                    self.error(call, "a group kernel has no `gid`: its work-items have no tail guard")
                        .help("write `grp(0) * 256 + lid(0)` with the size of the group, and compare it with the length");
                    self.wrong()
                }
                Form::Map => {
                    self.error(call, "a `map` kernel has no `gid`: it sees one element")
                        .help("for positions, drop `map` and take slices");
                    self.wrong()
                }
                Form::Function => {
                    self.error(call, "a device function has no `gid`: it sees its arguments")
                        .help("take the position as a parameter: `i: usize`");
                    self.wrong()
                }
                _ => self.dimension("gid", call, ExprKind::Gid),
            },
            name if group::FUNCTIONS.contains(&name) => self.group_call(name, call),
            "f32::from_bits" => self.bits_call(call, Type::U32),
            "f64::from_bits" => self.bits_call(call, Type::U64),
            _ => self.device_function(call),
        }
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
