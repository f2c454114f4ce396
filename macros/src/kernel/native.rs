//! Native code of a kernel, emitted from its IR.

use super::lower::Lowered;
use super::model::{Form, Model};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use ringwood_ir::{BinaryOp, Buffer, Expr, ExprKind, Kernel, MathFn, ParamKind, Stmt, Type};

/// Whether native code is emitted for a kernel: not yet for groups, arrays, atomic operations,
/// stores of several work-items to one element and jumps out of loops.
pub(super) fn supports(kernel: &Kernel) -> bool {
    fn plain(stmt: &Stmt) -> bool {
        let jump = matches!(stmt, Stmt::Break | Stmt::Continue | Stmt::Atomic(_));
        !jump && stmt.bodies().into_iter().flatten().all(plain)
    }
    kernel.group.is_none()
        && !kernel.modes.racy
        && kernel.arrays.is_empty()
        && kernel.body.iter().all(plain)
}

/// The native code of a kernel: the type `name` with its body, and the value for the instance.
pub(super) fn native(model: &Model, lowered: &Lowered, name: &Ident) -> (TokenStream, TokenStream) {
    let emit = Emit { lowered, private: model.private() };
    let private = &emit.private;
    let body = match model.form {
        Form::Map => emit.map(),
        _ => emit.grid(&model.text()),
    };
    let constructor = match model.form {
        Form::Map => quote!(total),
        _ => quote!(of),
    };
    let body = quote! {
        #[allow(non_camel_case_types)]
        enum #name {}

        #[allow(warnings, clippy::all)]
        impl #private::kernel::Body for #name {
            #[inline(always)]
            fn run<const CHECKED: bool>(
                launch: &#private::kernel::NativeLaunch<'_>,
                range: ::core::ops::Range<usize>,
            ) -> #private::kernel::Result<()> {
                #body
            }
        }
    };
    (body, quote!(#private::kernel::Native::#constructor::<#name>()))
}

/// The function `name` that computes the declared domain, if there is one.
pub(super) fn domain(model: &Model, lowered: &Lowered, name: &Ident) -> Option<TokenStream> {
    if lowered.domain.is_empty() {
        return None;
    }
    let emit = Emit { lowered, private: model.private() };
    let private = &emit.private;
    let extents = lowered.domain.iter().map(|extent| emit.expr(extent));
    let params = lowered.ir.params.iter().enumerate().map(|(i, param)| match param.kind {
        ParamKind::Scalar(ty) => {
            let (name, ty) = (emit.param(i as u32), type_ident(ty));
            quote!(let #name = operands.scalar::<#ty>(#i)?;)
        }
        ParamKind::Slice { .. } | ParamKind::View { .. } => {
            let name = emit.length(i as u32);
            quote!(let #name = operands.elements(#i)?;)
        }
    });
    Some(quote! {
        #[allow(warnings, clippy::all)]
        fn #name(
            operands: &[#private::kernel::Operand],
        ) -> #private::kernel::Result<#private::kernel::Shape> {
            let operands = #private::kernel::Operands(operands);
            #(#params)*
            #private::kernel::Shape::new(&[#(#extents),*])
        }
    })
}

struct Emit<'a> {
    lowered: &'a Lowered,
    private: TokenStream,
}

fn type_ident(ty: Type) -> Ident {
    format_ident!("{}", ty.name())
}

fn gid(dimension: u8) -> Ident {
    Ident::new(&format!("gid{dimension}"), Span::mixed_site())
}

fn extent(dimension: u8) -> Ident {
    Ident::new(&format!("extent{dimension}"), Span::mixed_site())
}

impl Emit<'_> {
    fn map(&self) -> TokenStream {
        let private = &self.private;
        let params = &self.lowered.ir.params;
        let names = (0..params.len()).map(|i| self.param(i as u32));
        let types: Vec<_> = params
            .iter()
            .map(|param| match param.kind {
                ParamKind::Scalar(ty)
                | ParamKind::Slice { ty, .. }
                | ParamKind::View { ty, .. } => type_ident(ty),
            })
            .collect();
        let body = self.block(&self.lowered.ir.body);
        let result = self.lowered.ir.result.as_ref();
        let out = result.map(|e| type_ident(e.ty));
        let result = result.map(|e| self.expr(e));
        quote! {
            #private::kernel::map::<(#(#types,)*), #out>(
                launch,
                range,
                #[inline(always)]
                |(#(#names,)*): (#(#types,)*)| -> #out { #body #result },
            )
        }
    }

    fn grid(&self, kernel: &str) -> TokenStream {
        let private = &self.private;
        let ir = &self.lowered.ir;
        let params = ir.params.iter().enumerate().map(|(i, param)| {
            let name = self.param(i as u32);
            match param.kind {
                ParamKind::Scalar(ty) => {
                    let ty = type_ident(ty);
                    quote!(let #name = args.scalar::<#ty>()?;)
                }
                ParamKind::Slice { ty, mutable } | ParamKind::View { ty, mutable, .. } => {
                    let (ty, length) = (type_ident(ty), self.length(i as u32));
                    let view = if mutable { quote!(view_mut) } else { quote!(view) };
                    quote!(let #name = args.#view::<#ty, CHECKED>()?; let #length = #name.elements();)
                }
            }
        });
        let requirements = ir.requires.iter().map(|condition| {
            let (text, holds) = (ir.show(condition), self.expr(condition));
            quote! {
                if !#holds {
                    return ::core::result::Result::Err(
                        #private::kernel::requirement(#kernel, #text)
                    );
                }
            }
        });
        let rank = usize::from(ir.rank);
        let extents = (0..ir.rank).rev().map(extent);
        let items = (0..ir.rank).map(gid);
        let run = format_ident!("grid_{}", rank);
        let body = self.block(&ir.body);
        quote! {
            let mut args = #private::kernel::Arguments::new(launch);
            #(#params)*
            let [#(#extents),*] = #private::kernel::extents::<#rank>(launch, &range)?;
            #(#requirements)*
            #private::kernel::#run(
                launch,
                range,
                #[inline(always)]
                move |#(#items: usize),*| { #body },
            )
        }
    }

    fn span(&self, site: u32) -> Span {
        let span = self.lowered.spans.get(site as usize).copied();
        span.map_or_else(Span::mixed_site, |span| Span::mixed_site().located_at(span))
    }

    fn var(&self, index: u32) -> Ident {
        let name = self.lowered.ir.vars[index as usize].name.trim_start_matches("r#").to_string();
        Ident::new(&format!("v{index}_{name}"), Span::mixed_site())
    }

    fn param(&self, index: u32) -> Ident {
        let name = &self.lowered.ir.params[index as usize].name;
        Ident::new(&format!("p{index}_{name}"), Span::mixed_site())
    }

    /// The local that holds the number of elements of a slice.
    fn length(&self, index: u32) -> Ident {
        let name = &self.lowered.ir.params[index as usize].name;
        Ident::new(&format!("n{index}_{name}"), Span::mixed_site())
    }

    fn block(&self, body: &[Stmt]) -> TokenStream {
        body.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let(v, value) => {
                let (name, ty, value) = (self.var(*v), type_ident(value.ty), self.expr(value));
                quote!(let mut #name: #ty = #value;)
            }
            Stmt::Assign(v, value) => {
                let (name, value) = (self.var(*v), self.expr(value));
                quote!(#name = #value;)
            }
            Stmt::Store { buffer: Buffer::Param(p), indices, value, site } => {
                let (name, index) = (self.param(*p), self.expr(&indices[0]));
                let value = self.expr(value);
                quote_spanned!(self.span(*site)=> #name.store(#index, #value, #site);)
            }
            Stmt::If(condition, then, otherwise) => {
                let condition = self.expr(condition);
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                quote!(if #condition { #then } else { #otherwise })
            }
            Stmt::For(v, from, to, body) => {
                let (name, from, to) = (self.var(*v), self.expr(from), self.expr(to));
                let body = self.block(body);
                quote!(for #name in #from..#to { #body })
            }
            Stmt::While(condition, body) => {
                let (condition, body) = (self.expr(condition), self.block(body));
                quote!(while #condition { #body })
            }
            other => panic!("no native code for {other:?}"),
        }
    }

    fn expr(&self, e: &Expr) -> TokenStream {
        let span = self.span(e.site);
        let ty = type_ident(e.ty);
        match &e.kind {
            ExprKind::Float(bits) => {
                let bits = match e.ty {
                    Type::F32 => Literal::u32_suffixed(*bits as u32),
                    _ => Literal::u64_suffixed(*bits),
                };
                quote_spanned!(span=> #ty::from_bits(#bits))
            }
            ExprKind::Int(value) => integer(*value, e.ty),
            ExprKind::Bool(value) => quote!(#value),
            ExprKind::Var(v) => {
                let name = self.var(*v);
                quote!(#name)
            }
            ExprKind::Param(p) => {
                let name = self.param(*p);
                quote!(#name)
            }
            ExprKind::Len(Buffer::Param(p)) => {
                let name = self.length(*p);
                quote!(#name)
            }
            ExprKind::Load(Buffer::Param(p), indices) => {
                let (name, index, site) = (self.param(*p), self.expr(&indices[0]), e.site);
                quote_spanned!(span=> #name.load(#index, #site))
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ExprKind::Neg(a) => self.call("Signed", "neg", &[a], span),
            ExprKind::Not(a) => {
                let a = self.expr(a);
                quote_spanned!(span=> (!#a))
            }
            ExprKind::Cast(a) if a.ty == e.ty => self.expr(a),
            ExprKind::Cast(a) => {
                let a = self.expr(a);
                quote_spanned!(span=> ((#a) as #ty))
            }
            ExprKind::Math(function, args) => self.math(*function, args, span),
            ExprKind::Select(condition, a, b) => {
                let (condition, a, b) = (self.expr(condition), self.expr(a), self.expr(b));
                quote_spanned!(span=> (if #condition { #a } else { #b }))
            }
            ExprKind::Gid(d) => {
                let name = gid(*d);
                quote!(#name)
            }
            ExprKind::Extent(d) => {
                let name = extent(*d);
                quote!(#name)
            }
            other => panic!("no native code for {other:?}"),
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> TokenStream {
        let method = match op {
            BinaryOp::Div | BinaryOp::Rem if a.ty.is_integer() => {
                let method = if op == BinaryOp::Div { "div" } else { "rem" };
                return self.call("Number", method, &[a, b], span);
            }
            BinaryOp::Add => "wrapping_add",
            BinaryOp::Sub => "wrapping_sub",
            BinaryOp::Mul => "wrapping_mul",
            BinaryOp::Shl => "wrapping_shl",
            _ => "wrapping_shr",
        };
        let (left, right) = (self.expr(a), self.expr(b));
        let method = Ident::new(method, span);
        if op.is_shift() {
            // The low 32 bits of the amount hold those that count.
            return quote_spanned!(span=> (#left).#method((#right) as u32));
        }
        if a.ty.is_integer() && matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) {
            return quote_spanned!(span=> (#left).#method(#right));
        }
        let symbol: TokenStream = op.symbol().parse().expect("an operator is a token");
        quote_spanned!(span=> ((#left) #symbol (#right)))
    }

    fn math(&self, function: MathFn, args: &[Expr], span: Span) -> TokenStream {
        let operands: Vec<_> = args.iter().collect();
        self.call(function.class().name(), function.name(), &operands, span)
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
            let ty = type_ident(ty);
            quote!(#ty::MIN)
        }
        _ if value < 0 => quote!((-#literal)),
        _ => quote!(#literal),
    }
}
