//! The rules that a kernel obeys.

mod expr;
mod stmt;

use crate::{Buffer, BufferInfo, Divergence, Expr, Kernel, ParamKind, Space, Type, Uniformity};
use std::fmt;
use stmt::Loop;

/// A rule that a kernel breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The site of the expression or statement at fault.
    pub site: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid kernel at site {}: {}", self.site, self.message)
    }
}

impl std::error::Error for Invalid {}

/// Checks that every operand has the type its operation takes, and that every index into the tables
/// of the kernel exists. What passes can be run and printed without further questions.
///
/// # Errors
/// The first rule broken.
pub fn check(kernel: &Kernel) -> Result<(), Invalid> {
    let checker = Checker(kernel);
    checker.signature()?;
    checker.tables()?;
    for condition in &kernel.requires {
        checker.expr(condition, Type::Bool)?;
        if !Kernel::is_uniform(condition) {
            return fail(condition.site, "a requirement is over parameters, lengths and extents");
        }
    }
    checker.block(&kernel.body, Loop::None)?;
    kernel.result.as_ref().map_or(Ok(()), |e| checker.expr(e, e.ty))?;
    match Uniformity::of(kernel).divergences().first() {
        Some(Divergence { operation, value }) => fail(
            *operation,
            format!(
                "an operation of the group in control that varies with the value at site {value}"
            ),
        ),
        None => Ok(()),
    }
}

/// The largest rank of a view.
pub const MAX_RANK: u8 = 8;

/// The most work-items of a group.
const MAX_GROUP: usize = 1024;

struct Checker<'a>(&'a Kernel);

fn fail<T>(site: u32, message: impl Into<String>) -> Result<T, Invalid> {
    Err(Invalid { site, message: message.into() })
}

impl Checker<'_> {
    fn signature(&self) -> Result<(), Invalid> {
        let kernel = self.0;
        if kernel.rank > 3 {
            return fail(0, format!("rank {} exceeds 3", kernel.rank));
        }
        if kernel.result.is_some() != (kernel.rank == 0) {
            return fail(0, "a map has rank 0 and a result, other kernels neither");
        }
        for param in &kernel.params {
            match param.kind {
                ParamKind::Scalar(_) => {}
                _ if kernel.rank == 0 => return fail(0, "a map takes scalars"),
                ParamKind::Slice { ty, .. } | ParamKind::View { ty, .. } if ty == Type::Usize => {
                    return fail(0, "memory holds no `usize`");
                }
                ParamKind::View { rank, .. } if rank > MAX_RANK => {
                    return fail(0, format!("a view of rank {rank}; the most is {MAX_RANK}"));
                }
                _ => {}
            }
        }
        self.group()
    }

    fn group(&self) -> Result<(), Invalid> {
        let Some(size) = self.0.group else { return Ok(()) };
        if self.0.rank == 0 {
            return fail(0, "a map has no groups");
        }
        let count = size.iter().try_fold(1_usize, |n, d| n.checked_mul(*d as usize));
        match count {
            Some(n) if n.is_power_of_two() && n <= MAX_GROUP => Ok(()),
            _ => {
                fail(0, format!("a group of {size:?}: a power of two up to {MAX_GROUP} is needed"))
            }
        }
    }

    fn tables(&self) -> Result<(), Invalid> {
        for array in &self.0.arrays {
            let elements = array.dims.iter().try_fold(1_u32, |n, d| n.checked_mul(*d));
            if array.dims.is_empty() || elements.is_none_or(|n| n == 0) {
                return fail(0, format!("array `{}` of extents {:?}", array.name, array.dims));
            }
            if array.space == Space::Shared && self.0.group.is_none() {
                return fail(0, format!("shared array `{}` without a group", array.name));
            }
        }
        self.0.functions.iter().try_for_each(|function| {
            let Some(body) = &function.body else { return Ok(()) };
            let scalar = |ty: &Type| ParamKind::Scalar(*ty);
            let fits = body.params.iter().map(|p| p.kind).eq(function.params.iter().map(scalar))
                && body.result.as_ref().is_some_and(|e| e.ty == function.result);
            if !fits {
                return fail(0, format!("function `{}` has other types", function.name));
            }
            check(body)
        })
    }

    /// What is known of the buffer of an access with these indices.
    fn access(
        &self,
        buffer: Buffer,
        indices: &[Expr],
        site: u32,
    ) -> Result<BufferInfo<'_>, Invalid> {
        let info = self.buffer(buffer, site)?;
        if indices.len() != info.rank {
            let (found, rank) = (indices.len(), info.rank);
            return fail(site, format!("{found} indices into `{}` of rank {rank}", info.name));
        }
        indices.iter().try_for_each(|index| self.expr(index, Type::Usize))?;
        Ok(info)
    }

    fn must(&self, holds: bool, e: &Expr, what: &str) -> Result<(), Invalid> {
        if holds { Ok(()) } else { fail(e.site, format!("`{what}` does not exist for {}", e.ty)) }
    }

    fn var(&self, index: u32, site: u32) -> Result<Type, Invalid> {
        let var = self.0.vars.get(index as usize);
        var.map_or_else(|| fail(site, format!("no variable {index}")), |v| Ok(v.ty))
    }

    fn buffer(&self, buffer: Buffer, site: u32) -> Result<BufferInfo<'_>, Invalid> {
        self.0.buffer(buffer).map_or_else(|| fail(site, format!("no buffer {buffer:?}")), Ok)
    }
}
