//! Nodes of a graph.

use super::{Attributes, Collective, Found, FusedApply, Open, TensorType, ValueId, View};
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::panic::Location;
use std::sync::Arc;

/// One node of a graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// What it does.
    pub kind: NodeKind,
    /// The name of an input or parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The values it reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operands: Vec<ValueId>,
    /// The attributes of an operator.
    #[serde(default, skip_serializing_if = "Attributes::is_empty")]
    pub attributes: Attributes,
    /// The device it stands on, once placed: `cpu:0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The type of each result; none while they are open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<TensorType>,
    /// What is known of the results while the sizes of inputs are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<Open>,
    /// The storage of each result, once planned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub storage: Vec<u32>,
    /// Whether it is computed when its operands are given, not in every run: they are parameters or constants.
    /// Made by [`merge`](super::pass::merge).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kept: bool,
    /// Whether it is part of a gradient, which is built for the sizes that values have by then. Made by
    /// [`Graph::gradient`](super::Graph::gradient).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gradient: bool,
    /// How its device computes it, once placed.
    #[serde(skip)]
    pub(crate) found: Found,
    /// The node of a file, or of the graph before sizes were known, that it computes.
    #[serde(skip)]
    pub(crate) origin: Origin,
    /// The line of a program that recorded it.
    #[serde(skip)]
    pub(crate) line: Uncompared<Option<&'static Location<'static>>>,
}

/// A part of a node that does not count when nodes are compared: it follows from the rest, or is for messages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uncompared<T>(pub(crate) T);

impl<T> PartialEq for Uncompared<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Uncompared<T> {}

impl<T> Hash for Uncompared<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// The name of a node that another one came from.
pub(crate) type Origin = Uncompared<Option<Arc<str>>>;

/// What a node does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    /// A value that every run is given.
    Input,
    /// A value that is given once and kept.
    Parameter,
    /// A value known when the graph was built: the bytes of its elements.
    #[serde(with = "super::hex")]
    Constant(Arc<[u8]>),
    /// An application of the operator of this name.
    Apply(String),
    /// Applications of element-wise operators that one kernel computes, and at the end maybe of one
    /// that loads what they yield; the result is that of the last one. Made by
    /// [`fuse`](super::pass::fuse).
    Fused(Vec<FusedApply>),
    /// The operand, on the node's device.
    Copy,
    /// Elements of the operand, where they are. Made by [`views`](super::pass::views) of operators that
    /// move no data.
    View(View),
    /// What all ranks of a group compute of the operands of each.
    Collective(Box<Collective>),
}

/// A named output of a graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// What it is.
    pub value: ValueId,
    /// The input or parameter whose memory it takes where it can; see [`Graph::alias`](super::Graph::alias).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<ValueId>,
}

impl Node {
    pub(crate) fn new(kind: NodeKind, results: Vec<TensorType>) -> Self {
        Self {
            kind,
            name: None,
            operands: Vec::new(),
            attributes: Attributes::default(),
            device: None,
            results,
            open: None,
            storage: Vec::new(),
            kept: false,
            gradient: false,
            found: Found::default(),
            origin: Origin::default(),
            line: Uncompared::default(),
        }
    }

    /// The node of a file that it computes, or computes last: its name there, or its number.
    pub fn origin(&self) -> Option<&str> {
        self.origin.0.as_deref()
    }

    /// The number of results.
    pub(crate) fn result_count(&self) -> usize {
        match &self.open {
            None => self.results.len(),
            Some(Open::Input(..)) => 1,
            Some(Open::Results(count)) => *count as usize,
        }
    }

    /// Whether the value comes from outside of the program: input, parameter or constant.
    pub fn is_source(&self) -> bool {
        matches!(self.kind, NodeKind::Input | NodeKind::Parameter | NodeKind::Constant(_))
    }

    /// Whether its results stay from run to run: it is a source, or kept.
    pub(crate) fn stays(&self) -> bool {
        self.is_source() || self.kept
    }

    /// Whether running it takes work: it is a launch, a copy or a collective.
    pub fn has_work(&self) -> bool {
        self.is_launch() || matches!(self.kind, NodeKind::Copy | NodeKind::Collective(_))
    }

    /// Whether a kernel computes it: that of an operator, or of several that are fused.
    pub fn is_launch(&self) -> bool {
        matches!(self.kind, NodeKind::Apply(_) | NodeKind::Fused(_))
    }

    /// Whether it is the operand on another device.
    pub(crate) fn is_copy(&self) -> bool {
        matches!(self.kind, NodeKind::Copy)
    }

    /// What it does, in a word: its operator, those of a fused node as `mul+add`, or `copy`.
    pub fn word(&self) -> String {
        match &self.kind {
            NodeKind::Apply(name) => name.clone(),
            NodeKind::Fused(applications) => {
                let names: Vec<_> = applications.iter().map(|a| a.operator.as_str()).collect();
                names.join("+")
            }
            NodeKind::View(_) => "view".into(),
            NodeKind::Collective(call) => call.request.what.operation.to_string(),
            _ => "copy".into(),
        }
    }

    /// The applications of a fused node.
    pub fn fused(&self) -> Option<&[FusedApply]> {
        match &self.kind {
            NodeKind::Fused(applications) => Some(applications),
            _ => None,
        }
    }

    /// Where its elements are in its operand, if it is a view.
    pub fn view(&self) -> Option<&View> {
        match &self.kind {
            NodeKind::View(view) => Some(view),
            _ => None,
        }
    }

    /// The collective that it takes part in, if it does.
    pub fn collective(&self) -> Option<&Collective> {
        match &self.kind {
            NodeKind::Collective(call) => Some(call),
            _ => None,
        }
    }

    /// The name of the operator that the node applies, if it does.
    pub fn operator(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Apply(name) => Some(name),
            _ => None,
        }
    }
}
