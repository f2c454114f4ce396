//! Expressions.

use super::array::element_form;
use super::{Literal, Local, Lower, Rule};
use crate::diagnostics::quoted;
use crate::kernel::constants;
use crate::kernel::infer::{Known, TypeVar};
use crate::kernel::model::Passing;
use crate::text::text;
use quote::ToTokens;
use ringwood_ir::{BinaryOp, Expr, ExprKind, Type};

impl Lower<'_> {
    pub(super) fn expr(&mut self, e: &syn::Expr) -> Expr {
        match e {
            syn::Expr::Lit(lit) => self.literal_expr(lit),
            syn::Expr::Path(path) => self.path(path),
            syn::Expr::Paren(p) => self.expr(&p.expr),
            syn::Expr::Index(index) => self.load(index),
            syn::Expr::Binary(b) => self.binary_expr(e, b),
            syn::Expr::Unary(u) => self.unary(u),
            syn::Expr::Cast(cast) => self.cast(cast),
            syn::Expr::If(e) => self.select(e),
            syn::Expr::Match(m) => self.match_value(m),
            syn::Expr::Block(b) => match &*b.block.stmts {
                [syn::Stmt::Expr(value, None)] => self.expr(value),
                _ => {
                    self.error(b, "a block used as a value holds one expression")
                        .help("move the statements before it");
                    self.wrong()
                }
            },
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Call(call) => self.call(call),
            syn::Expr::Macro(m) => {
                self.refuse_macro(&m.mac);
                self.wrong()
            }
            other => {
                if !self.refused(other) {
                    self.error(other, "this is not available in kernels")
                        .help("see the kernel language: scalars, slices, `if`, `for`, `while`");
                }
                self.wrong()
            }
        }
    }

    fn path(&mut self, path: &syn::ExprPath) -> Expr {
        let Some(ident) = path.path.get_ident() else { return self.constant(path) };
        match self.resolve(ident) {
            Some(Local::Var(var) | Local::Counter(var)) => {
                let ty = self.vars[var as usize].ty;
                self.node(path, ty, ExprKind::Var(var))
            }
            Some(Local::Param(index)) if self.params[index as usize].passing != Passing::Value => {
                let (what, form) = match self.params[index as usize].passing {
                    Passing::View { row: true, .. } => ("row", "[i]".into()),
                    Passing::View { rank, .. } => ("view", element_form(rank)),
                    _ => ("slice", "[i]".into()),
                };
                self.error(ident, format!("`{ident}` is a {what}, not a value"))
                    .help(format!("index it: `{ident}{form}`"));
                self.wrong()
            }
            Some(Local::Array(_)) => {
                self.error(ident, format!("`{ident}` is an array, not a value"))
                    .help(format!("index it: `{ident}[i]`"));
                self.wrong()
            }
            Some(Local::Param(index)) => {
                let ty = self.known(self.params[index as usize].ty.of(self.element));
                self.node(path, ty, ExprKind::Param(index))
            }
            Some(Local::Constant(index)) => {
                let (ty, value) = (self.model.options.consts[index].ty, self.values[index]);
                self.literal_node(path, Known::Type(ty), Literal::Int(value))
            }
            Some(Local::Item(index)) => self.declared_constant(path, index),
            None if is_constant_name(ident) => self.outer_constant(&path.path),
            None => {
                self.unknown_name(ident, "declare it before, or pass it as a parameter");
                self.wrong()
            }
        }
    }

    /// `f32::INFINITY`, `f32::consts::PI`, `config::TILE`
    fn constant(&mut self, path: &syn::ExprPath) -> Expr {
        let segments: Vec<_> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
        if let [ty, name] = &*segments
            && let Some(ty) = self.named_type(ty)
        {
            if constants::find(ty, name).is_some() {
                return self.literal_node(path, Known::Type(ty), Literal::Constant(name.clone()));
            }
            self.error(path, format!("`{}` is not available in kernels", text(path)))
                .suggest(name, constants::NAMES);
            return self.wrong();
        }
        if path.qself.is_none()
            && path.path.segments.last().is_some_and(|s| is_constant_name(&s.ident))
        {
            return self.outer_constant(&path.path);
        }
        self.error(path, format!("`{}` is not a parameter or local of this kernel", text(path)))
            .help("pass it as a parameter");
        self.wrong()
    }

    /// The scalar type of this name, which may be the type parameter.
    pub(super) fn named_type(&self, name: &str) -> Option<Type> {
        let parameter =
            self.model.options.types.as_ref().is_some_and(|list| list.parameter == name);
        match parameter {
            true => self.element,
            false => Type::parse(name),
        }
    }

    /// A type as written in a `let` or after `as`.
    pub(super) fn scalar_type(&mut self, ty: &syn::Type) -> Option<TypeVar> {
        if let syn::Type::Infer(_) = ty {
            return None;
        }
        let known = self.named_scalar(ty);
        if known.is_none() {
            let names: Vec<_> = Type::ALL.into_iter().map(Type::name).collect();
            self.error(ty, format!("`{}` is not a type of kernels", text(ty)))
                .help(format!("kernels compute with {}", quoted(&names)));
        }
        Some(self.types.new_var(known.map_or(Known::Wrong, Known::Type)))
    }

    /// The type, if kernels compute with it.
    pub(super) fn named_scalar(&self, ty: &syn::Type) -> Option<Type> {
        let syn::Type::Path(path) = ty else { return None };
        match path.path.get_ident() {
            Some(name) => self.named_type(&name.to_string()),
            None => self.accumulator(&path.path),
        }
    }

    /// `Acc<T>`: the type in which sums of `T` are added up.
    fn accumulator(&self, path: &syn::Path) -> Option<Type> {
        let segment =
            path.segments.first().filter(|s| path.segments.len() == 1 && s.ident == "Acc")?;
        let syn::PathArguments::AngleBracketed(args) = &segment.arguments else { return None };
        let syn::GenericArgument::Type(syn::Type::Path(element)) = args.args.first()? else {
            return None;
        };
        let element = self.named_type(&element.path.get_ident()?.to_string())?;
        (args.args.len() == 1).then_some(element.accumulator())
    }

    fn load(&mut self, e: &syn::ExprIndex) -> Expr {
        let Some((buffer, indices)) = self.place(e) else { return self.wrong() };
        let ty = self.element_of(buffer);
        self.node(e, ty, ExprKind::Load(buffer, indices))
    }

    fn binary_expr(&mut self, whole: &syn::Expr, b: &syn::ExprBinary) -> Expr {
        let Some(op) = BinaryOp::parse(&b.op.to_token_stream().to_string()) else {
            self.error(whole, "an assignment is not a value")
                .help("make it a statement of its own");
            return self.wrong();
        };
        let left = self.expr(&b.left);
        // `x ** 2.0` is read as `x * *2.0`.
        if op == BinaryOp::Mul && matches!(&*b.right, syn::Expr::Unary(u) if is_dereference(u)) {
            self.error(whole, "kernels have no operator `**`, and no references to elements")
                .help("a power is `x.powi(2)` or `x.powf(2.0)`, an element `y[i]`");
            return self.wrong();
        }
        let right = match op.is_logical() {
            true => self.conditionally("after `&&` or `||`", |this| this.expr(&b.right)),
            false => self.expr(&b.right),
        };
        self.binary(whole, op, left, right)
    }

    pub(super) fn binary(
        &mut self,
        whole: &syn::Expr,
        op: BinaryOp,
        left: Expr,
        right: Expr,
    ) -> Expr {
        let (l, r) = (self.ty(&left), self.ty(&right));
        let bool = self.known(Type::Bool);
        if op.is_logical() {
            self.expect(&left, bool, "an operand of `&&` and `||`");
            self.expect(&right, bool, "an operand of `&&` and `||`");
        } else if !op.is_shift() && !self.types.unify(l, r) {
            self.mismatch(whole, op, &left, &right);
        }
        let ty = if op.is_comparison() || op.is_logical() { bool } else { l };
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        let node = self.node(whole, ty, kind);
        let symbol = op.symbol();
        match op {
            _ if op.is_shift() => {
                self.rules.push((node.site, l, Rule::Integer("the value of a shift")));
                self.rules.push((node.site, r, Rule::Integer("the amount of a shift")));
            }
            _ if op.is_bitwise() => self.rules.push((node.site, l, Rule::Bits(symbol))),
            _ if op.is_comparison() || op.is_logical() => {}
            _ => self.rules.push((node.site, l, Rule::Arithmetic(symbol))),
        }
        node
    }

    fn mismatch(&mut self, whole: &syn::Expr, op: BinaryOp, left: &Expr, right: &Expr) {
        let (l, r) = (self.shown(self.ty(left)), self.shown(self.ty(right)));
        let operand = |e: &Expr| match text(&self.tokens(e)) {
            written if written.contains(' ') => format!("({written})"),
            written => written,
        };
        let literal = self.literal_help(right, &l).or_else(|| self.literal_help(left, &r));
        let help = literal.unwrap_or_else(|| match (&*l, &*r) {
            ("bool", "{integer}") | ("{integer}", "bool") => {
                "a `bool` is compared with `true` and `false`, or converted: `… as i32`".into()
            }
            ("bool", other) | (other, "bool") if !other.contains("float") => {
                let through =
                    if Type::parse(other).is_some_and(Type::is_float) { "i32 as " } else { "" };
                format!("convert the `bool`: `… as {through}{other}`")
            }
            (_, "{float}") => format!("convert the integer: `{} as f32`", operand(left)),
            ("{float}", _) => format!("convert the integer: `{} as f32`", operand(right)),
            _ => {
                let target = if l.starts_with('{') { &r } else { &l };
                format!("convert one side: `… as {target}`")
            }
        });
        self.error(whole, format!("type mismatch in `{}`: `{l}` and `{r}`", op.symbol()))
            .help(help);
        for e in [left, right] {
            self.types.give_up(self.ty(e));
        }
    }

    fn unary(&mut self, u: &syn::ExprUnary) -> Expr {
        let (rule, wrap): (_, fn(Box<Expr>) -> ExprKind) = match u.op {
            syn::UnOp::Neg(_) => (Rule::Negation, ExprKind::Neg),
            syn::UnOp::Not(_) => (Rule::Complement, ExprKind::Not),
            _ => {
                self.error(u, "kernels have no references to elements")
                    .help("index the slice: `y[i]`");
                return self.wrong();
            }
        };
        let operand = self.expr(&u.expr);
        let ty = self.ty(&operand);
        let node = self.node(u, ty, wrap(Box::new(operand)));
        self.rules.push((node.site, ty, rule));
        node
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> Expr {
        let operand = self.expr(&cast.expr);
        let from = self.ty(&operand);
        let Some(to) = self.scalar_type(&cast.ty) else {
            self.error(&cast.ty, "a cast in a kernel names its type").help("write `as f32`");
            return self.wrong();
        };
        if let Some(Literal::Int(value)) = self.literals.get(&operand.site)
            && self.is_of_bool()
            && self.types.known(to) == Known::Type(Type::Bool)
        {
            let value = ExprKind::Bool(*value != 0);
            return self.node(cast, to, value);
        }
        if self.literals.contains_key(&operand.site) {
            // One without a type takes that of the cast, if it can; else the cast converts it.
            self.types.unify(from, to);
        }
        let node = self.node(cast, to, ExprKind::Cast(Box::new(operand)));
        self.rules.push((node.site, from, Rule::CastTo(to)));
        node
    }

    /// `if c { a } else { b }` as a value.
    fn select(&mut self, e: &syn::ExprIf) -> Expr {
        let condition = self.condition(&e.cond);
        let Some((_, otherwise)) = &e.else_branch else {
            self.error(e, "an `if` used as a value needs an `else`").help("add `else { … }`");
            return self.wrong();
        };
        let [syn::Stmt::Expr(then, None)] = &*e.then_branch.stmts else {
            self.error(&e.then_branch, "a branch used as a value holds one expression")
                .help("assign to a `let mut` in an `if` statement instead");
            return self.wrong();
        };
        let branch = "in a branch of an `if`";
        let (a, b) = self.conditionally(branch, |this| (this.expr(then), this.expr(otherwise)));
        let ty = self.ty(&a);
        self.expect(&b, ty, "the other branch");
        self.node(e, ty, ExprKind::Select(Box::new(condition), Box::new(a), Box::new(b)))
    }
}

fn is_dereference(u: &syn::ExprUnary) -> bool {
    matches!(u.op, syn::UnOp::Deref(_))
}

/// Whether a name is written as those of constants are: `K`, `TILE_SIZE`.
pub(super) fn is_constant_name(name: &syn::Ident) -> bool {
    let name = name.to_string();
    name.contains(|c: char| c.is_uppercase()) && !name.contains(|c: char| c.is_lowercase())
}
