//! Applications that one operator computes at once, and what it keeps of parameters.

use super::{Rewrite, prune};
use crate::graph::implementation::declared;
use crate::graph::{Found, Graph, Node, NodeKind, TensorType, ValueId, backend, find};
use crate::operator::Operator;
use ringwood_base::{Error, Result, Shape};
use std::collections::{BTreeMap, HashMap};

/// The placed graph with an application of an operator wherever those stand that it
/// [computes](Operator::computes), and its device has a kernel for it.
///
/// Nothing else may read what passes between them, and no operand may be read at steps. The last one's attributes
/// become those of the operator, and none of the others may have some. What an operator takes of a parameter or
/// constant, or of one in another shape, is computed by a node of its own, which is [kept](Node::kept) and takes
/// memory beside it.
///
/// # Errors
/// An operator is declared wrongly.
pub fn merge(graph: &Graph) -> Result<Graph> {
    let rules = rules(graph)?;
    if rules.is_empty() {
        return Ok(graph.clone());
    }
    let mut count = vec![0_usize; graph.nodes.len()];
    let read = graph.nodes.iter().flat_map(|node| &node.operands).copied();
    let read = read.chain(graph.outputs.iter().map(|output| output.value));
    read.for_each(|value| count[value.node as usize] += 1);
    let mut merge = Merge { rewrite: Rewrite::of(graph), reads: Vec::new(), made: HashMap::new() };
    for (i, &reads) in count.iter().enumerate() {
        merge.rewrite.follow(i);
        merge.reads.resize(merge.rewrite.target.nodes.len(), reads);
        while let Some(merged) = rules.iter().find_map(|rule| merge.apply(rule, i)) {
            merge.rewrite.moved[i] = merge.rewrite.target.push(merged).id.node;
            merge.reads.resize(merge.rewrite.target.nodes.len(), reads);
        }
    }
    Ok(prune(&merge.rewrite.finish()))
}

/// Part of a rule: the name of a value, or an application.
enum Expression {
    Value(String),
    Apply(String, Vec<Expression>),
}

/// An operator, its operands, and what it computes of them.
struct Rule {
    operator: String,
    operands: Vec<Expression>,
    computes: Expression,
}

/// The rules of all operators that have some.
fn rules(graph: &Graph) -> Result<Vec<Rule>> {
    let registry = graph.registry()?;
    let mut rules = Vec::new();
    for (entry, operator) in registry.of::<Operator>() {
        for text in operator.computes {
            let package = entry.meta().package;
            // An operator that is not there stands nowhere.
            let shown = |name: &str| {
                let full = format!("{package}::{name}");
                registry.entry::<Operator>(&full).map_or(full, |entry| entry.meta().shown_name())
            };
            let sides = text.split_once('=').and_then(|(operands, computes)| {
                let computes = expression(&mut &*computes, &shown)?;
                match expression(&mut &*format!("{}{operands}", operator.name), &shown)? {
                    Expression::Apply(operator, operands) => {
                        Some(Rule { operator, operands, computes })
                    }
                    Expression::Value(_) => None,
                }
            });
            rules.push(sides.ok_or_else(|| {
                let name = operator.name;
                Error::invalid(format!(
                    "operator `{name}` is declared wrongly: it computes `{text}`"
                ))
                .help("write its operands and what it computes of them: `(x, b) = add(relu(x), b)`")
            })?);
        }
    }
    Ok(rules)
}

/// `add(matmul(x, w), b)`, with the full names of operators; what follows it is left.
fn expression(text: &mut &str, shown: &impl Fn(&str) -> String) -> Option<Expression> {
    *text = text.trim_start();
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    *text = rest.trim_start();
    let Some(rest) = text.strip_prefix('(') else {
        return (!name.is_empty()).then(|| Expression::Value(name.to_owned()));
    };
    *text = rest;
    let mut operands = Vec::new();
    loop {
        operands.push(expression(text, shown)?);
        if let Some(rest) = text.strip_prefix(',') {
            *text = rest;
            continue;
        }
        *text = text.strip_prefix(')')?.trim_start();
        return Some(Expression::Apply(shown(name), operands));
    }
}

struct Merge<'a> {
    rewrite: Rewrite<'a>,
    /// How often each node of the target is read.
    reads: Vec<usize>,
    /// What was made of parameters and constants, in their shapes.
    made: HashMap<(String, ValueId, Shape), ValueId>,
}

impl Merge<'_> {
    /// The application that takes the place of that of the source's node `i`, if the rule says so.
    fn apply(&mut self, rule: &Rule, i: usize) -> Option<Node> {
        let root = ValueId { node: self.rewrite.moved[i], result: 0 };
        let mut bound = BTreeMap::new();
        if !self.fits(&rule.computes, root, true, &mut bound) {
            return None;
        }
        let node = &self.rewrite.target.nodes[root.node as usize];
        let Node { attributes, device, results, origin, .. } = Node::clone(node);
        let mut operands = Vec::with_capacity(rule.operands.len());
        for operand in &rule.operands {
            operands.push(match operand {
                Expression::Value(name) => *bound.get(name.as_str())?,
                Expression::Apply(operator, of) => {
                    let [Expression::Value(name)] = &of[..] else { return None };
                    self.kept(operator, *bound.get(name.as_str())?)?
                }
            });
        }
        let target = &self.rewrite.target;
        if operands.iter().any(|&operand| target.steps(operand).is_some()) {
            return None;
        }
        let node = Node::new(NodeKind::Apply(rule.operator.clone()), results);
        implemented(target, Node { operands, attributes, device, origin, ..node })
    }

    /// Whether a value is what an expression says; `bound` are the values of its names.
    fn fits<'e>(
        &self,
        expression: &'e Expression,
        value: ValueId,
        root: bool,
        bound: &mut BTreeMap<&'e str, ValueId>,
    ) -> bool {
        match expression {
            Expression::Value(name) => *bound.entry(name).or_insert(value) == value,
            Expression::Apply(operator, operands) => {
                let node = &self.rewrite.target.nodes[value.node as usize];
                node.operator() == Some(operator)
                    && (root || node.attributes.is_empty())
                    && node.operands.len() == operands.len()
                    && (root || self.reads[value.node as usize] == 1)
                    && operands
                        .iter()
                        .zip(&node.operands)
                        .all(|(operand, &value)| self.fits(operand, value, false, bound))
            }
        }
    }

    /// What an operator makes of the elements of a parameter or constant, computed once.
    fn kept(&mut self, operator: &str, of: ValueId) -> Option<ValueId> {
        let target = &mut self.rewrite.target;
        let (base, ty) = (target.base(of), target.value_type(of));
        let source = &target.nodes[base.node as usize];
        let all = target.steps(of).is_none() && ty.bytes() == target.value_type(base).bytes();
        if !all || !matches!(source.kind, NodeKind::Parameter | NodeKind::Constant(_)) {
            return None;
        }
        let key = (operator.to_owned(), base, ty.shape);
        if let Some(made) = self.made.get(&key) {
            return Some(*made);
        }
        let device = source.device.clone();
        let operator = declared(target, operator).ok()?;
        let results = operator.infer(&[ty], &Default::default()).ok()?.results;
        let node = Node::new(NodeKind::Apply(key.0.clone()), results);
        let node = implemented(target, Node { operands: vec![of], device, kept: true, ..node })?;
        let made = target.push(node).id;
        self.reads.resize(target.nodes.len(), 0);
        self.made.insert(key, made);
        Some(made)
    }
}

/// A node with the kernel that computes it on its device, if there is one and it has these results.
fn implemented(graph: &Graph, mut node: Node) -> Option<Node> {
    let operands: Vec<TensorType> = node.operands.iter().map(|&o| graph.value_type(o)).collect();
    let yields = declared(graph, node.operator()?).ok()?.infer(&operands, &node.attributes).ok()?;
    let found = find(graph, &node, backend(node.device.as_deref()?)).ok()?;
    node.found = Found::from(found);
    (yields.results == node.results).then_some(node)
}
