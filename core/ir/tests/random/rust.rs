//! Kernels as Rust source.

use ringwood_ir::{
    BinaryOp, Buffer, Expr, ExprKind, Function, GroupOp, Kernel, MathFn, ParamKind, Space, Stmt,
    Type,
};
use std::fmt::Write;

/// The item `#[kernel(…)] fn name(…) { … }` for a launch over `domain`, contiguous dimension first.
pub(crate) fn item(kernel: &Kernel, domain: &[usize]) -> String {
    let mut rust = Rust { kernel, domain, text: String::new() };
    for function in &kernel.functions {
        rust.text.push_str(&device_fn(function, &kernel.name));
    }
    let list = |of: &mut dyn Iterator<Item = usize>| {
        let mut all: Vec<_> = of.map(|n| n.to_string()).collect();
        all.reverse();
        format!("({})", all.join(", "))
    };
    let extents = list(&mut domain.iter().copied());
    let attribute = match kernel.group {
        None => format!("domain = {extents}"),
        Some(size) => {
            let size = size.iter().take(domain.len()).map(|n| *n as usize);
            format!("group = {}, groups = {extents}", list(&mut { size }))
        }
    };
    let attribute = match domain.len() {
        1 => attribute.replace(['(', ')'], ""),
        _ => attribute,
    };
    let params: Vec<_> =
        kernel.params.iter().map(|p| format!("{}: {}", p.name, ty(p.kind))).collect();
    let open = if kernel.modes.nondeterministic { ", nondeterministic" } else { "" };
    rust.line(0, &format!("#[kernel(device = cpu{open}, {attribute})]"));
    rust.line(0, &format!("fn {}({}) {{", kernel.name, params.join(", ")));
    for (a, array) in kernel.arrays.iter().enumerate() {
        if array.space == Space::Shared {
            let line =
                format!("shared!({}: {});", rust.array(a as u32), shape(array.ty, &array.dims));
            rust.line(1, &line);
        }
    }
    rust.extents();
    rust.block(&kernel.body, 1);
    rust.line(0, "}");
    rust.text
}

/// The item of a function of two variables, whose result is an expression.
fn device_fn(function: &Function, kernel: &str) -> String {
    let body = function.body.as_ref().expect("a body");
    let result = Rust { kernel: body, domain: &[], text: String::new() }
        .expr(body.result.as_ref().expect("a result"));
    let ty = function.result;
    let name = name(function, kernel);
    format!("#[device_fn]\nfn {name}(v0: {ty}, v1: {ty}) -> {ty} {{\n    {result}\n}}\n\n")
}

/// The name of a function, of which every kernel has its own.
fn name(function: &Function, kernel: &str) -> String {
    let name = function.name.rsplit("::").next().unwrap_or_default();
    format!("{name}_{kernel}")
}

fn ty(kind: ParamKind) -> String {
    match kind {
        ParamKind::Scalar(ty) => ty.to_string(),
        ParamKind::Slice { ty, mutable: false } => format!("&[{ty}]"),
        ParamKind::Slice { ty, mutable: true } => format!("&mut [{ty}]"),
        ParamKind::View { ty, rank, mutable: false } => format!("View<{ty}, {rank}>"),
        ParamKind::View { ty, rank, mutable: true } => format!("ViewMut<{ty}, {rank}>"),
    }
}

fn shape(ty: Type, dims: &[u32]) -> String {
    dims.iter().rev().fold(ty.to_string(), |inner, n| format!("[{inner}; {n}]"))
}

struct Rust<'a> {
    kernel: &'a Kernel,
    domain: &'a [usize],
    text: String,
}

impl Rust<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 4 * depth);
    }

    /// Variables with the extents of the views that are written: in an index of such a view, Rust takes
    /// no use of it.
    fn extents(&mut self) {
        for param in &self.kernel.params {
            if let ParamKind::View { rank, mutable: true, .. } = param.kind {
                let name = &param.name;
                (0..rank)
                    .for_each(|d| self.line(1, &format!("let {name}_{d} = {name}.extent({d});")));
            }
        }
    }

    fn array(&self, array: u32) -> String {
        format!("{}_{array}", self.kernel.arrays[array as usize].name)
    }

    fn block(&mut self, body: &[Stmt], depth: usize) {
        body.iter().for_each(|stmt| self.stmt(stmt, depth));
    }

    fn nest(&mut self, head: &str, body: &[Stmt], depth: usize) {
        self.line(depth, &format!("{head} {{"));
        self.block(body, depth + 1);
        self.line(depth, "}");
    }

    fn declare(&self, var: u32) -> String {
        format!("let mut v{var}: {}", self.kernel.vars[var as usize].ty)
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize) {
        let line = match stmt {
            Stmt::Let(v, e) => format!("{} = {};", self.declare(*v), self.expr(e)),
            Stmt::Assign(v, e) => format!("v{v} = {};", self.expr(e)),
            Stmt::Store { buffer, indices, value, .. } => {
                format!("{} = {};", self.element(*buffer, indices), self.expr(value))
            }
            Stmt::Fill(array, e) => {
                let dims = &self.kernel.arrays[*array as usize].dims;
                let value = dims.iter().rev().fold(self.expr(e), |v, n| format!("[{v}; {n}]"));
                format!("let mut {} = {value};", self.array(*array))
            }
            Stmt::Atomic(a) => {
                let values: Vec<_> = a.values.iter().map(|e| self.expr(e)).collect();
                let (place, values) = (self.element(a.buffer, &a.indices), values.join(", "));
                let old = a.old.map(|var| self.declare(var) + " = ").unwrap_or_default();
                format!("{old}atomic_{}(&mut {place}, {values});", a.op.name())
            }
            Stmt::If(c, a, b) => {
                self.nest(&format!("if {}", self.expr(c)), a, depth);
                if !b.is_empty() {
                    self.text.truncate(self.text.trim_end().len());
                    self.text.push_str(" else {\n");
                    self.block(b, depth + 1);
                    self.line(depth, "}");
                }
                return;
            }
            Stmt::For(v, a, b, body) => {
                return self.nest(
                    &format!("for v{v} in {}..{}", self.expr(a), self.expr(b)),
                    body,
                    depth,
                );
            }
            Stmt::ForGroup(v, n, body) => {
                return self.nest(
                    &format!("for v{v} in group_range({})", self.expr(n)),
                    body,
                    depth,
                );
            }
            Stmt::While(c, body) => {
                return self.nest(&format!("while {}", self.expr(c)), body, depth);
            }
            Stmt::Break => "break;".to_owned(),
            Stmt::Continue => "continue;".to_owned(),
            Stmt::Barrier(_) => "barrier();".to_owned(),
            Stmt::GroupReduce { var, op, value, .. } => {
                let name = match op {
                    GroupOp::Sum => "sum",
                    GroupOp::Min => "min",
                    GroupOp::Max => "max",
                    GroupOp::Function(_) => panic!("a reduction by a function has no source here"),
                };
                format!("{} = group_{name}({});", self.declare(*var), self.expr(value))
            }
        };
        self.line(depth, &line);
    }

    fn buffer(&self, buffer: Buffer) -> String {
        match buffer {
            Buffer::Param(p) => self.kernel.params[p as usize].name.clone(),
            Buffer::Array(a) => self.array(a),
        }
    }

    fn element(&self, buffer: Buffer, indices: &[Expr]) -> String {
        let name = self.buffer(buffer);
        if let Buffer::Param(p) = buffer
            && let ParamKind::View { .. } = self.kernel.params[p as usize].kind
        {
            let indices: Vec<_> = indices.iter().map(|e| self.expr(e)).collect();
            return format!("{name}[[{}]]", indices.join(", "));
        }
        indices.iter().fold(name, |name, e| format!("{name}[{}]", self.expr(e)))
    }

    fn expr(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Float(bits) => float(*bits, e.ty),
            ExprKind::Int(value) => integer(*value, e.ty),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Var(v) => format!("v{v}"),
            ExprKind::Param(p) => self.kernel.params[*p as usize].name.clone(),
            ExprKind::Len(buffer) => format!("{}.len()", self.buffer(*buffer)),
            ExprKind::Dim(buffer, d) if self.kernel.buffer(*buffer).is_some_and(|b| b.mutable) => {
                format!("{}_{d}", self.buffer(*buffer))
            }
            ExprKind::Dim(buffer, d) => format!("{}.extent({d})", self.buffer(*buffer)),
            ExprKind::Load(buffer, indices) => self.element(*buffer, indices),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Neg(a) => format!("(-{})", self.expr(a)),
            ExprKind::Not(a) => format!("(!{})", self.expr(a)),
            // Rust goes from `bool` to integers only.
            ExprKind::Cast(a) if a.ty == Type::Bool && e.ty.is_float() => {
                format!("({} as u32 as {})", self.expr(a), e.ty)
            }
            ExprKind::Cast(a) => format!("({} as {})", self.expr(a), e.ty),
            ExprKind::Math(MathFn::FromBits, args) => {
                format!("{}::from_bits({})", e.ty, self.expr(&args[0]))
            }
            ExprKind::Math(f, args) => {
                let rest: Vec<_> = args[1..].iter().map(|a| self.expr(a)).collect();
                format!("{}.{}({})", self.expr(&args[0]), f.name(), rest.join(", "))
            }
            ExprKind::Select(c, a, b) => {
                format!("(if {} {{ {} }} else {{ {} }})", self.expr(c), self.expr(a), self.expr(b))
            }
            ExprKind::Call(f, args) => {
                let args: Vec<_> = args.iter().map(|a| self.expr(a)).collect();
                let function = &self.kernel.functions[*f as usize];
                format!("{}({})", name(function, &self.kernel.name), args.join(", "))
            }
            ExprKind::Gid(d) => format!("gid({d})"),
            ExprKind::Lid(d) => format!("lid({d})"),
            ExprKind::Group(d) => format!("grp({d})"),
            ExprKind::Extent(d) => format!("{}_usize", self.domain[usize::from(*d)]),
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> String {
        format!("({} {} {})", self.expr(a), op.symbol(), self.expr(b))
    }
}

fn float(bits: u64, ty: Type) -> String {
    let value =
        if ty == Type::F32 { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) };
    let text = match ty {
        Type::F32 => format!("{:?}_f32", (value as f32).abs()),
        _ => format!("{:?}_f64", value.abs()),
    };
    let text = match value {
        v if v.is_nan() => format!("{ty}::NAN"),
        v if v.is_infinite() => format!("{ty}::INFINITY"),
        _ => text,
    };
    if value.is_sign_negative() { format!("(-{text})") } else { text }
}

fn integer(value: i128, ty: Type) -> String {
    match ty.integer_range() {
        Some((min, _)) if value == min && value < 0 => format!("{ty}::MIN"),
        _ if value < 0 => format!("(-{}_{ty})", -value),
        _ => format!("{value}_{ty}"),
    }
}
