//! Formats of models: an open set.
//!
//! A [`ModelFormat`] reads files whose names end in certain ways into a [`Graph`]. Register one with
//! [`register_model_format!`](crate::register_model_format); [`Graph::load`] finds it.

use super::Graph;
use ringwood_base::registry::{Kind, Registry};
use ringwood_base::{Error, Result};
use std::collections::BTreeSet;
use std::path::Path;

/// How files of one format become graphs.
pub struct ModelFormat {
    /// What the names of its files end in, without the dot, in small letters.
    pub extensions: &'static [&'static str],
    /// What its files have and others lack whose names end alike; asked for where several formats have the extension.
    pub mark: Option<&'static str>,
    /// Adds the model of a file to an empty graph.
    pub load: fn(&Path, Graph) -> Result<Graph>,
}

impl Kind for ModelFormat {
    const NAME: &'static str = "model_format";
}

impl Graph {
    /// Reads the model of a file, by the format that the end of its name says.
    ///
    /// ```no_run
    /// use ringwood_graph::graph::Graph;
    ///
    /// let model = Graph::load("model.onnx")?;
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// No registered format, or more than one, has this extension: the error lists those that are known;
    /// the format cannot read the file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        Self::new().read(path)
    }

    /// Adds the model of a file to an empty graph: [`Graph::load`] over the operators and the formats of a
    /// hand-made registry.
    ///
    /// # Errors
    /// As [`Graph::load`].
    pub fn read(self, path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        // Who opens a pipe waits for its other end.
        if std::fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
            let message = format!("{} is no file", path.display());
            let help = "write what a pipe gives into a file, and load that";
            return Err(Error::invalid(message).help(help));
        }
        let load = find(self.registry()?, path)?.load;
        load(path, self)
    }

    /// The graph that serde wrote as this JSON, over the operators of an empty graph.
    ///
    /// # Errors
    /// It is no such graph.
    pub fn of_json(self, json: &[u8]) -> Result<Self> {
        let read: Self = serde_json::from_slice(json)
            .map_err(|e| Error::invalid("this is no graph as Ringwood writes them").because(e))?;
        Ok(Self { registry: self.registry, ..read })
    }
}

/// The format of the file.
fn find<'a>(registry: &'a Registry, path: &Path) -> Result<&'a ModelFormat> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let named = |format: &ModelFormat| format.extensions.contains(&extension.as_str());
    let mut found: Vec<_> = registry.of::<ModelFormat>().filter(|(_, f)| named(f)).collect();
    if found.len() != 1 {
        std::fs::metadata(path).map_err(|cause| {
            Error::not_found(format!("{} cannot be read", path.display())).because(cause)
        })?;
    }
    if found.len() > 1 {
        let marks = found.iter().filter_map(|(entry, format)| {
            Some(format!("{} has `{}`", entry.meta().shown_name(), format.mark?))
        });
        let marks = marks.collect::<Vec<_>>().join(", ");
        found.retain(|(_, format)| format.mark.is_none_or(|mark| contains(path, mark)));
        if found.is_empty() {
            let message = format!("{} is of no format that is read", path.display());
            let help = format!("files `.{extension}` are told apart by what they have: {marks}");
            return Err(Error::invalid(message).help(help));
        }
    }
    let message = match found[..] {
        [(_, format)] => return Ok(format),
        [(one, _), (other, _), ..] => {
            let (one, other) = (one.meta().full_name(), other.meta().full_name());
            format!("{} may be of format {one}, or of {other}", path.display())
        }
        [] => format!("no model format is known for {}", path.display()),
    };
    let known = registry.of::<ModelFormat>().flat_map(|(_, format)| format.extensions);
    let known: BTreeSet<_> = known.map(|extension| format!(".{extension}")).collect();
    let known: Vec<_> = known.into_iter().collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Err(Error::unsupported(message).help(format!("known: {known}")))
}

/// Whether a file has this text.
fn contains(path: &Path, text: &str) -> bool {
    let found = |file: Vec<u8>| file.windows(text.len()).any(|part| part == text.as_bytes());
    path.is_file() && std::fs::read(path).is_ok_and(found)
}

/// Registers a [`ModelFormat`]: its name, what its files' names end in, what they have and other files lack whose names
/// end so, if there are any, and the function that reads one.
///
/// ```
/// use ringwood_base::DType;
/// use ringwood_base::registry::Registry;
/// use ringwood_graph::graph::Graph;
/// use ringwood_graph::register_model_format;
///
/// register_model_format!(one_input, ["inputs"], |path, mut graph| {
///     graph.input(&path.display().to_string(), DType::F32, &[1])?;
///     Ok(graph)
/// });
///
/// let registry = Registry::builder().register(one_input::ENTRY).build()?;
/// let graph = Graph::with_registry(registry).read("x.inputs")?;
/// assert_eq!(graph.to_string(), "%0 = input \"x.inputs\": f32[1]\n");
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[macro_export]
macro_rules! register_model_format {
    ($name:ident, $extensions:tt, $load:expr) => {
        $crate::register_model_format!(@ $name, $extensions, None, $load);
    };
    ($name:ident, $extensions:tt, $mark:literal, $load:expr) => {
        $crate::register_model_format!(@ $name, $extensions, Some($mark), $load);
    };
    (@ $name:ident, [$($extension:literal),+ $(,)?], $mark:expr, $load:expr) => {
        $crate::__private::entry! {
            /// The model format of this name; `ENTRY` registers it by hand.
            $name: $crate::graph::ModelFormat = $crate::graph::ModelFormat {
                extensions: &[$($extension),+],
                mark: $mark,
                load: $load,
            }
        }
    };
}

register_model_format!(graph_json, ["json"], "\"kind\"", load_json);

fn load_json(path: &Path, empty: Graph) -> Result<Graph> {
    let file =
        std::fs::read(path).map_err(|e| Error::not_found("the file cannot be read").because(e));
    file.and_then(|file| empty.of_json(&file)).map_err(|e| e.with("file", path.display()))
}
