//! Packages as files.

use super::manifest::{Coded, Manifest, OfDevice, SOURCE, VERSION};
use super::{ALIGN, GRAPH, MANIFEST, parameter, plain, weight};
use crate::file::{check, malformed, write};
use crate::{npy, zip};
use ringwood_base::Result;
use ringwood_device::device::Device;
use ringwood_device::kernel::Image;
use ringwood_graph::graph::Graph;
use std::collections::HashMap;
use std::path::Path;

/// Writes a graph with its weights, and what devices' compilers made of its kernels
/// ([`Model::code`](ringwood_graph::graph::Model::code), after runs, or nothing), in place of a file that may
/// be there.
///
/// # Errors
/// What code depends on is no text; the file cannot be written.
pub fn save(path: impl AsRef<Path>, graph: &Graph, code: &[(Device, Vec<Image>)]) -> Result<()> {
    let (mut devices, mut codes) = (Vec::new(), Vec::new());
    for (device, images) in code {
        let (name, description) = (device.name(), &device.capabilities().description);
        let mut of = OfDevice { name: name.into(), description: description.clone(), code: vec![] };
        let mut images: Vec<_> = images.iter().collect();
        images.sort_by(|a, b| (&a.kernel, &a.key).cmp(&(&b.kernel, &b.key)));
        for (i, image) in images.into_iter().enumerate() {
            of.code.push(coded(name, i, image, &mut codes)?);
        }
        devices.push(of);
    }
    let ringwood = env!("CARGO_PKG_VERSION").into();
    let no_json = |e| malformed("this cannot be written as JSON").because(e);
    let manifest = Manifest { package: VERSION, ringwood, devices };
    let manifest = serde_json::to_vec_pretty(&manifest).map_err(no_json)?;
    let graph_json = serde_json::to_vec(graph).map_err(no_json)?;
    let mut entries: Vec<(String, Vec<&[u8]>)> =
        vec![(MANIFEST.into(), vec![&manifest[..]]), (GRAPH.into(), vec![&graph_json])];
    let weights: HashMap<_, _> = graph.weights().map(|(name, _, bytes)| (name, bytes)).collect();
    let mut headers = Vec::new();
    for (i, node) in graph.nodes().iter().enumerate() {
        let Some((name, ty)) = parameter(node) else { continue };
        if let Some(bytes) = weights.get(name) {
            check(name, ty, bytes)?;
            headers.push((weight(i, name), npy::header(ty), &bytes[..]));
        }
    }
    entries.extend(headers.iter().map(|(part, head, rest)| (part.clone(), vec![&head[..], rest])));
    entries.extend(codes.iter().map(|(part, contents)| (part.clone(), vec![*contents])));
    let parts = zip::stored(&entries, ALIGN)?;
    write(path.as_ref(), parts.iter().map(|part| &**part))
}

/// The entry of the manifest of a device's code of this number, whose parts are added to `parts`.
fn coded<'a>(
    device: &str,
    number: usize,
    image: &'a Image,
    parts: &mut Vec<(String, &'a [u8])>,
) -> Result<Coded> {
    let part = |folder: &str, extension: &str| {
        let (device, kernel) = (plain(device), plain(&image.kernel));
        format!("{folder}/{device}/{number}-{kernel}.{extension}")
    };
    let mut key = Vec::new();
    for (name, value) in image.key.parts() {
        let text = str::from_utf8(value).map_err(|e| {
            let message = format!("code of `{}` depends on a {name} that is no text", image.kernel);
            malformed(message).because(e)
        })?;
        let value = match name {
            SOURCE => {
                parts.push((part("kernels", "c"), value));
                part("kernels", "c")
            }
            _ => text.to_owned(),
        };
        key.push((name.to_owned(), value));
    }
    parts.push((part("code", "bin"), &image.code));
    Ok(Coded { part: part("code", "bin"), key })
}
