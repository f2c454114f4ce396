//! Expressions.

use super::Emit;
use super::names::{extent, gid, group, lid, wrapper};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use ringwood_ir::math::Class;
use ringwood_ir::{BinaryOp, Expr, ExprKind, MathFn, Type};

impl Emit<'_> {
    pub(super) fn expr(&self, e: &Expr) -> TokenStream {
        let span = self.span(e.site);
        let ty = self.ty(e.ty);
        match &e.kind {
            ExprKind::Float(bits) => {
                let bits = match e.ty {
                    Type::F16 | Type::BF16 => Literal::u16_suffixed(*bits as u16),
                    Type::F32 => Literal::u32_suffixed(*bits as u32),
                    _ => Literal::u64_suffixed(*bits),
                };
                quote_spanned!(span=> #ty::from_bits(#bits))
            }
            ExprKind::Int(value) => integer(*value, e.ty),
            ExprKind::Bool(value) => quote!(#value),
            ExprKind::Var(v) => self.place(*v),
            ExprKind::Param(p) => self.param(*p).into_token_stream(),
            ExprKind::Len(buffer) => self.dim(*buffer, 0),
            ExprKind::Dim(buffer, d) => self.dim(*buffer, *d),
            ExprKind::Load(buffer, indices) => self.load(*buffer, indices, e.site),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ExprKind::Neg(a) => self.call("Signed", "neg", &[a], span),
            ExprKind::Not(a) => {
                let a = self.expr(a);
                quote_spanned!(span=> (!#a))
            }
            ExprKind::Cast(a) if a.ty == e.ty => self.expr(a),
            ExprKind::Cast(a) => self.cast(a, e.ty, span),
            ExprKind::Math(function, args) => self.math(*function, args, span),
            ExprKind::Select(condition, a, b) => {
                let (condition, a, b) = (self.expr(condition), self.expr(a), self.expr(b));
                quote_spanned!(span=> (if #condition { #a } else { #b }))
            }
            ExprKind::Gid(d) => gid(*d).into_token_stream(),
            ExprKind::Lid(d) if self.group_extent(*d) == 1 => quote!(0_usize),
            ExprKind::Lid(d) => lid(*d).into_token_stream(),
            ExprKind::Group(d) => group(*d).into_token_stream(),
            ExprKind::Extent(d) => extent(*d).into_token_stream(),
            ExprKind::Call(function, args) => {
                let (function, args) = (self.callee(*function), args.iter().map(|a| self.expr(a)));
                quote_spanned!(span=> #function(#(#args),*))
            }
        }
    }

    /// The native code of a device function, or of the function of a reduction.
    pub(super) fn callee(&self, function: u32) -> TokenStream {
        let index = function as usize;
        let wrapper = wrapper(self.lowered, index);
        match &self.lowered.ir.functions[index].body {
            None => quote!(#wrapper),
            Some(_) => {
                let combine = &self.lowered.functions[index].path;
                quote!(#combine::native)
            }
        }
    }

    fn cast(&self, from: &Expr, to: Type, span: Span) -> TokenStream {
        let (value, ty) = (self.expr(from), self.ty(to));
        let value = match from.ty {
            Type::F16 | Type::BF16 => quote_spanned!(span=> (#value).to_f32()),
            Type::Bool if to.is_float() => quote_spanned!(span=> (#value) as u8),
            _ => quote!((#value)),
        };
        if to.is_narrow() {
            quote_spanned!(span=> #ty::from_f32(#value as f32))
        } else {
            quote_spanned!(span=> (#value as #ty))
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> TokenStream {
        let method = match op {
            BinaryOp::Div if a.ty.is_integer() => return self.call("Number", "div", &[a, b], span),
            BinaryOp::Rem if a.ty.is_integer() => return self.call("Number", "rem", &[a, b], span),
            BinaryOp::Add => "wrapping_add",
            BinaryOp::Sub => "wrapping_sub",
            BinaryOp::Mul => "wrapping_mul",
            BinaryOp::Shl => "wrapping_shl",
            _ => "wrapping_shr",
        };
        let (left, right) = (self.expr(a), self.expr(b));
        let counts = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
        if self.counts && a.ty == Type::Usize && counts {
            let (private, name) = (&self.private, method.replace("wrapping", "checked"));
            let method = Ident::new(&name, span);
            return quote_spanned!(span=> #private::kernel::counted((#left).#method(#right))?);
        }
        let method = Ident::new(method, span);
        if op.is_shift() {
            // The low 32 bits of the amount hold those that count.
            return quote_spanned!(span=> (#left).#method((#right) as u32));
        }
        if a.ty.is_integer() && matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) {
            return quote_spanned!(span=> (#left).#method(#right));
        }
        if let Some(method) = narrow(op).filter(|_| a.ty.is_narrow()) {
            return self.call("Number", method, &[a, b], span);
        }
        let symbol: TokenStream = op.symbol().parse().expect("an operator is a token");
        quote_spanned!(span=> ((#left) #symbol (#right)))
    }

    fn math(&self, function: MathFn, args: &[Expr], span: Span) -> TokenStream {
        let (class, name) = (function.class(), function.name());
        let operands: Vec<_> = args.iter().collect();
        let alone = matches!(
            function,
            MathFn::Powi | MathFn::IsNan | MathFn::IsFinite | MathFn::IsInfinite
        );
        if class != Class::Float || alone || !self.shares {
            return self.call(class.name(), name, &operands, span);
        }
        let (private, name) = (&self.private, format_ident!("{name}"));
        let args = args.iter().map(|a| self.expr(a));
        quote_spanned!(span=> #private::kernel::math::Shared::#name::<INLINE>(#(#args),*))
    }

    /// A call of a function of the pinned arithmetic.
    fn call(&self, of: &str, method: &str, args: &[&Expr], span: Span) -> TokenStream {
        let private = &self.private;
        let (of, method) = (format_ident!("{of}"), format_ident!("{method}"));
        let args = args.iter().map(|a| self.expr(a));
        quote_spanned!(span=> #private::kernel::math::#of::#method(#(#args),*))
    }
}

/// A literal with its type as a suffix.
fn integer(value: i128, ty: Type) -> TokenStream {
    let literal = format!("{}_{}", value.unsigned_abs(), ty.name());
    let literal: Literal = literal.parse().expect("digits and a type are a literal");
    match ty.integer_range() {
        Some((min, _)) if value == min && min < 0 => {
            let ty = format_ident!("{}", ty.name());
            quote!(#ty::MIN)
        }
        _ if value < 0 => quote!((-#literal)),
        _ => quote!(#literal),
    }
}

/// The function for an operation that is rounded to 16 bits.
fn narrow(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::Div => "div",
        BinaryOp::Rem => "rem",
        _ => return None,
    })
}
