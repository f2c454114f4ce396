//! Elements of buffers.

use super::body::{Body, Checks};
use super::names;
use crate::{Atomic, AtomicOp, Buffer, Expr, ExprKind, ParamKind, Space, Type};

/// An element, as printed.
enum Place {
    /// Known to exist.
    Certain(String),
    /// The largest `usize` stands for one outside, which is recorded if it must be.
    Compared(String),
}

impl Body<'_> {
    pub(super) fn load(&mut self, buffer: Buffer, indices: &[Expr], e: &Expr) -> String {
        let name = names::buffer(self.kernel, buffer);
        if let (Checks::Recorded, Some(len)) = (self.checks, self.slice_len(buffer)) {
            let (load, at) = (self.prelude.name("load", e.ty), self.expr(&indices[0]));
            return format!("{load}({name}, {at}, {len}, {}u, k_cell)", e.site);
        }
        match self.place(buffer, indices, e.site) {
            Place::Certain(at) => self.stored(buffer, e.ty, &format!("{name}[{at}]")),
            Place::Compared(at) => {
                let get = self.prelude.name(&format!("get_{}", self.space(buffer)), e.ty);
                format!("{get}({name}, {at})")
            }
        }
    }

    pub(super) fn store(
        &mut self,
        buffer: Buffer,
        indices: &[Expr],
        value: &Expr,
        site: u32,
    ) -> String {
        let name = names::buffer(self.kernel, buffer);
        if let (Checks::Recorded, Some(len)) = (self.checks, self.slice_len(buffer)) {
            let (at, stored) = (self.expr(&indices[0]), self.expr(value));
            let store = self.prelude.name("store", value.ty);
            return format!("{store}({name}, {at}, {stored}, {len}, {site}u, k_cell);");
        }
        let (place, stored) = (self.place(buffer, indices, site), self.expr(value));
        match place {
            Place::Certain(at) => {
                let stored = self.storable(buffer, value.ty, stored);
                format!("{name}[{at}] = {stored};")
            }
            Place::Compared(at) => {
                let set = self.prelude.name(&format!("set_{}", self.space(buffer)), value.ty);
                format!("{set}({name}, {at}, {stored});")
            }
        }
    }

    /// The value of an element as it lies in memory.
    fn stored(&mut self, buffer: Buffer, ty: Type, place: &str) -> String {
        match buffer {
            Buffer::Param(_) if ty.is_narrow() => {
                format!("{}({place})", self.prelude.name("wide", ty))
            }
            _ if ty == Type::Bool => format!("({place} != 0)"),
            _ => place.to_owned(),
        }
    }

    /// A value as it lies in memory.
    fn storable(&mut self, buffer: Buffer, ty: Type, value: String) -> String {
        match buffer {
            Buffer::Param(_) if ty.is_narrow() => {
                format!("(u16){}({value})", self.prelude.name("narrow", ty))
            }
            _ => value,
        }
    }

    pub(super) fn atomic(&mut self, atomic: &Atomic) -> String {
        let Atomic { op, buffer, indices, values, old, site } = atomic;
        let name = names::buffer(self.kernel, *buffer);
        let place = self.place(*buffer, indices, *site);
        let operands: Vec<_> = values.iter().map(|value| self.expr(value)).collect();
        let (ty, space) = (values[0].ty, self.space(*buffer));
        let operands = operands.join(", ");
        let call = match place {
            Place::Certain(at) => {
                let function = self.prelude.atomic(*op, ty, space, false);
                format!("{function}(&{name}[{at}], {operands});")
            }
            Place::Compared(at) => {
                let function = self.prelude.atomic(*op, ty, space, true);
                format!("{function}({name}, {at}, {operands});")
            }
        };
        match old {
            Some(var) => format!("{} = {call}", names::variable(self.kernel, *var)),
            None => call,
        }
    }

    /// The extent of a buffer along a dimension.
    pub(super) fn dim(&self, buffer: Buffer, dim: usize) -> String {
        match buffer {
            Buffer::Param(p) => match self.kernel.params[p as usize].kind {
                ParamKind::View { .. } => format!("k_dim{p}d{dim}"),
                _ => format!("k_len{p}"),
            },
            Buffer::Array(index) => {
                let extent = self.kernel.arrays[index as usize].dims[dim];
                super::literal::integer(extent.into(), self.ty(Type::Usize))
            }
        }
    }

    /// The length, if the buffer is a slice.
    fn slice_len(&self, buffer: Buffer) -> Option<String> {
        let Buffer::Param(p) = buffer else { return None };
        let slice = matches!(self.kernel.params[p as usize].kind, ParamKind::Slice { .. });
        slice.then(|| format!("k_len{p}"))
    }

    /// The word for the address space in the names of functions.
    fn space(&self, buffer: Buffer) -> &'static str {
        match buffer {
            Buffer::Param(_) => "global",
            Buffer::Array(index) => match self.kernel.arrays[index as usize].space {
                Space::Shared => "shared",
                Space::Local => "local",
            },
        }
    }

    fn place(&mut self, buffer: Buffer, indices: &[Expr], site: u32) -> Place {
        let at: Vec<_> = indices.iter().map(|e| self.expr(e)).collect();
        let dims: Vec<_> = (0..at.len()).map(|d| self.dim(buffer, d)).collect();
        let steps: Vec<_> = (0..at.len()).map(|d| self.step(buffer, d)).collect();
        if self.checks == Checks::None || self.constant(buffer, indices) {
            let terms = at.iter().zip(&steps).map(|(at, step)| match step {
                Some(step) => format!("{at} * {step}"),
                None => at.clone(),
            });
            let terms: Vec<_> = terms.collect();
            return Place::Certain(match terms.is_empty() {
                true => "0".to_owned(),
                false => terms.join(" + "),
            });
        }
        let one = super::literal::integer(1, self.ty(Type::Usize));
        let each = at.iter().zip(&dims).zip(&steps);
        let each =
            each.map(|((at, dim), step)| format!("{at}, {dim}, {}", step.as_ref().unwrap_or(&one)));
        let mut args: Vec<_> = each.collect();
        let recorded = self.checks == Checks::Recorded;
        if recorded {
            args.push(format!("{site}u, k_cell"));
        }
        let function = self.prelude.place(indices.len(), recorded);
        Place::Compared(format!("{function}({})", args.join(", ")))
    }

    /// The step along a dimension; `None` for 1.
    fn step(&self, buffer: Buffer, dim: usize) -> Option<String> {
        match buffer {
            Buffer::Param(p) => match self.kernel.params[p as usize].kind {
                ParamKind::View { .. } => Some(format!("k_stride{p}d{dim}")),
                _ => None,
            },
            Buffer::Array(index) => {
                let inner = &self.kernel.arrays[index as usize].dims[dim + 1..];
                let step: i128 = inner.iter().map(|d| i128::from(*d)).product();
                (step != 1).then(|| super::literal::integer(step, self.ty(Type::Usize)))
            }
        }
    }

    /// Whether the indices into an array are literals inside of it.
    fn constant(&self, buffer: Buffer, indices: &[Expr]) -> bool {
        let Buffer::Array(index) = buffer else { return indices.is_empty() };
        let dims = &self.kernel.arrays[index as usize].dims;
        indices.iter().zip(dims).all(|(e, dim)| match e.kind {
            ExprKind::Int(value) => value < i128::from(*dim),
            _ => false,
        })
    }
}

/// The function that finds the element with these indices, each followed by the extent and the step
/// of its dimension.
pub(super) fn place_text(name: &str, rank: usize, recorded: bool) -> String {
    let mut params: Vec<_> =
        (0..rank).map(|d| format!("usize i{d}, usize n{d}, usize s{d}")).collect();
    if recorded {
        params.push("u32 site, global u32* cell".to_owned());
    }
    let mut text = format!("fn usize {name}({}) {{\n", params.join(", "));
    for d in 0..rank {
        let fault =
            if recorded { format!("k_fault(i{d}, n{d}, site, cell); ") } else { String::new() };
        text.push_str(&format!("    if (i{d} >= n{d}) {{ {fault}return ~(usize)0; }}\n"));
    }
    let terms: Vec<_> = (0..rank).map(|d| format!("i{d} * s{d}")).collect();
    text.push_str(&format!("    return {};\n}}\n", terms.join(" + ")));
    text
}

/// The function of an atomic operation on an element, or, if it may be outside, on a pointer and an
/// index.
pub(super) fn atomic_text(
    name: &str,
    op: AtomicOp,
    ty: Type,
    space: &str,
    compared: bool,
) -> String {
    let space = if space == "shared" { "shared_data" } else { space };
    let values = if op.arity() == 2 { ["expected", "value"].as_slice() } else { &["value"] };
    let params: Vec<_> = values.iter().map(|v| format!("{ty} {v}")).collect();
    let (params, values) = (params.join(", "), values.join(", "));
    if compared {
        let inner = name.strip_suffix("_in").unwrap_or(name);
        return format!(
            "fn {ty} {name}({space} {ty}* data, usize at, {params}) {{\n    \
             if (at == ~(usize)0) return 0;\n    return {inner}(data + at, {values});\n}}\n"
        );
    }
    let (bits, width) = match ty {
        Type::I64 | Type::U64 => (Type::U64, 64),
        _ => (Type::U32, 32),
    };
    let body = match op {
        AtomicOp::Add if ty == Type::F32 => format!(
            "    {space} u32* cell = ({space} u32*)at;\n    u32 seen, old = *cell;\n    \
             do {{ seen = old; old = cas(cell, seen, bits_f32(f32_of(seen) + value)); }} while (old != seen);\n    \
             return f32_of(old);\n"
        ),
        AtomicOp::Min | AtomicOp::Max => {
            format!("    return atomic_{}{width}(at, value);\n", op.name())
        }
        AtomicOp::CompareExchange => {
            let cas = if width == 64 { "atomic_cas64" } else { "cas" };
            format!(
                "    return ({ty}){cas}(({space} {bits}*)at, ({bits})expected, ({bits})value);\n"
            )
        }
        _ => format!(
            "    return ({ty})atomic_{}{width}(({space} {bits}*)at, ({bits})value);\n",
            op.name()
        ),
    };
    format!("fn {ty} {name}({space} {ty}* at, {params}) {{\n{body}}}\n")
}
