//! Graphs whose inputs have sizes that are known later.

use super::known::{Asked, Cut, Folding, Known};
use super::node::Uncompared;
use super::pass;
use super::repeat::Repeat;
use super::{Dim, Graph, Node, NodeKind, Open, TensorType, Value, ValueId};
use ringwood_base::{DType, Error, Result, Shape};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

impl Graph {
    /// Adds a value that every run is given, of sizes that are known later: extents are numbers, or names.
    ///
    /// What is applied to it has no type before [`Graph::with_shapes`] gives the sizes.
    ///
    /// ```
    /// use ringwood_base::DType;
    /// use ringwood_base::registry::Registry;
    /// use ringwood_graph::graph::Graph;
    /// # use ringwood_graph::register_operator;
    /// # register_operator! { pub MatMul = "doc_product"; shape: "m k, k n -> m n" }
    /// # let registry = Registry::builder().register(MatMul::ENTRY).build()?;
    ///
    /// let mut graph = Graph::with_registry(registry);
    /// let x = graph.open_input("x", DType::F32, &["batch".into(), 64.into()])?;
    /// let w = graph.parameter("w", DType::F32, &[64, 10])?;
    /// let y = graph.apply("doc_product", &[x, w])?;
    /// graph.output("y", y)?;
    /// let sized = graph.with_shapes(&[("x", &[32, 64])])?;
    /// assert_eq!(sized.nodes()[2].to_string(), "doc_product(%0, %1): f32[32, 10]");
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The name is taken.
    pub fn open_input(&mut self, name: &str, dtype: DType, dims: &[Dim]) -> Result<Value> {
        let extents = dims.iter().map(|dim| match dim {
            Dim::Extent(extent) => Some(*extent),
            Dim::Open(_) => None,
        });
        if let Some(extents) = extents.collect::<Option<Vec<_>>>() {
            return self.input(name, dtype, &extents);
        }
        let open = Some(Open::Input(dtype, dims.to_vec()));
        self.named_source(name, Node { open, ..Node::new(NodeKind::Input, Vec::new()) })
    }

    /// The graph with open sizes: these inputs get these extents, which are numbers, or names, and what is computed of them
    /// has no type before [`Graph::with_shapes`] gives sizes again. A node that was built for one size alone, such as a
    /// `reshape` to it, then fails and is named.
    ///
    /// # Errors
    /// There is no input of a name, or it does not have these extents; it is a parameter; the graph has gradients, which
    /// count by the sizes that they were built for.
    pub fn with_open(&self, inputs: &[(&str, &[Dim])]) -> Result<Graph> {
        // A gradient that no output needs would ask for the sizes that it was built for.
        let gradients = self.nodes.iter().any(|node| node.gradient);
        let mut graph = if gradients { pass::prune(self) } else { self.clone() };
        if let Some(node) = graph.nodes().iter().find(|node| node.gradient) {
            let message = "gradients are built for the sizes of their time, and open to no others";
            let help = "build the graph for each size, as `jit` does, or without its gradients";
            return Err(Error::unsupported(message).help(help).with("node", node));
        }
        for &(name, dims) in inputs {
            let value = graph.named(name)?;
            let ty = graph.type_of(value)?;
            if !matches!(graph.nodes[value.id.node as usize].kind, NodeKind::Input) {
                let message = format!("`{name}` is a parameter, of {ty}, and no input");
                return Err(Error::invalid(message));
            }
            asked(name, dims, &[(name, &ty.shape)])?;
            let node = graph.node_mut(value.id.node as usize);
            node.open = Some(Open::Input(ty.dtype, dims.to_vec()));
            node.results.clear();
        }
        for i in 0..graph.nodes.len() {
            let open = |id: &ValueId| graph.nodes[id.node as usize].open.is_some();
            if graph.nodes[i].operands.iter().any(open) {
                let node = graph.node_mut(i);
                node.open = Some(Open::Results(node.results.len() as u32));
                node.results.clear();
            }
        }
        graph.outputs.iter_mut().for_each(|output| output.over = None);
        Ok(graph)
    }

    /// Whether the sizes of an input are not known, or a node of a file waits for [`Graph::with_shapes`].
    pub fn is_open(&self) -> bool {
        self.nodes.iter().any(|node| node.open.is_some())
    }

    /// The graph for inputs of these extents: every value has a type, what is computed of shapes and
    /// constants is a constant, and operators that are made of others are replaced by those.
    ///
    /// Shapes are given for open inputs; others keep theirs.
    ///
    /// # Errors
    /// An open input is given no shape, or one that does not fit its extents; there is no input of a name;
    /// an operator does not fit its operands: the error names the node.
    pub fn with_shapes(&self, shapes: &[(&str, &[usize])]) -> Result<Graph> {
        match self.sized(shapes, None, false)? {
            Sized::Whole(graph, _) => Ok(pass::prune(&graph)),
            Sized::Part { error, .. } => Err(error),
        }
    }

    /// The graph for inputs of these extents, if `known` is all that its operators ask for and that depends on
    /// data, in the order in which they ask; `None` where no model finds it. What the runs that found it have kept is
    /// an input if it is `cut`, and computed again if not.
    ///
    /// # Errors
    /// As [`Graph::with_shapes`].
    pub(super) fn sized(
        &self,
        shapes: &[(&str, &[usize])],
        known: Option<&[Known]>,
        cut: bool,
    ) -> Result<Sized> {
        for (name, _) in shapes {
            self.named(name)?;
        }
        let mut sized = Resized { target: self.empty_like(), moved: Vec::new() };
        let given = known.into_iter().flatten().map(|known| known.found.clone()).collect();
        let by_model = known.is_some();
        sized.target.folding = Some(Folding { given, by_model, ..Folding::default() });
        let cuts = known.into_iter().flatten().map(|known| &known.cut).enumerate();
        let mut cuts = cuts.filter(|(_, known)| cut && !known.kept.is_empty()).peekable();
        for (i, node) in self.nodes.iter().enumerate() {
            while let Some((at, cut)) = cuts.next_if(|(_, cut)| cut.node == i) {
                sized.replace(at, cut)?;
            }
            match sized.node(i, node, shapes) {
                Ok(results) => sized.moved.push(results),
                Err(e) => {
                    let error = e.with("node", format!("%{i} = {node}"));
                    return sized.part(error, i, self);
                }
            }
        }
        let Resized { mut target, moved } = sized;
        for output in &self.outputs {
            let value = moved[output.value.node as usize][output.value.result as usize];
            target.check_output(&output.name, value)?;
            target.output(&output.name, value)?;
        }
        let folded = target.folding.take().map_or(Duration::ZERO, |folding| folding.time);
        Ok(Sized::Whole(target, folded))
    }

    /// The types of the results of each node, for inputs of these extents.
    ///
    /// # Errors
    /// As [`Graph::with_shapes`].
    pub fn types_with_shapes(&self, shapes: &[(&str, &[usize])]) -> Result<Vec<Vec<TensorType>>> {
        let mut sized = Resized { target: self.empty_like(), moved: Vec::new() };
        sized.target.folding = Some(Folding::default());
        for (i, node) in self.nodes.iter().enumerate() {
            let results = sized.node(i, node, shapes);
            sized.moved.push(results.map_err(|e| e.with("node", format!("%{i} = {node}")))?);
        }
        let types = |values: &Vec<Value>| {
            values.iter().map(|value| sized.target.value_type(value.id)).collect()
        };
        Ok(sized.moved.iter().map(types).collect())
    }

    /// Every node that does not fit inputs of these extents: its number, the types of its operands, and why.
    ///
    /// What a node depends on may not be known: data, or results of a node that fails. Such a node has no error, and no
    /// types.
    pub fn failures(
        &self,
        shapes: &[(&str, &[usize])],
    ) -> Vec<(usize, Vec<TensorType>, Option<Error>)> {
        let mut sized = Resized { target: self.empty_like(), moved: Vec::new() };
        sized.target.folding = Some(Folding { by_model: true, ..Folding::default() });
        let mut failures = Vec::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let moved = |id: &ValueId| {
                sized.moved[id.node as usize].get(id.result as usize).map(|value| value.id)
            };
            let operands: Option<Vec<_>> = node.operands.iter().map(moved).collect();
            let results = operands.map(|operands| {
                let types = operands.iter().map(|&id| sized.target.value_type(id)).collect();
                sized.node(i, node, shapes).map_err(|error| (i, types, Some(error)))
            });
            let asked = sized.target.folding.as_mut().and_then(|folding| folding.asked.take());
            let unknown = || (i, Vec::new(), None);
            sized.moved.push(match results.unwrap_or_else(|| Err(unknown())) {
                Ok(results) => results,
                Err(failure) => {
                    failures.push(if asked.is_some() { unknown() } else { failure });
                    Vec::new()
                }
            });
        }
        failures
    }

    /// An error that says which inputs are open.
    pub(crate) fn check_sizes(&self) -> Result<()> {
        let open = self.nodes.iter().filter_map(|node| match (&node.name, &node.open) {
            (Some(name), Some(open)) => Some(format!("{name}: {open}")),
            _ => None,
        });
        let open: Vec<_> = open.collect();
        if open.is_empty() {
            return Ok(());
        }
        let message = format!("the graph has inputs of open sizes: {}", open.join(", "));
        Err(Error::shape(message).help("give their sizes with `with_shapes`"))
    }
}

/// What sizes of inputs make of a graph.
pub(super) enum Sized {
    /// The graph, and the time that computing its constants took.
    Whole(Graph, Duration),
    /// The part of it that computes what an operator needs before the rest is known, or what a loop starts from;
    /// and the error of that operator. Its outputs are what is needed, then what it keeps.
    Part { part: Graph, repeat: Option<Box<Repeat>>, cut: Cut, error: Error },
}

/// A graph that is copied with sizes.
struct Resized {
    target: Graph,
    /// The results of each node of the source.
    moved: Vec<Vec<Value>>,
}

impl Resized {
    /// The graph up to what was asked for, if that is why the operator of node `i` of the source failed.
    fn part(mut self, error: Error, i: usize, source: &Graph) -> Result<Sized> {
        let (values, repeat) = match self.target.folding.take().and_then(|folding| folding.asked) {
            Some(Asked::Elements(id)) => (vec![id], None),
            Some(Asked::Loop(repeat, values)) => (values, Some(repeat.of(&source.nodes[i]))),
            None => return Err(error),
        };
        let kept = self.kept(&values, i, source);
        let keeps = kept.iter().map(|(id, _)| self.moved[id.node as usize][id.result as usize].id);
        let outputs: Vec<_> = values.into_iter().chain(keeps).collect();
        let mut part = self.target;
        for (i, id) in outputs.into_iter().enumerate() {
            let value = part.value(id)?;
            part.output(&format!("asked {i}"), value)?;
        }
        Ok(Sized::Part { part, repeat, cut: Cut { node: i, kept }, error })
    }

    /// The values of the source on the way to these ones of the target that node `i` or what follows it uses, and
    /// that depend on inputs.
    fn kept(&self, asked: &[ValueId], i: usize, source: &Graph) -> Arc<[(ValueId, TensorType)]> {
        let nodes = &self.target.nodes;
        let mut computed = vec![false; nodes.len()];
        let mut needed = vec![false; nodes.len()];
        asked.iter().for_each(|id| needed[id.node as usize] = true);
        for (at, node) in nodes.iter().enumerate() {
            let is_source = matches!(node.kind, NodeKind::Input);
            computed[at] = is_source || node.operands.iter().any(|o| computed[o.node as usize]);
        }
        for at in (0..nodes.len()).rev() {
            if needed[at] {
                nodes[at].operands.iter().for_each(|o| needed[o.node as usize] = true);
            }
        }
        let used = source.nodes[i..].iter().flat_map(|node| &node.operands);
        let used = used.chain(source.outputs.iter().map(|output| &output.value));
        let mut seen = HashSet::new();
        let kept =
            used.filter(|id| (id.node as usize) < i && seen.insert(**id)).filter_map(|&id| {
                let moved = self.moved[id.node as usize][id.result as usize].id;
                let at = moved.node as usize;
                let keeps =
                    needed[at] && computed[at] && !matches!(nodes[at].kind, NodeKind::Input);
                keeps.then(|| (id, self.target.value_type(moved)))
            });
        kept.collect()
    }

    /// Makes inputs of what part number `at` keeps.
    fn replace(&mut self, at: usize, cut: &Cut) -> Result<()> {
        for (i, (id, ty)) in cut.kept.iter().enumerate() {
            let moved = &mut self.moved[id.node as usize][id.result as usize];
            let device = self.target.nodes[moved.id.node as usize].device.clone();
            *moved = self.target.input(&kept_name(at, i), ty.dtype, &ty.shape)?;
            self.target.node_mut(moved.id.node as usize).device = device;
        }
        Ok(())
    }

    /// The results of node `i` of the source.
    fn node(&mut self, i: usize, node: &Node, shapes: &[(&str, &[usize])]) -> Result<Vec<Value>> {
        let operand = |id: &ValueId| self.moved[id.node as usize][id.result as usize];
        let operands: Vec<_> = node.operands.iter().map(operand).collect();
        let value = match (&node.kind, &node.open) {
            (NodeKind::Input, Some(Open::Input(dtype, dims))) => {
                let name = node.name.as_deref().unwrap_or_default();
                let input = self.target.input(name, *dtype, &asked(name, dims, shapes)?)?;
                self.target.node_mut(input.id.node as usize).device = node.device.clone();
                input
            }
            (NodeKind::Apply(operator), _) => {
                let before = self.target.nodes.len();
                let values = self.target.apply_all(operator, &operands, node.attributes.clone())?;
                let (got, want) = (values.len(), node.result_count());
                if got < want {
                    let message =
                        format!("{operator} gives {got} results, and {want} are asked for");
                    return Err(Error::invalid(message));
                }
                let name = node.called().map_or_else(|| format!("%{i}"), str::to_owned);
                let origin = Uncompared(Some(name.into()));
                for added in before..self.target.nodes.len() {
                    let added = self.target.node_mut(added);
                    added.device = node.device.clone().or_else(|| added.device.take());
                    added.origin = origin.clone();
                    added.gradient = node.gradient;
                }
                return Ok(values);
            }
            (NodeKind::Copy, _) => {
                let device = node.device.as_deref().unwrap_or_default();
                self.target.copy(operands[0], device)?
            }
            (NodeKind::Collective(call), _) => {
                let (what, size) = (call.request.what.clone(), call.request.ranks);
                let value = self.target.collective(operands[0], what, &call.ranks, size)?;
                self.target.node_mut(value.id.node as usize).device.clone_from(&node.device);
                value
            }
            (NodeKind::Input | NodeKind::Parameter | NodeKind::Constant(_), _) => {
                self.target.push(node.clone())
            }
            (NodeKind::Fused(_) | NodeKind::View(_), _) => {
                return Err(Error::unsupported("sizes are given before a graph is planned"));
            }
        };
        Ok(vec![value])
    }
}

/// The input of a part of a graph that is value `i` of those that part number `at` keeps.
pub(super) fn kept_name(at: usize, i: usize) -> String {
    format!("part {at} value {i}")
}

/// The extents that an open input is given.
fn asked(name: &str, dims: &[Dim], shapes: &[(&str, &[usize])]) -> Result<Shape> {
    let given = shapes.iter().find(|(asked, _)| *asked == name);
    let wanted: Vec<_> = dims.iter().map(ToString::to_string).collect();
    let wanted = wanted.join(", ");
    let Some((_, extents)) = given else {
        return Err(Error::shape(format!("input `{name}` of shape [{wanted}] is given no sizes")));
    };
    let fits = |(dim, extent): (&Dim, &usize)| match dim {
        Dim::Extent(wanted) => wanted == extent,
        Dim::Open(_) => true,
    };
    if extents.len() != dims.len() || !dims.iter().zip(*extents).all(fits) {
        let message = format!("input `{name}` takes the shape [{wanted}], not {extents:?}");
        return Err(Error::shape(message));
    }
    Shape::new(extents)
}

#[cfg(test)]
mod tests;
