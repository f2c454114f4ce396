//! Extents for the dimensions that a file leaves open and nobody gives.

use super::inputs::Given;
use crate::graph::{Dim, Graph, Node, NodeKind, Open};
use crate::{Error, ErrorKind};
use std::collections::HashMap;

/// Lengths that are tried where dimensions of 1 are too short, and then those of corners, colours and pairs.
const LENGTHS: [usize; 7] = [16, 64, 256, 1024, 4, 3, 2];

/// The most dimensions of which some are tried without the others.
const MOST_APART: usize = 4;

/// The most elements of an input that is made up.
const MOST_ELEMENTS: usize = 1 << 22;

/// A dimension of an input that is made up.
enum Length {
    Known(usize),
    /// One of the dimensions that are free, by its number.
    Free(usize),
}

/// The shapes of the inputs with open dimensions that are not `given`, after so many that were `tried`. A dimension is
/// as long as another of its name is given, else 1; where the graph does not fit that, as few of them as it takes
/// have one of some lengths. Where it fits none, all are 1.
pub(super) fn made_up(
    graph: &Graph,
    given: &[(&str, &[usize])],
    tried: usize,
) -> Option<Vec<(String, Vec<usize>)>> {
    let (inputs, free) = dimensions(graph, given);
    let shapes = |length: usize, longer: usize| {
        let extent = |of: &Length| match *of {
            Length::Known(extent) => extent,
            // So many are longer all together, or none is.
            Length::Free(i) if longer >> i.min(MOST_BIT) & 1 == 1 => length,
            Length::Free(_) => 1,
        };
        let shape = |(name, of): &(&str, Vec<Length>)| {
            ((*name).to_owned(), of.iter().map(extent).collect::<Vec<_>>())
        };
        inputs.iter().map(shape).collect::<Vec<_>>()
    };
    let mut sets: Vec<usize> = match free {
        0..=MOST_APART => (1..1 << free).collect(),
        _ => vec![usize::MAX],
    };
    sets.sort_by_key(|longer| longer.count_ones());
    let longer = LENGTHS.iter().flat_map(|length| sets.iter().map(|set| shapes(*length, *set)));
    let all = std::iter::once(shapes(1, 0)).chain(longer.filter(|_| free > 0));
    let small = |shapes: &Vec<(String, Vec<usize>)>| {
        shapes.iter().all(|(_, shape)| shape.iter().product::<usize>() <= MOST_ELEMENTS)
    };
    let found = all.filter(|shapes| small(shapes) && fits(graph, given, shapes)).nth(tried);
    found.or_else(|| (tried == 0).then(|| shapes(1, 0)))
}

const MOST_BIT: usize = usize::BITS as usize - 1;

/// The dimensions of the inputs that are made up, and how many of them are free.
fn dimensions<'a>(
    graph: &'a Graph,
    given: &[(&str, &[usize])],
) -> (Vec<(&'a str, Vec<Length>)>, usize) {
    let inputs: Vec<_> = graph.nodes().iter().filter_map(|node| open(node)).collect();
    let shape =
        |name: &str| given.iter().find(|(given, _)| *given == name).map(|(_, shape)| *shape);
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (name, dims) in &inputs {
        for (dim, extent) in dims.iter().zip(shape(name).unwrap_or_default()) {
            if let Dim::Open(symbol) = dim {
                known.insert(symbol, *extent);
            }
        }
    }
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut free = 0;
    let mut length = |dim: &'a Dim| match dim {
        Dim::Extent(extent) => Length::Known(*extent),
        Dim::Open(symbol) => match (known.get(symbol.as_str()), symbol.is_empty()) {
            (Some(extent), false) => Length::Known(*extent),
            (_, unnamed) => {
                let number = *numbers.get(symbol.as_str()).filter(|_| !unnamed).unwrap_or(&free);
                if number == free {
                    numbers.insert(symbol, number);
                    free += 1;
                }
                Length::Free(number)
            }
        },
    };
    let made_up = inputs.iter().filter(|(name, _)| shape(name).is_none());
    let made_up = made_up.map(|(name, dims)| (*name, dims.iter().map(&mut length).collect()));
    (made_up.collect(), free)
}

/// The name and the dimensions of an input that has open ones.
fn open(node: &Node) -> Option<(&str, &[Dim])> {
    match (&node.kind, &node.open) {
        (NodeKind::Input, Some(Open::Input(_, dims))) => Some((node.name.as_deref()?, dims)),
        _ => None,
    }
}

/// Whether an input with open dimensions is made up.
pub(super) fn are_open(graph: &Graph, given: &[Given]) -> bool {
    let is_read = |name: &str| given.iter().any(|given| given.name == name && given.file.is_some());
    graph.nodes().iter().filter_map(|node| open(node)).any(|(name, _)| !is_read(name))
}

/// Whether all nodes fit inputs of these shapes.
fn fits(graph: &Graph, given: &[(&str, &[usize])], made_up: &[(String, Vec<usize>)]) -> bool {
    let made_up = made_up.iter().map(|(name, shape)| (name.as_str(), shape.as_slice()));
    let shapes: Vec<_> = given.iter().copied().chain(made_up).collect();
    let failures = graph.failures(&shapes);
    failures.iter().filter_map(|(.., error)| error.as_ref()).all(|error| !is_of_extents(error))
}

/// Whether other extents may be without this error.
pub(super) fn is_of_extents(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Shape | ErrorKind::OutOfBounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;

    #[test]
    fn any_number_of_free_dimensions_is_longer_together() {
        let mut graph = Graph::new();
        for i in 0..70 {
            let symbol = format!("n{i}");
            let x =
                graph.open_input(&format!("x{i}"), DType::F32, &[symbol.as_str().into()]).unwrap();
            graph.output(&format!("y{i}"), x).unwrap();
        }
        for (tried, extent) in [1, LENGTHS[0]].into_iter().enumerate() {
            let shapes = made_up(&graph, &[], tried).unwrap();
            assert!(shapes.iter().all(|(_, shape)| shape[..] == [extent]), "{shapes:?}");
        }
    }
}
