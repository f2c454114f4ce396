//! A kernel that computes maps where it loads.

use super::{FusedPart, KEPT, Kept, fuses, input, keep, whole};
use crate::{Form, Kernel, KernelSpec, Param};
use ringwood_base::{Bounded, Error, Result};
use ringwood_ir::print::{Options, slots};
use ringwood_ir::{self as ir, Expr, Input, Modes, Stmt, encode};
use std::sync::{LazyLock, Mutex};

/// The bytes that every OpenCL device takes for the arguments of a launch.
pub const ARGUMENT_BYTES: usize = 1024;

/// How deep expressions nest at most: compilers of devices stop at 256, and a call in place of a load is
/// deeper than the load.
const DEEPEST: usize = 200;

/// A kernel that loads from a slice what maps compute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Consumer {
    /// The maps; the last one computes what is loaded.
    pub maps: Vec<FusedPart>,
    /// What the maps take of each of their inputs.
    pub inputs: Vec<Input>,
    /// The kernel that loads.
    pub kernel: Kernel,
    /// The position of the slice among its parameters.
    pub param: usize,
}

/// The kernel that computes maps where another loads their results: a grid or group kernel by the
/// strict rules, whose text is printed from its typed IR. Only for devices that compile such texts;
/// the native code of a kernel loads from memory.
///
/// Its parameters are those of the other, whose slice is the first input that is as long as the
/// domain of the maps; the other inputs follow.
///
/// # Errors
/// A map or the kernel is none that can be fused; the launch would have too many arguments.
pub fn fuse_producers(consumer: &Consumer) -> Result<Kernel> {
    static FUSED: Kept<Consumer> = LazyLock::new(|| Mutex::new(Bounded::new(KEPT)));
    keep(&FUSED, consumer.clone(), define)
}

fn define(consumer: &Consumer) -> Result<Kernel> {
    let spec = consumer.kernel.spec();
    let name = format!("{}_{}", super::name(&consumer.maps), spec.name);
    let map = whole(&name, &consumer.maps)?;
    let ir = compose(consumer, &spec.kernel()?, &map)
        .map_err(|why| Error::unsupported(format!("`{name}` cannot be fused: {why}")))?;
    let params = params(&map, consumer);
    let text = encode(&ir::Kernel { name: name.clone(), ..ir });
    let KernelSpec { sites, file, line, .. } = spec;
    let code = KernelSpec {
        ir: Some(&text),
        sites,
        file,
        line,
        ..KernelSpec::new(&name, spec.form, &params)
    };
    Ok(Kernel::like(&consumer.kernel, &code))
}

/// The kernel with the map where it loads, or why there is none.
fn compose(
    consumer: &Consumer,
    ir: &ir::Kernel,
    map: &ir::Kernel,
) -> std::result::Result<ir::Kernel, String> {
    let Consumer { maps, inputs, kernel, param } = consumer;
    if maps.iter().any(|part| !fuses(&part.kernel)) {
        return Err("a part is no map to fuse".into());
    }
    let spec = kernel.spec();
    let by_hand = spec.sources.is_some() || !spec.libraries.is_empty();
    if !matches!(spec.form, Form::Grid | Form::Group) || by_hand || ir.modes != Modes::default() {
        return Err("only the typed IR of a strict grid or group kernel can".into());
    }
    let whole =
        ir::fuse_producers(ir, *param as u32, map, inputs).map_err(|invalid| invalid.message)?;
    if depth(&whole.body) > DEEPEST {
        return Err("its expressions nest too deep".into());
    }
    if slots(&whole, &Options::default()).len() * size_of::<u64>() > ARGUMENT_BYTES {
        return Err("it has too many arguments".into());
    }
    Ok(whole)
}

/// How deep the expressions of statements nest.
fn depth(body: &[Stmt]) -> usize {
    fn of(e: &Expr) -> usize {
        1 + e.operands().into_iter().map(of).max().unwrap_or(0)
    }
    let own = |stmt: &Stmt| stmt.exprs().into_iter().map(of).max();
    let inner = |stmt: &Stmt| stmt.bodies().into_iter().map(depth).max();
    body.iter().filter_map(|stmt| own(stmt).max(inner(stmt))).max().unwrap_or(0)
}

/// The parameters of a launch, in the order of those of [`ir::fuse_producers`].
fn params(map: &ir::Kernel, consumer: &Consumer) -> Vec<Param> {
    let mut params = consumer.kernel.params().to_vec();
    let name = params[consumer.param].name;
    let first = consumer.inputs.iter().position(|input| *input == Input::Each);
    for index in 0..map.params.len() {
        let param = Param { name, ..input(index, &consumer.maps) };
        if Some(index) == first {
            params[consumer.param] = param;
        } else {
            params.push(param);
        }
    }
    params
}
