//! Maps that are computed together, as one kernel.
//!
//! For devices that compile printed kernels it is one function of the typed IR. Native code runs the
//! maps one after the other on blocks that stay in cache. Neither rounds otherwise than the maps do
//! alone. Where kernels are printed, maps are also computed in another kernel, where it loads
//! ([`fuse_producers`]).

mod producers;

pub use producers::{ARGUMENT_BYTES, Consumer, fuse_producers};

use super::chain::Chain;
use super::native::OwnedNative;
use super::{Form, Kernel, KernelSpec, Param, ParamKind};
use ringwood_base::sync::lock;
use ringwood_base::{Bounded, DType, Error, Result};
use ringwood_ir::{self as ir, Modes, Part, Source, compose, decode, encode};
use std::hash::Hash;
use std::sync::{Arc, LazyLock, Mutex};

/// The kernels of the last so many combinations of maps are kept, and up to twice as many.
const KEPT: usize = 256;

/// One of the maps of a fused kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FusedPart {
    /// The map.
    pub kernel: Kernel,
    /// Where each argument comes from.
    pub operands: Vec<Source>,
}

/// Whether a kernel can be a part of a fused one: a map with its typed IR, and with native code that
/// the macro wrote [for it](KernelSpec::check_native), if with any. Not one with arrays, where an access can be out of bounds: it stays
/// alone, so that its error names the place. Not a relaxed one either: the whole is strict.
pub fn fuses(kernel: &Kernel) -> bool {
    let spec = kernel.spec();
    let native = spec.native.is_none_or(|native| native.loops().is_some());
    let ir = || spec.ir.and_then(|text| decode(text).ok());
    spec.form == Form::Map
        && native
        && spec.check_native().is_ok()
        && ir().is_some_and(|ir| ir.modes == Modes::default() && !has_arrays(&ir))
}

fn has_arrays(kernel: &ir::Kernel) -> bool {
    let functions = kernel.functions.iter().filter_map(|f| f.body.as_deref());
    !kernel.arrays.is_empty() || functions.into_iter().any(has_arrays)
}

/// The kernel that computes `parts` in order; its result is that of the last.
///
/// Equal parts that were asked for lately give the same kernel.
///
/// # Errors
/// A part does not [fuse](fuses), or reads what is not there.
pub fn fuse(parts: &[FusedPart]) -> Result<Kernel> {
    static FUSED: Kept<Vec<FusedPart>> = LazyLock::new(|| Mutex::new(Bounded::new(KEPT)));
    keep(&FUSED, parts.to_vec(), |parts| define(parts))
}

/// Kernels by what they are made of.
type Kept<K> = LazyLock<Mutex<Bounded<K, Kernel>>>;

/// The kernel that was kept for a key, or else is kept from now on.
fn keep<K: Eq + Hash>(
    kept: &Kept<K>,
    key: K,
    define: impl FnOnce(&K) -> Result<Kernel>,
) -> Result<Kernel> {
    let mut kept = lock(kept);
    if let Some(kernel) = kept.get(&key) {
        return Ok(kernel);
    }
    let kernel = define(&key)?;
    kept.insert(key, kernel.clone());
    Ok(kernel)
}

fn define(parts: &[FusedPart]) -> Result<Kernel> {
    if let Some(part) = parts.iter().find(|part| !fuses(&part.kernel)) {
        let message = format!("kernel `{}` cannot be a part of a fused one", part.kernel.name());
        return Err(Error::unsupported(message));
    }
    let name = name(parts);
    let ir = whole(&name, parts)?;
    let params = params(&ir, parts);
    let text = encode(&ir);
    let chain = chain(parts, &params, &text).map(|chain| OwnedNative::Chain(Arc::new(chain)));
    let native = chain.as_ref().map(OwnedNative::native);
    let spec = KernelSpec { ir: Some(&text), native, ..KernelSpec::new(&name, Form::Map, &params) };
    Ok(Kernel::from(&spec))
}

/// Native code of all parts, if each has some.
fn chain(parts: &[FusedPart], params: &[Param], ir: &str) -> Option<Chain> {
    let code = |part: &FusedPart| part.kernel.spec().native?.loops();
    let linked = parts.iter().map(|part| Some((code(part)?, part.operands.as_slice())));
    Chain::new(&linked.collect::<Option<Vec<_>>>()?, params, ir)
}

/// `mul_add_tanh`, or `mul_add_tanh_and_7_more`.
fn name(parts: &[FusedPart]) -> String {
    const NAMED: usize = 3;
    let names: Vec<_> = parts.iter().take(NAMED).map(|part| part.kernel.name()).collect();
    match parts.len().saturating_sub(NAMED) {
        0 => names.join("_"),
        more => format!("{}_and_{more}_more", names.join("_")),
    }
}

fn whole(name: &str, parts: &[FusedPart]) -> Result<ir::Kernel> {
    let kernels = parts.iter().map(|part| part.kernel.spec().kernel());
    let kernels = kernels.collect::<Result<Vec<_>>>()?;
    let part = |(map, part): (_, &FusedPart)| Part { map, operands: part.operands.clone() };
    let composed: Vec<_> = kernels.iter().zip(parts).map(part).collect();
    compose(name, &composed)
        .map_err(|e| Error::invalid(format!("`{name}` cannot be fused: {}", e.message)))
}

/// The parameters of a launch: the arguments of the parts that come from outside, and the result.
fn params(ir: &ir::Kernel, parts: &[FusedPart]) -> Vec<Param> {
    let mut params: Vec<_> = (0..ir.params.len()).map(|index| input(index, parts)).collect();
    let result = parts.last().and_then(|part| part.kernel.params().last()?.kind.dtype());
    params.push(slice("result", result.unwrap_or(DType::F32), true));
    params
}

/// The parameter for an input: as that of the first part that takes it.
fn input(index: usize, parts: &[FusedPart]) -> Param {
    let mut taken = parts.iter().flat_map(|part| part.kernel.params().iter().zip(&part.operands));
    let source = Source::Param(index as u32);
    let param = taken.find(|(_, s)| **s == source).map(|(param, _)| param);
    let (name, kind) = param.map_or(("unused", None), |param| (param.name, param.kind.dtype()));
    slice(name, kind.unwrap_or(DType::F32), false)
}

const fn slice(name: &'static str, dtype: DType, mutable: bool) -> Param {
    Param { name, kind: ParamKind::Slice { dtype, mutable } }
}

#[cfg(test)]
mod tests;
