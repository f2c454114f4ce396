//! Writes the types found into the IR, and checks the rules that had to wait for them.

use super::{Literal, Lower, Rule};
use crate::kernel::constants;
use crate::kernel::infer::Known;
use crate::text::text;
use half::{bf16, f16};
use ringwood_ir::{Expr, ExprKind, Stmt, Type};
use std::collections::HashSet;

impl Lower<'_> {
    /// Gives every open type a default, then checks the rules.
    pub(super) fn settle(&mut self) {
        self.guess_arguments();
        let mut reported = HashSet::new();
        for site in 0..self.sites.len() {
            let ty = self.sites[site].ty;
            match self.types.known(ty) {
                Known::Integer => self.types.fix(ty, Type::I32),
                Known::Float => {
                    let is_literal = self.literals.contains_key(&(site as u32));
                    let tokens = self.sites[site].tokens.clone();
                    if is_literal && reported.insert(tokens.to_string()) {
                        self.types.fix(ty, Type::F32);
                        self.error(
                            &tokens,
                            "the type of this float is ambiguous; `f64` would be very slow on \
                             most GPUs",
                        )
                        .help(format!("write `{tokens}_f32`"));
                    }
                }
                Known::Any => {
                    let tokens = self.sites[site].tokens.clone();
                    self.types.give_up(ty);
                    let text = text(&tokens);
                    let named = self.functions.iter().find(|called| called.name() == text);
                    let what = match named.is_some_and(|called| called.callee.is_constant) {
                        true => "a constant that is declared outside of the kernel",
                        false => "the result of a device function",
                    };
                    self.error(&tokens, format!("the type of `{text}` is not known here"))
                        .note(format!("{what} takes its type from where it is used"))
                        .help(format!("write `let value: … = {text};` with its type"));
                }
                Known::Type(_) | Known::Wrong => {}
            }
        }
        for (site, ty, rule) in std::mem::take(&mut self.rules) {
            if let Known::Type(ty) = self.types.known(ty) {
                self.check_rule(site, ty, &rule);
            }
        }
    }

    fn check_rule(&mut self, site: u32, ty: Type, rule: &Rule) {
        let at = self.sites[site as usize].tokens.clone();
        match rule {
            Rule::Arithmetic(op) if ty == Type::Bool => {
                self.error(at, format!("`{op}` does not exist for `bool`"))
                    .help("use `&&` or `||`, or convert: `… as u32`");
            }
            Rule::Bits(op) if ty.is_float() => {
                self.error(at, format!("`{op}` does not exist for `{ty}`"))
                    .help("bit operations take integers and `bool`");
            }
            Rule::Integer(what) if !ty.is_integer() => {
                self.error(at, format!("{what} is an integer, found `{ty}`"))
                    .help("convert it: `… as usize`");
            }
            Rule::Negation if !ty.is_signed() => {
                self.error(at, format!("`-` does not exist for `{ty}`"))
                    .help("convert to a signed type first, or subtract");
            }
            Rule::Complement if ty.is_float() => {
                self.error(at, format!("`!` does not exist for `{ty}`"))
                    .help("it takes integers and `bool`");
            }
            Rule::Function(function, name) if !function.takes(ty) => {
                let function = function.name();
                self.error(name, format!("`{function}` does not exist for `{ty}`"))
                    .help("convert first: `(… as f32)`");
            }
            Rule::Atomic(op, old) => self.check_atomic(site, ty, *op, *old),
            Rule::CastTo(target) => {
                let target = self.types.resolved(*target);
                let (to_bool, bool_to_float) = (
                    target == Type::Bool && ty != Type::Bool,
                    ty == Type::Bool && target.is_float() && !self.is_of_bool(),
                );
                if to_bool {
                    self.error(at, format!("cannot cast `{ty}` to `bool`"))
                        .help("compare: `… != 0`");
                } else if bool_to_float {
                    self.error(at, format!("cannot cast `bool` to `{target}`"))
                        .help(format!("go through an integer: `… as i32 as {target}`"));
                }
            }
            _ => {}
        }
    }

    /// Writes the types into statements.
    pub(super) fn apply(&mut self, body: &mut [Stmt]) {
        for stmt in body {
            stmt.exprs_mut().into_iter().for_each(|e| self.apply_expr(e));
            stmt.bodies_mut().into_iter().for_each(|body| self.apply(body));
        }
    }

    /// Writes the types, and the values of literals, into an expression.
    pub(super) fn apply_expr(&mut self, e: &mut Expr) {
        e.ty = self.types.resolved(self.sites[e.site as usize].ty);
        if let ExprKind::Neg(inner) = &mut e.kind
            && let Some(Literal::Int(value)) = self.literals.get(&inner.site)
        {
            let value = -*value;
            e.kind = self.integer(e.site, e.ty, value);
            return;
        }
        if let Some(kind) = self.literal(e) {
            e.kind = kind;
        }
        e.operands_mut().into_iter().for_each(|operand| self.apply_expr(operand));
    }

    fn literal(&mut self, e: &Expr) -> Option<ExprKind> {
        let (site, ty) = (e.site, e.ty);
        match self.literals.get(&site)? {
            Literal::Int(value) => {
                let value = *value;
                Some(self.integer(site, ty, value))
            }
            Literal::Float(digits) => {
                let bits = match ty {
                    Type::F32 => digits.parse::<f32>().ok().map(|v| u64::from(v.to_bits())),
                    Type::F16 => digits.parse().ok().map(|v| u64::from(f16::from_f64(v).to_bits())),
                    Type::BF16 => {
                        digits.parse().ok().map(|v| u64::from(bf16::from_f64(v).to_bits()))
                    }
                    _ => digits.parse::<f64>().ok().map(f64::to_bits),
                };
                bits.map(ExprKind::Float)
            }
            Literal::Constant(name) => match constants::find(ty, name)? {
                constants::Constant::Int(value) => Some(ExprKind::Int(value)),
                constants::Constant::Float(bits) => Some(ExprKind::Float(bits)),
            },
        }
    }

    fn integer(&mut self, site: u32, ty: Type, value: i128) -> ExprKind {
        if let Some((min, max)) = ty.integer_range()
            && !(min..=max).contains(&value)
        {
            let at = self.sites[site as usize].tokens.clone();
            self.error(at, format!("literal out of range for `{ty}`"))
                .help(format!("`{ty}` holds {min} to {max}"));
        }
        ExprKind::Int(value)
    }
}
