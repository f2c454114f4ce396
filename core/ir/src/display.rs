//! Kernels printed for people, in the notation of Rust.

use crate::{Buffer, Expr, ExprKind, GroupOp, Kernel, ParamKind, Space, Stmt, Value};
use std::fmt::{self, Display, Formatter};

impl Kernel {
    /// An expression of this kernel, printed for people.
    pub fn show(&self, e: &Expr) -> String {
        Shown(self, e).to_string()
    }
}

impl Display for Kernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "kernel {}(", self.name)?;
        for (i, param) in self.params.iter().enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            let kind = match param.kind {
                ParamKind::Scalar(ty) => ty.to_string(),
                ParamKind::Slice { ty, mutable: false } => format!("&[{ty}]"),
                ParamKind::Slice { ty, mutable: true } => format!("&mut [{ty}]"),
                ParamKind::View { ty, rank, mutable: false } => format!("View<{ty}, {rank}>"),
                ParamKind::View { ty, rank, mutable: true } => format!("ViewMut<{ty}, {rank}>"),
            };
            write!(f, "{separator}{}: {kind}", param.name)?;
        }
        match &self.result {
            Some(result) => write!(f, ") -> {}", result.ty)?,
            None => write!(f, ") over {} dimensions", self.rank)?,
        }
        if let Some([x, y, z]) = self.group {
            write!(f, " of groups of {x} x {y} x {z}")?;
        }
        for condition in &self.requires {
            write!(f, "\n    requires {}", Shown(self, condition))?;
        }
        writeln!(f, " {{")?;
        for array in &self.arrays {
            let space = if array.space == Space::Shared { "shared" } else { "local" };
            writeln!(f, "    {space} {}: {} {:?};", array.name, array.ty, array.dims)?;
        }
        block(self, f, &self.body, 1)?;
        if let Some(result) = &self.result {
            writeln!(f, "    {}", Shown(self, result))?;
        }
        write!(f, "}}")
    }
}

fn block(kernel: &Kernel, f: &mut Formatter<'_>, body: &[Stmt], depth: usize) -> fmt::Result {
    body.iter().try_for_each(|stmt| {
        write!(f, "{:1$}", "", depth * 4)?;
        statement(kernel, f, stmt, depth)
    })
}

fn statement(kernel: &Kernel, f: &mut Formatter<'_>, stmt: &Stmt, depth: usize) -> fmt::Result {
    let (shown, end) = (|e| Shown(kernel, e), "    ".repeat(depth));
    match stmt {
        Stmt::Let(v, e) => {
            writeln!(f, "let {}: {} = {};", variable(kernel, *v), e.ty, shown(e))
        }
        Stmt::Assign(v, e) => writeln!(f, "{} = {};", variable(kernel, *v), shown(e)),
        Stmt::Store { buffer, indices, value, site } => {
            let place = element(kernel, *buffer, indices);
            writeln!(f, "{place} = {};  // site {site}", shown(value))
        }
        Stmt::Fill(array, value) => {
            let name = buffer_name(kernel, Buffer::Array(*array));
            writeln!(f, "{name} = [{}; _];", shown(value))
        }
        Stmt::Atomic(atomic) => {
            if let Some(old) = atomic.old {
                write!(f, "let {} = ", variable(kernel, old))?;
            }
            let place = element(kernel, atomic.buffer, &atomic.indices);
            write!(f, "atomic_{}(&mut {place}", atomic.op.name())?;
            atomic.values.iter().try_for_each(|value| write!(f, ", {}", shown(value)))?;
            writeln!(f, ");  // site {}", atomic.site)
        }
        Stmt::If(c, a, b) => {
            writeln!(f, "if {} {{", shown(c))?;
            block(kernel, f, a, depth + 1)?;
            if !b.is_empty() {
                writeln!(f, "{end}}} else {{")?;
                block(kernel, f, b, depth + 1)?;
            }
            writeln!(f, "{end}}}")
        }
        Stmt::For(v, a, b, body) => {
            writeln!(f, "for {} in {}..{} {{", variable(kernel, *v), shown(a), shown(b))?;
            block(kernel, f, body, depth + 1)?;
            writeln!(f, "{end}}}")
        }
        Stmt::ForGroup(v, n, body) => {
            writeln!(f, "for {} in group_range({}) {{", variable(kernel, *v), shown(n))?;
            block(kernel, f, body, depth + 1)?;
            writeln!(f, "{end}}}")
        }
        Stmt::While(c, body) => {
            writeln!(f, "while {} {{", shown(c))?;
            block(kernel, f, body, depth + 1)?;
            writeln!(f, "{end}}}")
        }
        Stmt::Break => writeln!(f, "break;"),
        Stmt::Continue => writeln!(f, "continue;"),
        Stmt::Barrier(site) => writeln!(f, "barrier();  // site {site}"),
        Stmt::GroupReduce { var, op, value, site } => {
            let name = match op {
                GroupOp::Sum => "group_sum",
                GroupOp::Min => "group_min",
                GroupOp::Max => "group_max",
                GroupOp::Function(f) => function(kernel, *f),
            };
            let var = variable(kernel, *var);
            writeln!(f, "let {var} = {name}({});  // site {site}", shown(value))
        }
    }
}

/// An element of a buffer.
fn element(kernel: &Kernel, buffer: Buffer, indices: &[Expr]) -> String {
    let indices: Vec<_> = indices.iter().map(|e| kernel.show(e)).collect();
    let (name, list) = (buffer_name(kernel, buffer), indices.join(", "));
    if indices.len() == 1 { format!("{name}[{list}]") } else { format!("{name}[[{list}]]") }
}

fn function(kernel: &Kernel, index: u32) -> &str {
    kernel.functions.get(index as usize).map_or("?", |f| f.name.as_str())
}

/// The name in the source, and the number that tells variables of one name apart.
fn variable(kernel: &Kernel, index: u32) -> String {
    let name = kernel.vars.get(index as usize).map_or("?", |v| v.name.as_str());
    format!("{name}_{index}")
}

fn buffer_name(kernel: &Kernel, buffer: Buffer) -> &str {
    kernel.buffer(buffer).map_or("?", |info| info.name)
}

struct Shown<'a>(&'a Kernel, &'a Expr);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Shown(kernel, e) = *self;
        let shown = |e| Shown(kernel, e);
        match &e.kind {
            ExprKind::Float(bits) => {
                write!(f, "{}_{}", Value::of_bits(*bits, e.ty).literal(), e.ty)
            }
            ExprKind::Int(value) => write!(f, "{value}_{}", e.ty),
            ExprKind::Bool(value) => value.fmt(f),
            ExprKind::Var(v) => f.write_str(&variable(kernel, *v)),
            ExprKind::Param(p) => {
                f.write_str(kernel.params.get(*p as usize).map_or("?", |p| p.name.as_str()))
            }
            ExprKind::Len(buffer) => write!(f, "{}.len()", buffer_name(kernel, *buffer)),
            ExprKind::Dim(buffer, d) => write!(f, "{}.extent({d})", buffer_name(kernel, *buffer)),
            ExprKind::Load(buffer, indices) => f.write_str(&element(kernel, *buffer, indices)),
            ExprKind::Binary(op, a, b) => {
                write!(f, "({} {} {})", shown(a), op.symbol(), shown(b))
            }
            ExprKind::Neg(a) => write!(f, "-{}", shown(a)),
            ExprKind::Not(a) => write!(f, "!{}", shown(a)),
            ExprKind::Cast(a) => write!(f, "({} as {})", shown(a), e.ty),
            ExprKind::Math(function, args) => call(kernel, f, function.name(), args),
            ExprKind::Call(index, args) => call(kernel, f, function(kernel, *index), args),
            ExprKind::Select(c, a, b) => {
                write!(f, "(if {} {{ {} }} else {{ {} }})", shown(c), shown(a), shown(b))
            }
            ExprKind::Gid(d) => write!(f, "gid({d})"),
            ExprKind::Extent(d) => write!(f, "extent({d})"),
            ExprKind::Lid(d) => write!(f, "lid({d})"),
            ExprKind::Group(d) => write!(f, "grp({d})"),
        }
    }
}

fn call(kernel: &Kernel, f: &mut Formatter<'_>, name: &str, args: &[Expr]) -> fmt::Result {
    write!(f, "{name}(")?;
    for (i, arg) in args.iter().enumerate() {
        write!(f, "{}{}", if i == 0 { "" } else { ", " }, Shown(kernel, arg))?;
    }
    f.write_str(")")
}

#[cfg(test)]
mod tests;
