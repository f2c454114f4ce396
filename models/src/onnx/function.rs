//! Functions of a file: the nodes that a node stands for.

use super::proto::{AttributeProto, FunctionProto, ModelProto, NodeProto};
use super::read::{is_standard, opset};
use prost::Message;
use prost::bytes::Bytes;
use ringwood_base::{Error, Result};
use ringwood_graph::graph::Graph;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// How deep calls of functions are nested at most.
const MOST_NESTED: usize = 64;

/// The functions of a file. All nodes whose graphs call one share the bytes that hold them.
#[derive(Default)]
pub(super) struct Functions {
    pub(super) all: Vec<FunctionProto>,
    /// Their places in the order of their names.
    by_name: Vec<usize>,
    bytes: OnceLock<Arc<[u8]>>,
}

/// What calls name a function by: its set, its own name, and which of several it is.
type Name<'a> = (&'a str, &'a str, &'a str);

fn name<'a>(domain: &'a str, own: &'a str, overload: &'a str) -> Name<'a> {
    (if is_standard(domain) { "" } else { domain }, own, overload)
}

fn name_of(function: &FunctionProto) -> Name<'_> {
    name(&function.domain, &function.name, &function.overload)
}

impl Functions {
    pub(super) fn new(all: Vec<FunctionProto>) -> Self {
        let mut by_name: Vec<_> = (0..all.len()).collect();
        by_name.sort_by_key(|&i| name_of(&all[i]));
        Self { all, by_name, bytes: OnceLock::new() }
    }

    /// Those that these bytes hold, read once for all nodes of a graph.
    ///
    /// # Errors
    /// They hold none.
    pub(super) fn of(bytes: &Arc<[u8]>, graph: &mut Graph) -> Result<Arc<Self>> {
        let mut unkept = Arc::default();
        let last = graph.remembered::<Arc<Self>>().unwrap_or(&mut unkept);
        if last.bytes.get().is_some_and(|last| Arc::ptr_eq(last, bytes)) {
            return Ok(Arc::clone(last));
        }
        // What functions hold stays in these bytes.
        let held = Bytes::from_owner(Arc::clone(bytes));
        let model = ModelProto::decode(held)
            .map_err(|cause| Error::invalid("the attribute holds no functions").because(cause))?;
        let read = Self { bytes: Arc::clone(bytes).into(), ..Self::new(model.functions) };
        read.check()?;
        *last = Arc::new(read);
        Ok(Arc::clone(last))
    }

    /// The bytes that hold them.
    pub(super) fn bytes(&self) -> Arc<[u8]> {
        let encode = || {
            let functions = self.all.clone();
            ModelProto { functions, ..ModelProto::default() }.encode_to_vec().into()
        };
        Arc::clone(self.bytes.get_or_init(encode))
    }

    /// The place of the function that a node calls, if it calls one.
    fn place(&self, node: &NodeProto) -> Option<usize> {
        let wanted = name(&node.domain, &node.op_type, &node.overload);
        let found = self.by_name.binary_search_by(|&i| name_of(&self.all[i]).cmp(&wanted));
        found.ok().map(|at| self.by_name[at])
    }

    /// The function that a node calls, if it calls one.
    pub(super) fn called_by(&self, node: &NodeProto) -> Option<&FunctionProto> {
        self.place(node).map(|place| &self.all[place])
    }

    /// Checks that each function has a name of its own and an operator set that is read, that none calls itself, not by
    /// others either, and that calls are not nested too deep.
    ///
    /// # Errors
    /// One does not, or does: the error names it.
    pub(super) fn check(&self) -> Result<()> {
        let mut names = HashSet::new();
        for function in &self.all {
            if !names.insert(name_of(function)) {
                let message = format!("there are two functions `{}`", function.name);
                return Err(Error::duplicate(message));
            }
            opset(&function.opset_import).map_err(|e| e.with("function", &function.name))?;
        }
        let mut heights = vec![0; self.all.len()];
        (0..self.all.len()).try_for_each(|i| self.height(i, &mut Vec::new(), &mut heights))
    }

    /// Finds how deep the calls of function `i` are nested; `path` are those that are being looked at.
    fn height(&self, i: usize, path: &mut Vec<usize>, heights: &mut [usize]) -> Result<()> {
        let name = &self.all[i].name;
        if path.contains(&i) {
            return Err(Error::invalid(format!("function `{name}` calls itself")));
        }
        let deep = || {
            let message =
                format!("calls of functions from `{name}` are nested deeper than {MOST_NESTED}");
            Error::unsupported(message)
        };
        if path.len() >= MOST_NESTED {
            return Err(deep());
        }
        path.push(i);
        let mut most = 0;
        for called in self.called(&self.all[i].node) {
            if heights[called] == 0 {
                self.height(called, path, heights)?;
            }
            most = most.max(heights[called]);
        }
        path.pop();
        heights[i] = most + 1;
        if heights[i] > MOST_NESTED { Err(deep()) } else { Ok(()) }
    }

    /// The places of the functions that nodes call, those in their graphs, too.
    pub(super) fn called(&self, nodes: &[NodeProto]) -> Vec<usize> {
        let of_node = |node: &NodeProto| {
            let graphs = node.attribute.iter().filter_map(|given| given.g.as_ref());
            let inner = graphs.flat_map(|graph| self.called(&graph.node));
            self.place(node).into_iter().chain(inner).collect::<Vec<_>>()
        };
        nodes.iter().flat_map(of_node).collect()
    }
}

/// The nodes of a function with the attributes that a node calls it with.
pub(super) fn with_attributes(function: &FunctionProto, node: &NodeProto) -> Vec<NodeProto> {
    let given: Vec<_> = node.attribute.iter().chain(&function.attribute_proto).collect();
    replaced(&function.node, &given)
}

/// Nodes whose references to attributes are the first of those `given`; one to none is left out.
fn replaced(nodes: &[NodeProto], given: &[&AttributeProto]) -> Vec<NodeProto> {
    let attribute = |own: &AttributeProto| {
        let mut value = match own.ref_attr_name.as_str() {
            "" => own.clone(),
            name => (*given.iter().find(|given| given.name == name)?).clone(),
        };
        value.name.clone_from(&own.name);
        if let Some(graph) = &mut value.g {
            graph.node = replaced(&graph.node, given);
        }
        Some(value)
    };
    let node = |node: &NodeProto| {
        let attribute = node.attribute.iter().filter_map(attribute).collect();
        NodeProto { attribute, ..node.clone() }
    };
    nodes.iter().map(node).collect()
}
