//! What a model is given.

use super::RunArgs;
use super::report::fnv;
use crate::cli::random::Random;
use crate::device::{Device, Tensor};
use crate::graph::{Dim, Graph, Node, NodeKind, Open, TensorType};
use crate::models::{npy, npz, safetensors, tvm};
use crate::{DType, Error, ErrorKind, Result};
use std::ffi::OsStr;
use std::path::Path;

/// The value of an input or a parameter.
pub(super) struct Given {
    pub(super) name: String,
    pub(super) ty: TensorType,
    /// The file that it is from; none if it is made up.
    pub(super) file: Option<String>,
    bytes: Vec<u8>,
}

impl Given {
    /// What the arguments give, and made-up values for the other inputs.
    ///
    /// # Errors
    /// A file cannot be read; the model has no input of a name; a name is given twice.
    pub(super) fn all(graph: &Graph, args: &RunArgs) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        for (name, path) in &args.inputs {
            let (ty, elements) = npy::load(path)?;
            all.push(Self::read(name, path, ty, &elements));
        }
        if let Some(path) = &args.params {
            let read = match path.extension().and_then(OsStr::to_str) {
                Some("npz") => npz::load(path)?,
                Some("params") => tvm::load_params(path)?,
                Some("safetensors") => safetensors::load(path)?,
                _ => {
                    let message = format!("the format of {} is not known", path.display());
                    return Err(Error::new(ErrorKind::Unsupported, message)
                        .help("known: .npz, .params, .safetensors; a .npy goes with `--input`"));
                }
            };
            all.extend(
                read.iter().map(|(name, ty, elements)| Self::read(name, path, *ty, elements)),
            );
        }
        let shaped = args.shapes.iter().map(|(name, _)| name);
        all.iter()
            .map(|given| &given.name)
            .chain(shaped)
            .try_for_each(|name| graph.named(name).map(drop))?;
        if let Some(given) =
            all.iter().find(|g| args.shapes.iter().any(|(name, _)| *name == g.name))
        {
            let message = format!("`{}` has the shape of its file, {}", given.name, given.ty.shape);
            return Err(Error::new(ErrorKind::InvalidArgument, message)
                .help("leave `--shape` out for it: that is for inputs that are made up"));
        }
        let mut random = Random::new(args.seed);
        for node in graph.nodes().iter().filter(|node| matches!(node.kind, NodeKind::Input)) {
            let name = node.name.as_deref().unwrap_or_default();
            if all.iter().any(|given| given.name == name) {
                continue;
            }
            let asked = args.shapes.iter().find(|(asked, _)| asked == name);
            let ty = input_type(node, asked.map(|(_, dims)| dims.as_slice()))?;
            let bytes = made_up(ty, &mut random).map_err(|e| e.with("input", name))?;
            all.push(Self { name: name.to_owned(), ty, file: None, bytes });
        }
        Ok(all)
    }

    fn read(name: &str, path: &Path, ty: TensorType, elements: &[u8]) -> Self {
        let file = Some(path.display().to_string());
        Self { name: name.to_owned(), ty, file, bytes: elements.to_vec() }
    }

    pub(super) fn hash(&self) -> String {
        fnv(&self.bytes)
    }

    pub(super) fn tensor(&self, device: &Device) -> Result<Tensor> {
        device.tensor_of_bytes(&self.bytes, self.ty.shape, self.ty.dtype)
    }
}

/// The type of an input, of these extents if there are any, else with 1 for those that are open.
fn input_type(node: &Node, asked: Option<&[usize]>) -> Result<TensorType> {
    let (dtype, dims) = match (&node.open, node.results.first()) {
        (Some(Open::Input(dtype, dims)), _) => (*dtype, dims.clone()),
        (_, Some(ty)) => (ty.dtype, ty.shape.iter().map(|&extent| extent.into()).collect()),
        _ => return Err(Error::new(ErrorKind::Unsupported, "an input has no type")),
    };
    let Some(asked) = asked else {
        let extent = |dim: &Dim| if let Dim::Extent(extent) = dim { *extent } else { 1 };
        return TensorType::new(dtype, &dims.iter().map(extent).collect::<Vec<_>>());
    };
    let fits = |(dim, &extent): (&Dim, &usize)| match dim {
        Dim::Extent(own) => *own == extent,
        Dim::Open(_) => true,
    };
    if dims.len() == asked.len() && dims.iter().zip(asked).all(fits) {
        return TensorType::new(dtype, asked);
    }
    let own: Vec<_> = dims.iter().map(ToString::to_string).collect();
    let name = node.name.as_deref().unwrap_or_default();
    let message = format!("input `{name}` takes the shape [{}], not {asked:?}", own.join(", "));
    Err(Error::new(ErrorKind::Shape, message))
}

/// Elements in -1..1; integers and truth values are 0 or 1, which are tokens and masks of most models.
///
/// # Errors
/// There is no memory for them.
fn made_up(ty: TensorType, random: &mut Random) -> Result<Vec<u8>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(ty.bytes()).map_err(|cause| {
        let message = format!("there is no memory for {ty}, of {} bytes", ty.bytes());
        Error::new(ErrorKind::Unavailable, message)
            .because(cause)
            .help("give smaller extents by `--shape`")
    })?;
    let numbers = random.uniform(ty.shape.elements(), 1.0);
    let number = |number: f32| match ty.dtype {
        DType::F32 => number.to_ne_bytes().to_vec(),
        DType::F64 => f64::from(number).to_ne_bytes().to_vec(),
        DType::F16 => half::f16::from_f32(number).to_ne_bytes().to_vec(),
        DType::BF16 => half::bf16::from_f32(number).to_ne_bytes().to_vec(),
        integer => {
            let mut bytes = vec![0; integer.size()];
            let lowest = if cfg!(target_endian = "big") { bytes.len() - 1 } else { 0 };
            bytes[lowest] = u8::from(number > 0.0);
            bytes
        }
    };
    elements.extend(numbers.flat_map(number));
    Ok(elements)
}

/// Parses `NAME=1x3x224x224`; `NAME=` is a scalar.
pub(super) fn parse_shape(text: &str) -> Result<(String, Vec<usize>), String> {
    let (name, extents) = text.rsplit_once('=').ok_or("write NAME=1x3x224x224")?;
    let extents = extents.split('x').filter(|_| !extents.is_empty());
    let extents = extents.map(|e| e.parse().map_err(|_| format!("`{e}` is no extent")));
    Ok((name.to_owned(), extents.collect::<Result<_, String>>()?))
}
