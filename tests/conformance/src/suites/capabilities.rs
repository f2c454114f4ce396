//! What a device claims is what it does.

use super::{standard, suite};
use crate::bench::{Bench, all};
use crate::case::{Case, Check, Power, Stop, ensure};
use ringwood_base::{DType, ErrorKind, Result};
use ringwood_device::kernel::{Form, KernelSpec};

pub(super) const CASES: &[Case] = &suite(
    "capabilities",
    &[],
    [
        ("claims_are_consistent", claims_are_consistent),
        ("claims_and_order_are_stable", claims_and_order_are_stable),
        ("every_claimed_stream_kind_opens", every_claimed_stream_kind_opens),
        ("an_unknown_stream_kind_is_refused", an_unknown_stream_kind_is_refused),
        ("unclaimed_powers_are_unsupported", unclaimed_powers_are_unsupported),
        ("unclaimed_element_types_are_unsupported", unclaimed_element_types_are_unsupported),
        ("a_handle_of_another_kind_is_refused", a_handle_of_another_kind_is_refused),
        ("a_handle_of_another_backend_is_refused", a_handle_of_another_backend_is_refused),
    ],
);

fn claims_are_consistent(bench: &Bench) -> Check {
    let claims = bench.device().capabilities();
    ensure!(!claims.description.is_empty(), "the description is empty");
    let kinds = &claims.stream_kinds;
    ensure!(kinds.iter().all(|k| !k.is_empty() && !k.contains(':')), "stream kinds {kinds:?}");
    let mut different = kinds.clone();
    different.sort_unstable();
    different.dedup();
    ensure!(different.len() == kinds.len(), "a stream kind is listed twice: {kinds:?}");
    ensure!(
        kinds.is_empty() == (claims.suggested_streams == 0),
        "{} streams of {} kinds are suggested",
        claims.suggested_streams,
        kinds.len()
    );
    ensure!(!claims.kernels || !kinds.is_empty(), "kernels without streams");
    ensure!(!claims.command_buffers || claims.kernels, "command buffers without kernels");
    ensure!(
        claims.kernels != claims.dtypes.is_empty(),
        "kernels: {}, element types of kernels: {:?}",
        claims.kernels,
        claims.dtypes
    );
    let mut dtypes: Vec<DType> = claims.dtypes.clone();
    dtypes.sort_unstable();
    dtypes.dedup();
    ensure!(dtypes.len() == claims.dtypes.len(), "an element type is listed twice");
    Ok(())
}

fn claims_and_order_are_stable(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let claims: Vec<_> = raw
        .backend
        .devices()?
        .iter()
        .map(|device| raw.backend.capabilities(device))
        .collect::<Result<_>>()?;
    let again = &claims[bench.device().ordinal()];
    ensure!(again == bench.device().capabilities(), "asked again, the device claims {again:?}");
    Ok(())
}

fn every_claimed_stream_kind_opens(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    for kind in &bench.device().capabilities().stream_kinds {
        let stream = raw.backend.stream(&raw.device, kind)?;
        raw.finish(&stream)?;
    }
    Ok(())
}

fn an_unknown_stream_kind_is_refused(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    for kind in ["", "no such kind", ":1"] {
        match raw.backend.stream(&raw.device, kind) {
            Ok(_) => return Err(Stop::Failed(format!("a stream of kind `{kind}` opens"))),
            Err(e) => {
                let allowed = [ErrorKind::InvalidArgument, ErrorKind::Unsupported];
                ensure!(allowed.contains(&e.kind()), "kind `{kind}`: {e:?}");
            }
        }
    }
    Ok(())
}

fn unclaimed_powers_are_unsupported(bench: &Bench) -> Check {
    let (raw, claims) = (bench.raw()?, bench.device().capabilities());
    if !Power::Kernels.is_claimed(claims) {
        let spec = KernelSpec {
            file: file!(),
            line: line!(),
            ..KernelSpec::new("unclaimed", Form::Host, &[])
        };
        unsupported("compile", raw.compile(&spec))?;
    }
    if !Power::Streams.is_claimed(claims) {
        unsupported("stream", raw.backend.stream(&raw.device, "default"))?;
        return unsupported("allocate", raw.memory(1));
    }
    let memory = raw.memory(8)?;
    if !Power::CommandBuffers.is_claimed(claims) {
        unsupported("prepare", raw.backend.prepare(&raw.stream()?, &[]).map(drop))?;
    }
    if !Power::HostMemory.is_claimed(claims) {
        unsupported("host_address", raw.backend.host_address(&memory))?;
    }
    let devices = raw.backend.devices()?;
    let other = (0..devices.len()).find(|&i| i != bench.device().ordinal());
    if let (Some(other), false) = (other, Power::PeerCopy.is_claimed(claims)) {
        let there = raw.backend.allocate(&devices[other], 8)?;
        let copied = raw.backend.copy(&raw.stream()?, all(&there, 8), all(&memory, 8));
        unsupported("copy between devices", copied)?;
    }
    Ok(())
}

fn unclaimed_element_types_are_unsupported(bench: &Bench) -> Check {
    let (raw, claims) = (bench.raw()?, bench.device().capabilities());
    for dtype in DType::ALL.iter().filter(|_| claims.kernels) {
        if !claims.dtypes.contains(dtype) {
            let compiled = raw.compile(&standard::of_type(*dtype));
            unsupported(&format!("compile` of a kernel of `{dtype}"), compiled)?;
        }
    }
    Ok(())
}

fn unsupported<T>(what: &str, result: Result<T>) -> Check {
    match result {
        Ok(_) => Err(Stop::Failed(format!("`{what}` works and is not claimed"))),
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(()),
        Err(error) => Err(Stop::Failed(format!("`{what}` is not `Unsupported`: {error:?}"))),
    }
}

fn a_handle_of_another_kind_is_refused(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let refused = raw.backend.record(&raw.device).err().map(|e| e.kind());
    ensure!(refused == Some(ErrorKind::Device), "a device as a stream: {refused:?}");
    let refused = raw.backend.host_address(&raw.device).err().map(|e| e.kind());
    ensure!(refused == Some(ErrorKind::Device), "a device as memory: {refused:?}");
    Ok(())
}

fn a_handle_of_another_backend_is_refused(bench: &Bench) -> Check {
    let mine = bench.device().backend_name();
    let devices = bench.runtime().devices()?;
    let Some(other) = devices.iter().find(|d| d.backend_name() != mine) else {
        return Err(Stop::Skipped("no other backend is registered".into()));
    };
    let handle = other.backend().devices()?.swap_remove(other.ordinal());
    let refused = bench.raw()?.backend.allocate(&handle, 1).err();
    let kind = refused.as_ref().map(ringwood_base::Error::kind);
    ensure!(kind == Some(ErrorKind::Device), "a device of {}: {refused:?}", other.name());
    Ok(())
}
