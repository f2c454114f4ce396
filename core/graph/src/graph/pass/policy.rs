//! Policies: which device takes a node that names none.

use crate::graph::{Graph, Implementation, Node, TensorType};
use ringwood_base::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which device takes a node that names none; one that names a device stays there under every policy.
///
/// Inputs, parameters and constants that name none go where the first operator that reads them is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// None: such a node is an error.
    Explicit,
    /// The first listed device that has the kernel.
    Kernel,
    /// The device that holds most bytes of its operands, if it has the kernel, else as [`Policy::Kernel`].
    #[default]
    Data,
    /// The device where it ends first by these [`Rates`] of each device, copies of its operands included.
    Cost(BTreeMap<String, Rates>),
}

/// How fast a device is, for [`Policy::Cost`]: an estimate, by which no result depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rates {
    /// Nanoseconds of a launch, however small.
    pub launch_ns: u64,
    /// Points of loops in a microsecond: products of all extents that the shape rule of an operator names,
    /// `m k n` of a product of matrices.
    pub points_per_us: u64,
    /// Bytes that come from another device in a microsecond.
    pub bytes_per_us: u64,
}

impl Policy {
    /// Checks that a policy by cost knows each of these devices.
    pub(super) fn check(&self, devices: &[String]) -> Result<()> {
        let Self::Cost(rates) = self else { return Ok(()) };
        match devices.iter().find(|device| !rates.contains_key(*device)) {
            None => Ok(()),
            Some(device) => {
                let message = format!("the policy by cost has no rates of device {device}");
                let help = "measure them with `ringwood::kernels::rates`";
                Err(Error::invalid(message).help(help))
            }
        }
    }
}

impl Rates {
    /// The nanoseconds that a node takes on a device, with copies of the operands that are elsewhere.
    pub(super) fn cost(
        &self,
        graph: &Graph,
        node: &Node,
        device: &str,
        found: &Implementation,
    ) -> u128 {
        let elsewhere = |operand: &&crate::graph::ValueId| {
            let at = &graph.nodes[graph.base(**operand).node as usize].device;
            at.as_deref().is_some_and(|at| at != device)
        };
        let moved = node.operands.iter().filter(elsewhere);
        let moved: u128 = moved.map(|&o| graph.value_type(o).bytes() as u128).sum();
        let elements = |ty: &TensorType| ty.shape.elements() as u128;
        let named = found.symbols.iter().map(|(_, extent)| *extent as u128);
        let points = node.results.iter().map(elements).sum::<u128>().max(named.product());
        let nanoseconds = |count: u128, rate: u64| count * 1000 / u128::from(rate.max(1));
        u128::from(self.launch_ns)
            + nanoseconds(points, self.points_per_us)
            + nanoseconds(moved, self.bytes_per_us)
    }
}
