//! Values known when the kernel is compiled: constants that its body declares, extents of arrays, the
//! size of a group.

use super::{Literal, Local, Lower};
use crate::kernel::infer::Known;
use crate::text::text;
use quote::ToTokens;
use ringwood_ir::{Expr, Stmt, Type};

/// The largest value that all integer types have.
const IN_EVERY_TYPE: u64 = i8::MAX as u64;

/// A constant that the body declares.
pub(super) struct Item {
    declared: syn::ItemConst,
    /// How many scopes its initialiser sees: up to that of its block.
    depth: usize,
}

impl Lower<'_> {
    /// Makes the constants of a block known in all of it, as items are.
    pub(super) fn declare_constants(&mut self, stmts: &[syn::Stmt]) {
        for stmt in stmts {
            if let syn::Stmt::Item(syn::Item::Const(item)) = stmt
                && !matches!(*item.ty, syn::Type::Array(_))
            {
                self.bind(&item.ident, Local::Item(self.items.len()));
                let (declared, depth) = (item.clone(), self.scopes.len());
                self.items.push(Some(Item { declared, depth }));
            }
        }
    }

    /// The value of a constant that the body declares.
    pub(super) fn declared_constant(&mut self, at: &impl ToTokens, index: usize) -> Expr {
        let value = self.in_its_block(index, |this, item| {
            let ty = this.scalar_type(&item.ty);
            let value = match this.evaluate_in(&item.expr, this.largest(item)) {
                Some(value) => this.literal_node(at, Known::Integer, Literal::Int(value.into())),
                None => this.expr(&item.expr),
            };
            if let Some(ty) = ty {
                this.expect(&value, ty, &format!("`{}`", item.ident));
            }
            value
        });
        value.unwrap_or_else(|| {
            self.error(at, format!("the constant `{}` is computed of itself", text(at)))
                .help("give it a value that does not name it");
            self.wrong()
        })
    }

    /// Looks at a constant with the names that its block knows; `None` while that is being done.
    fn in_its_block<T>(
        &mut self,
        index: usize,
        look: impl FnOnce(&mut Self, &syn::ItemConst) -> T,
    ) -> Option<T> {
        let item = self.items[index].take()?;
        let inner = self.scopes.split_off(item.depth);
        let found = look(self, &item.declared);
        self.scopes.extend(inner);
        self.items[index] = Some(item);
        Some(found)
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
        match self.lookup(path.path.get_ident()?)? {
            Local::Item(index) => Some(text(&self.items[index].as_ref()?.declared.expr)),
            _ => None,
        }
    }

    /// The value of an expression of literals and compile-time parameters, of type `usize`.
    pub(super) fn evaluate(&mut self, e: &syn::Expr) -> Option<u64> {
        self.evaluate_in(e, u64::MAX)
    }

    /// The value in a type whose largest one is `largest`; none where a shift loses bits in it.
    fn evaluate_in(&mut self, e: &syn::Expr, largest: u64) -> Option<u64> {
        match e {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(lit), .. }) => lit.base10_parse().ok(),
            syn::Expr::Path(path) => match self.lookup(path.path.get_ident()?)? {
                Local::Constant(index) => u64::try_from(self.values[index]).ok(),
                Local::Item(index) => self.in_its_block(index, |this, item| {
                    this.evaluate_in(&item.expr, this.largest(item))
                })?,
                _ => None,
            },
            syn::Expr::Paren(p) => self.evaluate_in(&p.expr, largest),
            syn::Expr::Binary(syn::ExprBinary { left, op: syn::BinOp::Shl(_), right, .. }) => {
                let value = self.evaluate_in(left, largest)?;
                // The amount has a type of its own, which may be the smallest.
                let amount = u32::try_from(self.evaluate_in(right, IN_EVERY_TYPE)?).ok()?;
                value.checked_mul(1_u64.checked_shl(amount)?).filter(|value| *value <= largest)
            }
            syn::Expr::Binary(b) => {
                let (x, y) =
                    (self.evaluate_in(&b.left, largest)?, self.evaluate_in(&b.right, largest)?);
                match b.op {
                    syn::BinOp::Add(_) => x.checked_add(y),
                    syn::BinOp::Sub(_) => x.checked_sub(y),
                    syn::BinOp::Mul(_) => x.checked_mul(y),
                    syn::BinOp::Div(_) => x.checked_div(y),
                    syn::BinOp::Rem(_) => x.checked_rem(y),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The largest value of the type of a constant.
    fn largest(&self, item: &syn::ItemConst) -> u64 {
        let range = self.named_scalar(&item.ty).and_then(Type::integer_range);
        range.map_or(IN_EVERY_TYPE, |(_, max)| u64::try_from(max).unwrap_or(u64::MAX))
    }
}
