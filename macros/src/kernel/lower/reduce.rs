//! Reductions: a function of two scalars becomes a group kernel, one group for each row: the elements
//! along one dimension, which are `inner` apart.

use super::{Callee, Literal, Lower, Lowered};
use crate::kernel::infer::Known;
use crate::text::text;
use quote::{format_ident, quote};
use ringwood_ir::{
    BinaryOp, Buffer, Expr, ExprKind, Function, GroupOp, Kernel, Param, ParamKind, Stmt, Type,
    Value, Variable, interpret, unique,
};

/// The work-items of a group.
const GROUP: u32 = 256;

/// The positions of the parameters.
const INPUT: u32 = 0;
const RESULT: u32 = 1;
const LENGTH: u32 = 2;
const INNER: u32 = 3;

/// The statements after which the function of a sample is given up.
const STEPS: u64 = 1 << 16;

impl Lower<'_> {
    /// The identity, an expression of the element type.
    pub(super) fn start(&mut self, e: &syn::Expr) -> Expr {
        let identity = self.number(e);
        if let Some(ty) = self.model.result {
            let expected = self.known(ty.of(self.element));
            self.expect(&identity, expected, "the identity");
        }
        use ExprKind::{Float, Int, Neg};
        if identity.any(&|e| !matches!(e.kind, Int(_) | Float(_) | Neg(_))) {
            self.error(e, "the identity is a number")
                .help("write `0.0`, `1` or `f32::NEG_INFINITY`");
        }
        identity
    }

    /// An expression; digits without a point are a float where the elements are.
    fn number(&mut self, e: &syn::Expr) -> Expr {
        let element = self.model.result.map(|ty| ty.of(self.element));
        match (e, element) {
            (syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(lit), .. }), Some(ty))
                if ty.is_float() && lit.suffix().is_empty() =>
            {
                let digits = Literal::Float(lit.base10_digits().into());
                self.literal_node(e, Known::Type(ty), digits)
            }
            _ => self.expr(e),
        }
    }

    /// Refuses an identity that changes numbers, other than by rounding: it enters once for each work-item.
    fn check_identity(&mut self, combine: &Kernel, identity: &Expr, ty: Type) {
        let constant = Kernel { result: Some(identity.clone()), ..Kernel::default() };
        let Ok(value) = interpret::map(&constant, &[], STEPS) else { return };
        let number = |value: Value| match value.cast(Type::F64) {
            Value::F64(number) => number,
            _ => f64::NAN,
        };
        for sample in [1, 3, 5].map(|n| Value::I32(n).cast(ty)) {
            // A function that calls others is not known here.
            let Ok(got) = interpret::map(combine, &[value, sample], STEPS) else { return };
            let (got, sample) = (number(got), number(sample));
            if (got - sample).abs() > (1.0 + sample) / 16.0 {
                let (written, name) = (text(&self.tokens(identity)), self.model.name());
                let what = format!(
                    "`{written}` is no identity of `{name}`: combined with {sample} it gives {got}"
                );
                self.error(self.tokens(identity), what)
                    .note("each work-item starts with it, so that it enters many times")
                    .help("write `0.0` for a sum, `1.0` for a product");
                return;
            }
        }
    }

    /// The kernel that combines rows with the function lowered.
    pub(super) fn rows(&mut self, combine: Lowered) -> Option<Lowered> {
        let identity = self.identity.clone()?;
        let ty = combine.ir.result.as_ref().map(|e| e.ty)?;
        self.check_identity(&combine.ir, &identity, ty);
        let mut ir = kernel(&combine.ir, identity, ty);
        let groups = Expr { kind: ExprKind::Len(Buffer::Param(RESULT)), ty: Type::Usize, site: 0 };
        let domain = vec![groups];
        match unique::requirements(&ir, &domain) {
            Ok(requires) => ir.requires = requires,
            Err(conflicts) => {
                self.report(conflicts);
                return None;
            }
        }
        let name = format_ident!("{}", combine_name(ty));
        let path = syn::parse2(quote!(#name)).ok()?;
        Some(Lowered {
            index: combine.index,
            element: combine.element,
            values: combine.values.clone(),
            ir,
            domain,
            spans: combine.spans.clone(),
            functions: vec![Callee { path, is_constant: false, guesses: Vec::new() }],
            combine: Some(Box::new(combine)),
        })
    }
}

/// The type that carries the native code of the function, in the expansion.
fn combine_name(ty: Type) -> String {
    format!("combine_{ty}")
}

/// `for k in group_range(n) { part = combine(part, x[start + k * inner]) }`, and the tree over the
/// group. Rows without gaps have a loop of their own, which vectorises.
fn kernel(combine: &Kernel, identity: Expr, ty: Type) -> Kernel {
    let e = |kind, ty| Expr { kind, ty, site: 0 };
    let usize = |kind| e(kind, Type::Usize);
    let of = |op, a, b| Expr::binary(op, a, b, 0);
    let [start, part, dense, gapped, total] = [0, 1, 2, 3, 4];
    let inner = || usize(ExprKind::Param(INNER));
    let row = |op| of(op, usize(ExprKind::Group(0)), inner());
    let rows = of(BinaryOp::Mul, row(BinaryOp::Div), usize(ExprKind::Param(LENGTH)));
    let first = of(BinaryOp::Add, of(BinaryOp::Mul, rows, inner()), row(BinaryOp::Rem));
    let turns = |k, step: Expr| {
        let index = of(BinaryOp::Add, usize(ExprKind::Var(start)), step);
        let load = e(ExprKind::Load(Buffer::Param(INPUT), vec![index]), ty);
        let next = e(ExprKind::Call(0, vec![e(ExprKind::Var(part), ty), load]), ty);
        let body = vec![Stmt::Assign(part, next)];
        vec![Stmt::ForGroup(k, usize(ExprKind::Param(LENGTH)), body)]
    };
    let var = |k| usize(ExprKind::Var(k));
    let combined = Stmt::If(
        of(BinaryOp::Eq, inner(), Expr::index(1, 0)),
        turns(dense, var(dense)),
        turns(gapped, of(BinaryOp::Mul, var(gapped), inner())),
    );
    let one = of(BinaryOp::Eq, usize(ExprKind::Lid(0)), Expr::index(0, 0));
    let store = Stmt::Store {
        buffer: Buffer::Param(RESULT),
        indices: vec![usize(ExprKind::Group(0))],
        value: e(ExprKind::Var(total), ty),
        site: 0,
    };
    let reduce = Stmt::GroupReduce {
        var: total,
        op: GroupOp::Function(0),
        value: e(ExprKind::Var(part), ty),
        site: 0,
    };
    let slice = |name: &str, mutable| {
        let kind = ParamKind::Slice { ty, mutable };
        Param { name: name.into(), kind }
    };
    let scalar = |name: &str| Param { name: name.into(), kind: ParamKind::Scalar(Type::Usize) };
    let vars = [
        ("start", Type::Usize),
        ("part", ty),
        ("k", Type::Usize),
        ("k", Type::Usize),
        ("total", ty),
    ];
    let function = Function {
        name: combine_name(ty),
        params: vec![ty, ty],
        result: ty,
        body: Some(Box::new(combine.clone())),
    };
    Kernel {
        name: combine.name.clone(),
        rank: 1,
        group: Some([GROUP, 1, 1]),
        modes: combine.modes,
        params: vec![slice("x", false), slice("result", true), scalar("n"), scalar("inner")],
        vars: vars.map(|(name, ty)| Variable { name: name.into(), ty }).into(),
        functions: vec![function],
        body: vec![
            Stmt::Let(start, first),
            Stmt::Let(part, identity),
            combined,
            reduce,
            Stmt::If(one, vec![store], Vec::new()),
        ],
        ..Kernel::default()
    }
}
