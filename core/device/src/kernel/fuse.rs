//! Maps that are computed together, as one kernel.
//!
//! For devices that compile printed kernels it is one function of the typed IR. Native code runs the
//! maps one after the other on blocks that stay in cache. Neither rounds otherwise than the maps do
//! alone. Where kernels are printed, maps are also computed in another kernel, where it loads
//! ([`feed`]).

mod chain;
mod feed;
mod gather;

pub(super) use chain::Chain;
pub use feed::{ARGUMENT_BYTES, Fed, feed};

use super::{Form, Instance, KernelDef, KernelSpec, Native, Param, ParamKind};
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_ir::{Kernel, Modes, Part, Source, compose, decode, encode};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{LazyLock, Mutex, PoisonError};

/// One of the maps of a fused kernel.
#[derive(Clone, Debug)]
pub struct FusedPart {
    /// The declaration.
    pub def: &'static KernelDef,
    /// One of its instances.
    pub instance: &'static Instance,
    /// Where each argument comes from.
    pub operands: Vec<Source>,
}

/// Whether a kernel can be a part of a fused one: a map with its typed IR, and with native code that
/// the macro wrote, if with any. Not one with arrays, where an access can be out of bounds: it stays
/// alone, so that its error names the place. Not a relaxed one either: the whole is strict.
pub fn fuses(def: &KernelDef, instance: &Instance) -> bool {
    let native = instance.native.is_none_or(|native| native.loops().is_some());
    let ir = || instance.ir.and_then(|text| decode(text).ok());
    def.form == Form::Map
        && native
        && ir().is_some_and(|ir| ir.modes == Modes::default() && !has_arrays(&ir))
}

fn has_arrays(kernel: &Kernel) -> bool {
    let functions = kernel.functions.iter().filter_map(|f| f.body.as_deref());
    !kernel.arrays.is_empty() || functions.into_iter().any(has_arrays)
}

/// The kernel that computes `parts` in order; its result is that of the last. It has one instance.
///
/// Equal parts give the same kernel, which lives as long as the program: devices compile it once.
///
/// # Errors
/// A part does not [fuse](fuses), or reads what is not there.
pub fn fuse(parts: &[FusedPart]) -> Result<&'static KernelDef> {
    static FUSED: LazyLock<Kept<Key>> = LazyLock::new(Mutex::default);
    keep(&FUSED, key(parts), || define(parts))
}

/// Parts by their addresses.
type Key = Vec<(usize, usize, Vec<Source>)>;

fn key(parts: &[FusedPart]) -> Key {
    let key = |part: &FusedPart| {
        let (def, instance) = (std::ptr::from_ref(part.def), std::ptr::from_ref(part.instance));
        (def.addr(), instance.addr(), part.operands.clone())
    };
    parts.iter().map(key).collect()
}

/// Kernels that live as long as the program.
type Kept<K> = Mutex<HashMap<K, &'static KernelDef>>;

/// The kernel that was kept for a key, or else is kept from now on.
fn keep<K: Eq + Hash>(
    kept: &Kept<K>,
    key: K,
    define: impl FnOnce() -> Result<KernelDef>,
) -> Result<&'static KernelDef> {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(def) = kept.get(&key) {
        return Ok(def);
    }
    let def: &'static KernelDef = Box::leak(Box::new(define()?));
    kept.insert(key, def);
    Ok(def)
}

fn define(parts: &[FusedPart]) -> Result<KernelDef> {
    if let Some(part) = parts.iter().find(|part| !fuses(part.def, part.instance)) {
        let message = format!("kernel `{}` cannot be a part of a fused one", part.def.name);
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let name: &'static str = name(parts).leak();
    let ir = whole(name, parts)?;
    let params = params(&ir, parts);
    let native = Chain::new(parts, &params).map(|chain| Native::chain(Box::leak(Box::new(chain))));
    let ir: &'static str = encode(&ir).leak();
    let instance = Instance { ir: Some(ir), native, ..Instance::new(params.leak()) };
    Ok(KernelDef {
        name,
        form: Form::Map,
        devices: devices(parts).leak(),
        instances: Box::leak(Box::new([instance])),
        file: "",
        line: 0,
    })
}

/// `mul_add_tanh`, or `mul_add_tanh_and_7_more`.
fn name(parts: &[FusedPart]) -> String {
    const NAMED: usize = 3;
    let names: Vec<_> = parts.iter().take(NAMED).map(|part| part.def.name).collect();
    match parts.len().saturating_sub(NAMED) {
        0 => names.join("_"),
        more => format!("{}_and_{more}_more", names.join("_")),
    }
}

fn devices(parts: &[FusedPart]) -> Vec<&'static str> {
    let [first, rest @ ..] = parts else { return Vec::new() };
    let everywhere = |device: &&&str| rest.iter().all(|part| part.def.devices.contains(device));
    first.def.devices.iter().filter(everywhere).copied().collect()
}

fn whole(name: &str, parts: &[FusedPart]) -> Result<Kernel> {
    let kernel = |part: &FusedPart| {
        let spec = KernelSpec { ir: part.instance.ir, ..part.def.spec(part.instance) };
        spec.kernel()
    };
    let kernels = parts.iter().map(kernel).collect::<Result<Vec<_>>>()?;
    let part = |(map, part): (_, &FusedPart)| Part { map, operands: part.operands.clone() };
    let composed: Vec<_> = kernels.iter().zip(parts).map(part).collect();
    compose(name, &composed).map_err(|e| {
        Error::new(ErrorKind::InvalidArgument, format!("`{name}` cannot be fused: {}", e.message))
    })
}

/// The parameters of a launch: the arguments of the parts that come from outside, and the result.
fn params(ir: &Kernel, parts: &[FusedPart]) -> Vec<Param> {
    let inputs = ir.params.iter().enumerate();
    let mut params: Vec<_> =
        inputs.map(|(index, param)| input(index, param.name.clone().leak(), parts)).collect();
    let result = parts.last().and_then(|part| dtype(part.instance.params.last()?));
    params.push(slice("result", result.unwrap_or(DType::F32), true));
    params
}

/// The parameter for an input, with the element type that the first part takes.
fn input(index: usize, name: &'static str, parts: &[FusedPart]) -> Param {
    let mut taken = parts.iter().flat_map(|part| part.instance.params.iter().zip(&part.operands));
    let source = Source::Param(index as u32);
    let dtype = taken.find(|(_, s)| **s == source).and_then(|(param, _)| dtype(param));
    slice(name, dtype.unwrap_or(DType::F32), false)
}

fn slice(name: &'static str, dtype: DType, mutable: bool) -> Param {
    Param { name, kind: ParamKind::Slice { dtype, mutable } }
}

fn dtype(param: &Param) -> Option<DType> {
    match param.kind {
        ParamKind::Slice { dtype, .. } => Some(dtype),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
