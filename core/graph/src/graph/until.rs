//! Graphs up to one of their nodes: what a model computes on the way to its outputs.

use super::{Attribute, Graph, Node, NodeKind, Output, ValueId, pass};
use ringwood_base::{Error, Result};
use std::collections::HashSet;

impl Graph {
    /// The graph that ends with a node: its results are the outputs, called `NODE`, or `NODE:0` and so on if
    /// there are several.
    ///
    /// A node is named as in the file that it is from, as the output that it gives, or by its number, as `%12`.
    /// Results have the bits that they have on the way to the outputs of the whole.
    ///
    /// ```
    /// use ringwood_base::DType;
    /// use ringwood_base::registry::Registry;
    /// use ringwood_graph::graph::Graph;
    /// # use ringwood_graph::register_operator;
    /// # register_operator! { pub Next = "doc_next"; shape: "... -> ..." }
    /// # let registry = Registry::builder().register(Next::ENTRY).build()?;
    ///
    /// let mut graph = Graph::with_registry(registry);
    /// let x = graph.input("x", DType::F32, &[4])?;
    /// let y = graph.apply("doc_next", &[x])?;
    /// let z = graph.apply("doc_next", &[y])?;
    /// graph.output("z", z)?;
    /// let part = graph.until("%1")?;
    /// assert_eq!((part.nodes().len(), part.outputs()[0].name.as_str()), (2, "%1"));
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such node, or there are two of the name.
    pub fn until(&self, node: &str) -> Result<Graph> {
        let at = self.find_node(node)?;
        let results = self.nodes[at].result_count() as u32;
        let output = |result| Output {
            name: if results == 1 { node.to_owned() } else { format!("{node}:{result}") },
            value: ValueId { node: at as u32, result },
            over: None,
        };
        let mut part = self.clone();
        part.outputs = (0..results).map(output).collect();
        Ok(pass::prune(&part))
    }

    /// The place of a node, by its name, the output that it gives, or its number.
    fn find_node(&self, name: &str) -> Result<usize> {
        if let Some(output) = self.outputs.iter().find(|output| output.name == name) {
            return Ok(output.value.node as usize);
        }
        let mut named = self.nodes.iter().enumerate().filter(|(_, n)| n.called() == Some(name));
        match (named.next(), named.next()) {
            (Some((at, _)), None) => return Ok(at),
            (Some((at, _)), Some((other, _))) => {
                let message = format!("two nodes are called `{name}`: %{at} and %{other}");
                let help = "name one by its number";
                return Err(Error::duplicate(message).help(help));
            }
            _ => {}
        }
        let number = name.strip_prefix('%').and_then(|number| number.parse().ok());
        number.filter(|&at| at < self.nodes.len()).ok_or_else(|| {
            let inputs = self.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Input));
            let nodes = self.nodes.iter().filter(|node| node.is_launch());
            let count = nodes.clone().count();
            let outputs = self.outputs.iter().map(|output| output.name.as_str());
            let names = outputs.chain(inputs.chain(nodes).filter_map(|node| node.called()));
            let mut told = HashSet::new();
            let names = names.filter(|name| told.insert(*name));
            let names: Vec<_> = names.take(12).map(|name| format!("`{name}`")).collect();
            let message =
                format!("no node `{name}` among {count} nodes, the inputs and the outputs");
            let help = format!("nodes are numbers, as `%0`, or names: {}", names.join(", "));
            Error::not_found(message).help(help)
        })
    }
}

impl Node {
    /// The name of an input or parameter, or the one that a node has in the file that it is from: its attribute
    /// `node`.
    pub fn called(&self) -> Option<&str> {
        self.name.as_deref().or_else(|| match self.attributes.find("node") {
            Some(Attribute::Text(name)) => Some(name),
            _ => None,
        })
    }
}
