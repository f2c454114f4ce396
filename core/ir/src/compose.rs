//! Maps that are computed together, as one map.

use crate::check::{Invalid, check};
use crate::{Expr, ExprKind, Function, Kernel, Param, ParamKind, Stmt, Type, Variable};

/// One of the maps that [`compose`] joins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// The map.
    pub map: &'a Kernel,
    /// Where each of its arguments comes from.
    pub operands: Vec<Source>,
}

/// Where an argument comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The parameter of the whole with this index.
    Param(u32),
    /// The result of the part with this index, an earlier one.
    Part(u32),
}

/// The map that computes its parts in order and has the value of the last one.
///
/// Every part is a function of the whole, so each of its operations rounds as it does alone: the
/// whole has the bits of the parts, one after the other.
///
/// ```
/// use ringwood_ir::{Part, Source, compose, decode};
///
/// let double = decode("kir2 double 0 - 0 1 x s f32 0 0 0 0 0 * f32:2 p f32:0 0 f f32:1 40000000")?;
/// let parts = [
///     Part { map: &double, operands: vec![Source::Param(0)] },
///     Part { map: &double, operands: vec![Source::Part(0)] },
/// ];
/// let quadruple = compose("quadruple", &parts).unwrap();
/// assert_eq!((quadruple.params.len(), quadruple.functions.len()), (1, 1));
/// # Ok::<(), ringwood_ir::Malformed>(())
/// ```
///
/// # Errors
/// There are no parts; one is no map, or takes other arguments than it is given; a parameter is
/// never used, or as two types.
pub fn compose(name: &str, parts: &[Part<'_>]) -> Result<Kernel, Invalid> {
    let mut whole = Kernel { name: name.into(), params: params(parts)?, ..Kernel::default() };
    for (index, part) in parts.iter().enumerate() {
        let result = part.map.result.as_ref().ok_or_else(|| wrong(part, "is no map"))?;
        let function = function(&mut whole, part.map, result.ty);
        let argument = |source: &Source| argument(&whole, *source, index);
        let arguments: Option<Vec<_>> = part.operands.iter().map(argument).collect();
        let arguments = arguments.ok_or_else(|| wrong(part, "uses what comes later"))?;
        let kind = ExprKind::Call(function, arguments);
        whole.body.push(Stmt::Let(index as u32, Expr { kind, ty: result.ty, site: 0 }));
        whole.vars.push(Variable { name: part.map.name.clone(), ty: result.ty });
    }
    let last = whole.vars.len().checked_sub(1).map(|last| (last as u32, whole.vars[last].ty));
    whole.result = last.map(|(var, ty)| Expr { kind: ExprKind::Var(var), ty, site: 0 });
    check(&whole)?;
    Ok(whole)
}

fn wrong(part: &Part<'_>, what: &str) -> Invalid {
    Invalid { site: 0, message: format!("part `{}` {what}", part.map.name) }
}

/// The parameters of the whole, each with the type that the first part takes it as.
fn params(parts: &[Part<'_>]) -> Result<Vec<Param>, Invalid> {
    let mut types: Vec<Option<Type>> = Vec::new();
    for part in parts {
        if part.map.params.len() != part.operands.len() {
            return Err(wrong(part, &format!("takes {} arguments", part.map.params.len())));
        }
        for (param, operand) in part.map.params.iter().zip(&part.operands) {
            if let (Source::Param(index), ParamKind::Scalar(ty)) = (operand, param.kind) {
                let index = *index as usize;
                types.resize(types.len().max(index + 1), None);
                types[index].get_or_insert(ty);
            }
        }
    }
    let param = |(index, ty): (usize, Option<Type>)| match ty {
        Some(ty) => Ok(Param { name: format!("x{index}"), kind: ParamKind::Scalar(ty) }),
        None => Err(Invalid { site: 0, message: format!("parameter {index} is never used") }),
    };
    types.into_iter().enumerate().map(param).collect()
}

/// The index of a map among the functions of the whole, to which it is added if it is missing.
pub(crate) fn function(whole: &mut Kernel, map: &Kernel, result: Type) -> u32 {
    let known = whole.functions.iter().position(|f| f.body.as_deref() == Some(map));
    let index = known.unwrap_or_else(|| {
        let params = map.params.iter().map(|p| p.kind.ty()).collect();
        let body = Some(Box::new(map.clone()));
        whole.functions.push(Function { name: map.name.clone(), params, result, body });
        whole.functions.len() - 1
    });
    index as u32
}

/// The value of an argument of the part with this index; `None` unless it is there by then.
fn argument(whole: &Kernel, source: Source, part: usize) -> Option<Expr> {
    let (kind, ty) = match source {
        Source::Param(index) => match whole.params.get(index as usize)?.kind {
            ParamKind::Scalar(ty) => (ExprKind::Param(index), ty),
            _ => return None,
        },
        Source::Part(index) if (index as usize) < part => {
            (ExprKind::Var(index), whole.vars[index as usize].ty)
        }
        Source::Part(_) => return None,
    };
    Some(Expr { kind, ty, site: 0 })
}

#[cfg(test)]
mod tests;
