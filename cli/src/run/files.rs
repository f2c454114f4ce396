//! The files that a run writes, which are none that it reads.

use super::RunArgs;
use super::inputs::Given;
use crate::graph::Graph;
use crate::written;
use crate::{Error, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The most bytes of the name of an output in that of its file.
const MOST_NAME: usize = 200;

/// Makes the folder of the files that are written after the run.
///
/// # Errors
/// One cannot be written: that shall not be found when the work is done.
pub(super) fn prepare(args: &RunArgs, graph: &Graph, inputs: &[Given]) -> Result<()> {
    if let Some(folder) = &args.output_dir {
        fs::create_dir_all(folder).map_err(|e| {
            Error::unavailable(format!("the folder {} cannot be made", folder.display())).because(e)
        })?;
    }
    let asked: Vec<_> = args.trace.iter().chain(&args.draw).chain(&args.package).collect();
    asked.iter().try_for_each(|path| written::check(path))?;
    let given = inputs.iter().filter_map(|given| given.file.as_deref().map(Path::new));
    let read: Vec<_> = [&*args.file].into_iter().chain(given).collect();
    let folder = args.output_dir.iter();
    let outputs = folder.flat_map(|folder| files(graph).into_iter().map(|file| folder.join(file)));
    let outputs: Vec<_> = outputs.collect();
    outputs.iter().try_for_each(|path| written::check(path))?;
    let written: Vec<_> = asked.into_iter().chain(&outputs).collect();
    for (i, path) in written.iter().enumerate() {
        let mut others = read.iter().copied().chain(written[..i].iter().map(|path| path.as_path()));
        let mapped = is_mapped(path).then_some("weights of the model");
        let other =
            others.find(|other| is_same(path, other)).map(|other| other.display().to_string());
        if let Some(other) = other.or(mapped.map(str::to_owned)) {
            let path = path.display();
            let message = format!("{path} would be written over {other}");
            return Err(Error::invalid(message).help("give another name"));
        }
    }
    Ok(())
}

/// Whether both are names of one plain file.
fn is_same(a: &Path, b: &Path) -> bool {
    let file = |path: &Path| path.canonicalize().ok().filter(|path| path.is_file());
    file(a).is_some_and(|a| file(b) == Some(a))
}

/// Whether this process has mapped a file, as it does the weights beside a model; where the system tells it.
fn is_mapped(path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    maps.lines().any(|line| path.to_str().is_some_and(|path| line.ends_with(&format!(" {path}"))))
}

/// The names of the files of the outputs, each of its own.
pub(super) fn files(graph: &Graph) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let file = |output: &crate::graph::Output| {
        let mut file = file_name(&output.name);
        while !taken.insert(file.clone()) {
            file.push('_');
        }
        format!("{file}.npy")
    };
    graph.outputs().iter().map(file).collect()
}

/// A name with `_` for each character that file names do not have everywhere, and no longer than they are.
fn file_name(name: &str) -> String {
    let allowed = |c: char| !c.is_control() && !r#"/\:*?"<>|"#.contains(c);
    let name = &name[..name.floor_char_boundary(MOST_NAME)];
    name.chars().map(|c| if allowed(c) { c } else { '_' }).collect()
}
