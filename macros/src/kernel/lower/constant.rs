//! Values known when the kernel is compiled: constants that its body declares, extents of arrays, the
//! size of a group.

use super::{Literal, Local, Lower};
use crate::kernel::infer::Known;
use crate::text::text;
use quote::ToTokens;
use ringwood_ir::{Expr, Stmt};

impl Lower<'_> {
    /// Makes the constants of a block known in all of it, as items are.
    pub(super) fn declare_constants(&mut self, stmts: &[syn::Stmt]) {
        for stmt in stmts {
            if let syn::Stmt::Item(syn::Item::Const(item)) = stmt
                && !matches!(*item.ty, syn::Type::Array(_))
            {
                self.bind(item.ident.to_string(), Local::Item(self.items.len()));
                self.items.push(item.clone());
            }
        }
    }

    /// The value of a constant that the body declares.
    pub(super) fn declared_constant(&mut self, at: &impl ToTokens, index: usize) -> Expr {
        let item = self.items[index].clone();
        let ty = self.scalar_type(&item.ty);
        let value = match self.evaluate(&item.expr) {
            Some(value) => self.literal_node(at, Known::Integer, Literal::Int(i128::from(value))),
            None => self.expr(&item.expr),
        };
        if let Some(ty) = ty {
            self.expect(&value, ty, &format!("`{}`", item.ident));
        }
        value
    }

    /// `const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];`: an array of the work-item.
    pub(super) fn constant_array(&mut self, item: &syn::ItemConst) -> Vec<Stmt> {
        if !matches!(*item.ty, syn::Type::Array(_)) {
            return Vec::new();
        }
        let (name, ty, value) = (&item.ident, &item.ty, &item.expr);
        match syn::parse_quote!(let #name: #ty = #value;) {
            syn::Stmt::Local(local) => self.local(&local),
            _ => Vec::new(),
        }
    }

    /// The value of a constant, at least 1; reports an expression that is none as `what`.
    pub(super) fn constant_value(&mut self, e: &syn::Expr, what: &str) -> Option<u32> {
        match self.evaluate(e).map(u32::try_from) {
            Some(Ok(0)) => {
                self.error(e, format!("{what} is 0")).help("make it at least 1");
            }
            Some(Ok(value)) => return Some(value),
            Some(Err(_)) => {
                self.error(e, format!("{what} is not below 2^32")).help("make it smaller");
            }
            None => {
                let (name, written) = (text(e), self.written(e));
                let error =
                    self.error(e, format!("{what} is a constant, but `{name}` is not known here"));
                if let Some(written) = written {
                    error.note(format!(
                        "`{name}` is `{written}`, and the value of a constant of your crate is not \
                         known when the kernel is compiled"
                    ));
                }
                error.help(
                    "write a number, or declare `const N: usize = 16;` in the kernel, or list its \
                         values: `#[kernel(const N: usize in [16], …)]`",
                );
            }
        }
        None
    }

    /// How the kernel declares the constant of this name.
    fn written(&self, e: &syn::Expr) -> Option<String> {
        let syn::Expr::Path(path) = e else { return None };
        match self.lookup(&path.path.get_ident()?.to_string())? {
            Local::Item(index) => Some(text(&self.items[index].expr)),
            _ => None,
        }
    }

    /// The value of an expression of literals and compile-time parameters.
    pub(super) fn evaluate(&self, e: &syn::Expr) -> Option<u64> {
        match e {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(lit), .. }) => lit.base10_parse().ok(),
            syn::Expr::Path(path) => match self.lookup(&path.path.get_ident()?.to_string())? {
                Local::Constant(index) => u64::try_from(self.values[index]).ok(),
                Local::Item(index) => self.evaluate(&self.items[index].expr),
                _ => None,
            },
            syn::Expr::Paren(p) => self.evaluate(&p.expr),
            syn::Expr::Group(g) => self.evaluate(&g.expr),
            syn::Expr::Binary(b) => {
                let (x, y) = (self.evaluate(&b.left)?, self.evaluate(&b.right)?);
                match b.op {
                    syn::BinOp::Add(_) => x.checked_add(y),
                    syn::BinOp::Sub(_) => x.checked_sub(y),
                    syn::BinOp::Mul(_) => x.checked_mul(y),
                    syn::BinOp::Div(_) => x.checked_div(y),
                    syn::BinOp::Rem(_) => x.checked_rem(y),
                    syn::BinOp::Shl(_) => x.checked_mul(1_u64.checked_shl(u32::try_from(y).ok()?)?),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
