//! What a model is given.

use super::{RunArgs, extents, number};
use crate::device::{Device, Tensor};
use crate::graph::{Dim, Graph, Node, NodeKind, Open, TensorType};
use crate::hash;
use crate::random::Random;
use crate::{Error, Result, Scalar};
use ringwood_models::{npy, npz, safetensors, tvm};
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;

/// The value of an input or a parameter.
pub(super) struct Given {
    pub(super) name: String,
    pub(super) ty: TensorType,
    /// The file that it is from; none if it is made up or a number.
    pub(super) file: Option<String>,
    /// The number that every element is, if it is given, as it is written.
    pub(super) number: Option<String>,
    bytes: Vec<u8>,
}

impl Given {
    /// What the arguments give, and made-up values for the other inputs, of other shapes than those that were `tried`
    /// if there are others. What is made up has no elements where nodes are checked alone.
    ///
    /// # Errors
    /// A file cannot be read; the model has no input of a name; a name is given twice.
    pub(super) fn all(graph: &Graph, args: &RunArgs, tried: usize) -> Result<Option<Vec<Self>>> {
        let inputs: Vec<_> = args.inputs.iter().map(|text| named(graph, text)).collect();
        once("--input", inputs.iter().map(|(name, _)| *name))?;
        once("--shape", args.shapes.iter().map(|(name, _)| name.as_str()))?;
        let mut all = Vec::new();
        for &(name, value) in &inputs {
            // A number is given its type and extents below.
            if value.is_empty() {
                let message = format!("`--input {name}=` gives neither a file nor a number");
                return Err(Error::invalid(message));
            }
            if value.parse::<f64>().is_err() {
                let (ty, elements) = npy::load(value)?;
                all.push(Self::read(name, Path::new(value), ty, &elements));
            }
        }
        if let Some(path) = &args.params {
            let read = match path.extension().and_then(OsStr::to_str) {
                Some("npz") => npz::load(path)?,
                Some("params") => tvm::load_params(path)?,
                Some("safetensors") => safetensors::load(path)?,
                _ => {
                    let message = format!("the format of {} is not known", path.display());
                    return Err(Error::unsupported(message)
                        .help("known: .npz, .params, .safetensors; a .npy goes with `--input`"));
                }
            };
            all.extend(
                read.iter().map(|(name, ty, elements)| Self::read(name, path, *ty, elements)),
            );
        }
        all.iter().try_for_each(|given| given.fits(graph))?;
        let shaped = args.shapes.iter().map(|(name, _)| name.as_str());
        let numbers = inputs.iter().filter(|(_, value)| value.parse::<f64>().is_ok());
        for name in shaped.chain(numbers.map(|(name, _)| *name)) {
            Self::is_made_up(graph, &all, name)?;
        }
        let files: HashMap<_, _> =
            all.iter().map(|given| (given.name.clone(), given.ty.shape)).collect();
        let shapes = args.shapes.iter().map(|(name, shape)| (name.as_str(), shape.as_slice()));
        let read = files.iter().map(|(name, shape)| (name.as_str(), &shape[..]));
        let given: Vec<_> = read.chain(shapes).collect();
        let Some(shapes) = extents::made_up(graph, &given, tried) else { return Ok(None) };
        let mut random = Random::new(args.seed);
        for node in graph.nodes().iter().filter(|node| matches!(node.kind, NodeKind::Input)) {
            let name = node.name.as_deref().unwrap_or_default();
            if files.contains_key(name) {
                continue;
            }
            let asked = args.shapes.iter().chain(&shapes).find(|(asked, _)| asked == name);
            let ty = input_type(node, asked.map(|(_, dims)| dims.as_slice()))?;
            let number = inputs.iter().find(|(asked, _)| *asked == name).map(|(_, value)| *value);
            let element = number.map(|number| number::element(ty.dtype, number)).transpose();
            let bytes = element.and_then(|element| match element {
                _ if args.check => Ok(Vec::new()),
                Some(element) => filled(ty, &element),
                None => made_up(ty, &mut random),
            });
            let bytes = bytes.map_err(|e| e.with("input", name))?;
            let number = number.map(str::to_owned);
            all.push(Self { name: name.to_owned(), ty, file: None, number, bytes });
        }
        Ok(Some(all))
    }

    /// Checks that there is an input or a parameter of this name, and that an input takes what the file holds.
    fn fits(&self, graph: &Graph) -> Result<()> {
        let value = graph.named(&self.name).map_err(|e| {
            e.with("file", self.file.as_deref().unwrap_or_default()).help(
                "initializers of an ONNX file with at most 1,024 elements are constants, which no file replaces",
            )
        })?;
        let node = &graph.nodes()[value.id().node as usize];
        if !matches!(node.kind, NodeKind::Input) {
            return Ok(());
        }
        let wanted = input_type(node, Some(&self.ty.shape)).and_then(|wanted| {
            let (name, got) = (&self.name, self.ty.dtype);
            let message = || format!("input `{name}` takes {}, not {got}", wanted.dtype);
            match wanted.dtype == got {
                true => Ok(()),
                false => Err(Error::dtype(message())),
            }
        });
        wanted.map_err(|e| e.with("file", self.file.as_deref().unwrap_or_default()))
    }

    /// Checks that a name for which there is a shape or a number is an input that no file gives.
    fn is_made_up(graph: &Graph, files: &[Self], name: &str) -> Result<()> {
        let node = &graph.nodes()[graph.named(name)?.id().node as usize];
        let (message, help) = match files.iter().find(|given| given.name == name) {
            Some(given) => (
                format!("`{name}` has the shape of its file, {}", given.ty.shape),
                "leave `--shape` or the number out for it: they are for inputs that are made up",
            ),
            None if matches!(node.kind, NodeKind::Input) => return Ok(()),
            None => (
                format!("`{name}` is a parameter, which takes its value from a file alone"),
                "`--input NAME=FILE.npy` and `--params` give it another one",
            ),
        };
        Err(Error::invalid(message).help(help))
    }

    fn read(name: &str, path: &Path, ty: TensorType, elements: &[u8]) -> Self {
        let file = Some(path.display().to_string());
        Self { name: name.to_owned(), ty, file, number: None, bytes: elements.to_vec() }
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
        _ => return Err(Error::unsupported("an input has no type")),
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
    Err(Error::shape(format!("input `{name}` takes the shape [{}], not {asked:?}", own.join(", "))))
}

/// Elements in -1..1; integers and truth values are 0 or 1, which are tokens and masks of most models.
///
/// # Errors
/// There is no memory for them.
fn made_up(ty: TensorType, random: &mut Random) -> Result<Vec<u8>> {
    let (float, kind) = (ty.dtype.is_float(), ty.dtype.into());
    let mut elements = room(ty)?;
    for number in random.uniform(ty.shape.elements(), 1.0) {
        let value = if float { Scalar::F32(number) } else { Scalar::Bool(number > 0.0) };
        elements.extend(value.cast(kind).to_bytes());
    }
    Ok(elements)
}

/// Elements that all are the same.
///
/// # Errors
/// There is no memory for them.
fn filled(ty: TensorType, element: &[u8]) -> Result<Vec<u8>> {
    let mut elements = room(ty)?;
    (0..ty.shape.elements()).for_each(|_| elements.extend_from_slice(element));
    Ok(elements)
}

/// The names that an option is given, each once.
///
/// # Errors
/// One is given twice.
fn once<'a>(option: &str, names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(Error::invalid(format!("`{option} {name}=…` is given twice")));
        }
    }
    Ok(())
}

/// Room for the elements of a tensor.
fn room(ty: TensorType) -> Result<Vec<u8>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(ty.bytes()).map_err(|cause| {
        let message = format!("there is no memory for {ty}, of {} bytes", ty.bytes());
        Error::unavailable(message).because(cause).help("give smaller extents by `--shape`")
    })?;
    Ok(elements)
}

/// The name and the value of `NAME=VALUE`: the name ends where that of an input or a parameter of the graph does.
fn named<'a>(graph: &Graph, text: &'a str) -> (&'a str, &'a str) {
    let splits = || text.match_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..]));
    let known = splits().find(|(name, _)| graph.named(name).is_ok());
    known.or_else(|| splits().next()).unwrap_or((text, ""))
}

/// Parses `NAME=1x3x224x224`; `NAME=` is a scalar.
pub(super) fn parse_shape(text: &str) -> Result<(String, Vec<usize>), String> {
    let (name, extents) = text.rsplit_once('=').ok_or("write NAME=1x3x224x224")?;
    let extents = extents.split('x').filter(|_| !extents.is_empty());
    let extents = extents.map(|e| e.parse().map_err(|_| format!("`{e}` is no extent")));
    Ok((name.to_owned(), extents.collect::<Result<_, String>>()?))
}

/// [`hash::fnv`], as it is shown.
pub(super) fn fnv(bytes: &[u8]) -> String {
    format!("{:016x}", hash::fnv(bytes))
}
