//! Literals: their types are inferred, so their values wait until the types are known.

use super::{Literal, Lower};
use crate::kernel::infer::Known;
use quote::ToTokens;
use ringwood_ir::{Expr, ExprKind, Type};

impl Lower<'_> {
    pub(super) fn literal_expr(&mut self, e: &syn::ExprLit) -> Expr {
        match &e.lit {
            syn::Lit::Bool(b) => self.truth(e, b.value),
            syn::Lit::Int(lit) => self.integer_literal(e, lit),
            syn::Lit::Float(lit) => self.float_literal(e, lit),
            other => {
                self.error(other, "kernels know numbers and truth values only")
                    .help("pass data as a slice");
                self.wrong()
            }
        }
    }

    /// Digits without a point; with a suffix such as `f32` they are a float.
    fn integer_literal(&mut self, e: &syn::ExprLit, lit: &syn::LitInt) -> Expr {
        let known = match (lit.suffix(), Type::parse(lit.suffix())) {
            ("", _) => Known::Integer,
            (_, Some(ty)) => Known::Type(ty),
            (suffix, None) => {
                self.unknown_suffix(lit, suffix, "drop the suffix");
                return self.wrong();
            }
        };
        let digits = lit.base10_digits();
        let value = match known {
            Known::Type(ty) if ty.is_float() => Literal::Float(digits.into()),
            // What exceeds every type is reported with the type that is inferred.
            _ => Literal::Int(digits.parse().unwrap_or(i128::MAX)),
        };
        self.literal_node(e, known, value)
    }

    fn float_literal(&mut self, e: &syn::ExprLit, lit: &syn::LitFloat) -> Expr {
        let known = match lit.suffix() {
            "" => Known::Float,
            "f32" => Known::Type(Type::F32),
            "f64" => Known::Type(Type::F64),
            suffix => {
                self.unknown_suffix(lit, suffix, "write `_f32` or `_f64`");
                return self.wrong();
            }
        };
        self.literal_node(e, known, Literal::Float(lit.base10_digits().into()))
    }

    fn unknown_suffix(&mut self, lit: &impl ToTokens, suffix: &str, help: &str) {
        self.error(lit, format!("`{suffix}` is not a type of kernels")).help(help);
    }

    pub(super) fn literal_node(
        &mut self,
        at: &impl ToTokens,
        known: Known,
        value: Literal,
    ) -> Expr {
        let ty = self.types.new_var(known);
        let node = self.node(at, ty, ExprKind::Int(0));
        self.literals.insert(node.site, value);
        node
    }
}
