//! Calls: `gid`, lengths and math methods.

use super::loops::called_on;
use super::{Literal, Lower, Rule, atomic, group};
use crate::kernel::infer::{Known, TypeVar};
use crate::kernel::model::Form;
use crate::text::text;
use quote::ToTokens;
use ringwood_ir::math::Class;
use ringwood_ir::{BinaryOp, Expr, ExprKind, MathFn, Type};

/// Methods of slices, and iterators over them.
const SLICE_METHODS: &[&str] = &[
    "iter",
    "iter_mut",
    "into_iter",
    "chunks",
    "windows",
    "swap",
    "fill",
    "copy_from_slice",
    "clone_from_slice",
    "to_vec",
];

impl Lower<'_> {
    pub(super) fn method(&mut self, call: &syn::ExprMethodCall) -> Expr {
        let name = call.method.to_string();
        if name == "len" {
            return self.len(call);
        }
        if name == "extent" {
            return self.extent_of(call);
        }
        if self.refuse_iterator(call) {
            return self.wrong();
        }
        let receiver = self.expr(&call.receiver);
        self.method_of(call, receiver)
    }

    /// A method, called on a value that is lowered.
    fn method_of(&mut self, call: &syn::ExprMethodCall, receiver: Expr) -> Expr {
        let name = call.method.to_string();
        let ty = self.ty(&receiver);
        let mut args = vec![receiver];
        args.extend(call.args.iter().map(|arg| self.expr(arg)));
        if let Some(op) = wrapping(&name) {
            if !self.arity(call, 2, &args) {
                return self.wrong();
            }
            let (right, left) = (args.pop(), args.pop());
            let (Some(left), Some(right)) = (left, right) else { return self.wrong() };
            self.rules.push((left.site, ty, Rule::Integer("the receiver of a wrapping operation")));
            return self.binary(&syn::Expr::MethodCall(call.clone()), op, left, right);
        }
        if name == "div_ceil" {
            if !self.arity(call, 2, &args) {
                return self.wrong();
            }
            return self.div_ceil(call, &args[0], &args[1]);
        }
        let Some(function) = MathFn::parse(&name).filter(|f| *f != MathFn::FromBits) else {
            self.unknown_method(call);
            return self.wrong();
        };
        if !self.arity(call, function.arity(), &args) {
            return self.wrong();
        }
        for (i, arg) in args.iter().enumerate().skip(1) {
            let expected = match function.operand(i, Type::Usize) {
                Type::Usize => ty,
                other => self.known(other),
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
        let ty = self.ty(a);
        self.rules.push((a.site, ty, Rule::Integer("the receiver of `div_ceil`")));
        self.rounded_up(&syn::Expr::MethodCall(call.clone()), a, b)
    }

    pub(super) fn rounded_up(&mut self, whole: &syn::Expr, a: &Expr, b: &Expr) -> Expr {
        let ty = self.ty(a);
        let quotient = self.binary(whole, BinaryOp::Div, a.clone(), b.clone());
        let rest = self.binary(whole, BinaryOp::Rem, a.clone(), b.clone());
        let zero = self.literal_node(whole, Known::Integer, Literal::Int(0));
        let left = self.binary(whole, BinaryOp::Ne, rest, zero);
        let one_more = self.node(whole, ty, ExprKind::Cast(Box::new(left)));
        self.binary(whole, BinaryOp::Add, quotient, one_more)
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
        let ty = self.known(bits);
        self.expect(&operand, ty, "the argument of `from_bits`");
        let result = self.known(MathFn::FromBits.result(bits));
        self.node(call, result, ExprKind::Math(MathFn::FromBits, vec![operand]))
    }

    /// Whether a method has as many arguments as it takes, of which the first is what it is called on.
    fn arity(&mut self, call: &syn::ExprMethodCall, wants: usize, args: &[Expr]) -> bool {
        if wants != args.len() {
            let (name, wants, got) = (&call.method, wants - 1, args.len() - 1);
            let takes =
                format!("`{name}` takes {wants} arguments after the value that it is called on");
            self.error(name, format!("{takes}, got {got}")).help("as in Rust's standard library");
            args.iter().for_each(|arg| self.types.give_up(self.ty(arg)));
        }
        wants == args.len()
    }

    fn unknown_method(&mut self, call: &syn::ExprMethodCall) {
        let name = call.method.to_string();
        let methods = MathFn::ALL.iter().filter(|f| **f != MathFn::FromBits);
        let mut known: Vec<_> = methods.map(|f| f.name()).collect();
        known.extend(["len", "extent", "wrapping_add", "wrapping_sub", "wrapping_mul", "div_ceil"]);
        self.error(&call.method, format!("method `{name}` is not available in kernels"))
            .suggest(&name, &known);
    }

    /// Refuses what works on a slice as a whole, with the loop that does it.
    fn refuse_iterator(&mut self, call: &syn::ExprMethodCall) -> bool {
        let whole = syn::Expr::MethodCall(call.clone());
        let Some((buffer, last)) = called_on(&whole, SLICE_METHODS) else { return false };
        let name = text(buffer);
        let turns = format!("for i in 0..{name}.len()");
        let (what, help) = match &*last.to_string() {
            "sum" => (
                "iterators are",
                format!("write `let mut sum = 0.0; {turns} {{ sum += {name}[i]; }}`"),
            ),
            "max" | "min" | "fold" | "reduce" | "product" => (
                "iterators are",
                format!("write `let mut result = {name}[0]; {turns} {{ result = …; }}`"),
            ),
            "swap" => (
                "methods of slices are",
                format!("write `({name}[i], {name}[j]) = ({name}[j], {name}[i]);`"),
            ),
            "fill" | "copy_from_slice" | "clone_from_slice" => {
                ("methods of slices are", format!("write `{turns} {{ {name}[i] = …; }}`"))
            }
            "to_vec" => ("allocation is", format!("use the elements in place: `{name}[i]`")),
            _ => ("iterators are", format!("write `{turns} {{ .. {name}[i] .. }}`")),
        };
        self.error(last, format!("{what} not available in kernels")).help(help);
        true
    }

    /// `f32::max(a, b)`: the method of that name, on a first argument of that type.
    fn associated(&mut self, call: &syn::ExprCall, ty: Type, name: &syn::Ident) -> Option<Expr> {
        let (first, rest) = (call.args.first()?, call.args.iter().skip(1));
        let method = syn::parse_quote!((#first).#name(#(#rest),*));
        let receiver = self.expr(first);
        let ty = self.known(ty);
        self.expect(&receiver, ty, &format!("the first argument of `{}`", text(&call.func)));
        Some(self.method_of(&method, receiver))
    }

    pub(super) fn call(&mut self, call: &syn::ExprCall) -> Expr {
        let name = text(&call.func);
        if let Some(op) = atomic::operation(&name) {
            return self.atomic_value(call, op);
        }
        match name.as_str() {
            "gid" => match self.model.options.form {
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
            _ => match self.associated_name(&call.func) {
                Some((ty, name)) => {
                    let value = self.associated(call, ty, &name);
                    value.unwrap_or_else(|| self.device_function(call))
                }
                None => self.device_function(call),
            },
        }
    }

    /// The type and the method of a path such as `f32::max`.
    fn associated_name(&self, function: &syn::Expr) -> Option<(Type, syn::Ident)> {
        let syn::Expr::Path(path) = function else { return None };
        let segments: Vec<_> = path.path.segments.iter().map(|segment| &segment.ident).collect();
        let [ty, name] = &*segments else { return None };
        Some((self.named_type(&ty.to_string())?, (*name).clone()))
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
