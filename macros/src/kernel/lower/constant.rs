//! Values known when the kernel is compiled: extents of arrays, the size of a group.

use super::{Local, Lower};
use crate::kernel::signature::text;

impl Lower<'_> {
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
                let text = text(e);
                self.error(e, format!("{what} is a constant, but `{text}` is not known here"))
                    .help("write a number, or list its values: `const N: usize in [16]`");
            }
        }
        None
    }

    /// The value of an expression of literals and compile-time parameters.
    pub(super) fn evaluate(&self, e: &syn::Expr) -> Option<u64> {
        match e {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(lit), .. }) => lit.base10_parse().ok(),
            syn::Expr::Path(path) => match self.lookup(&path.path.get_ident()?.to_string())? {
                Local::Constant(index) => u64::try_from(self.values[index]).ok(),
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
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
