//! The instance stage: that all members mean the same collective, and its parameters.

use super::group::ResolvedGroup;
use super::subdivision::{Cut, Subdivisions};
use crate::InstanceId;
use ringwood_base::registry::Registry;
use ringwood_base::sync::cores;
use ringwood_base::{DType, Error, Result, Shape};
use ringwood_schedule::{
    Arrangement, Capabilities, CollectiveDef, CostModel, Operation, Params, Request, Setting,
    choose,
};
use ringwood_transport::{Field, disagreement, list_ranks};
use serde::{Deserialize, Serialize};

/// What a member knows of a collective.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstanceRequest {
    pub(super) key: u64,
    operation: Operation,
    dtype: DType,
    shape: Vec<usize>,
    algorithm: Option<String>,
    cut: Cut,
    root: bool,
}

impl InstanceRequest {
    /// The collective of key `key`, scoped to its group, on tensors of this type and shape.
    pub fn new(key: u64, operation: Operation, dtype: DType, shape: Shape) -> Self {
        let (shape, cut) = (shape.to_vec(), Cut::default());
        Self { key, operation, dtype, shape, algorithm: None, cut, root: false }
    }

    /// Insists on an algorithm.
    #[must_use]
    pub fn algorithm(self, name: &str) -> Self {
        Self { algorithm: Some(name.to_owned()), ..self }
    }

    /// How many rings share the work; by default, as many as the size of the tensor asks for.
    #[must_use]
    pub fn cut(self, cut: Cut) -> Self {
        Self { cut, ..self }
    }

    /// Claims to be the root: the source of a broadcast or a scatter, the destination of a reduction
    /// or a gather to one rank.
    #[must_use]
    pub fn root(self) -> Self {
        Self { root: true, ..self }
    }

    fn elements(&self) -> Result<usize> {
        let product = self.shape.iter().try_fold(1_usize, |n, dim| n.checked_mul(*dim));
        product.ok_or_else(|| {
            Error::invalid(format!("a tensor of shape {:?} exceeds memory", self.shape))
        })
    }

    /// What all members must ask for alike.
    fn fields(&self) -> Vec<Field> {
        let algorithm = self.algorithm.as_deref().unwrap_or("any");
        let cut = serde_json::to_string(&self.cut).unwrap_or_default();
        let fields = [
            ("operation", self.operation.to_string()),
            ("dtype", self.dtype.to_string()),
            ("shape", format!("{:?}", self.shape)),
            ("algorithm", algorithm.to_owned()),
            ("subdivisions", cut),
        ];
        fields.map(|(name, value)| (name.into(), value)).to_vec()
    }
}

/// A collective whose parameters are complete; the same on every member, but for its own positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedInstance {
    /// The name of the algorithm.
    pub algorithm: String,
    /// The parameters of its schedule, with the root.
    pub params: Params,
    /// The rings or trees that share the work, with the positions of this member; empty for
    /// operations that have neither.
    pub subdivisions: Subdivisions,
}

/// The parameters that follow from what all members ask for, if it is the same; as `group`, one of them, sees them.
pub(super) fn settle(
    group: &ResolvedGroup,
    id: InstanceId,
    all: &[&InstanceRequest],
    registry: &Registry,
) -> Result<ResolvedInstance> {
    let (first, what) = (all[0], id.to_string());
    let statements: Vec<_> = all.iter().map(|request| request.fields()).collect();
    if let Some(error) = disagreement(&what, &statements) {
        return Err(error);
    }
    let claim = |(rank, request): (usize, &&InstanceRequest)| request.root.then_some(rank);
    let claims: Vec<usize> = all.iter().enumerate().filter_map(claim).collect();
    let root = match claims[..] {
        _ if !first.operation.rooted() => 0,
        [root] => root,
        _ => {
            let who = match claims.len() {
                0 => format!("no root: none of its {} members claims to be it", all.len()),
                _ => format!("several roots: {}", list_ranks(&claims)),
            };
            return Err(Error::mismatch(format!("{what} has {who}")));
        }
    };
    first.parameters(group, registry, root)
}

impl InstanceRequest {
    fn parameters(
        &self,
        group: &ResolvedGroup,
        registry: &Registry,
        root: usize,
    ) -> Result<ResolvedInstance> {
        let subdivisions = self.subdivisions(group, root)?;
        let arrangement = Arrangement::of_tasks(&group.tasks())?;
        let rings =
            if subdivisions.sources.is_empty() { &subdivisions.permutations[..] } else { &[] };
        let request = Request::new(self.operation, group.size(), self.elements()?, self.dtype)
            .root(root)
            .arrangement(arrangement.rings(rings)?);
        // What every transport can do: that of the group is not known here.
        let model = CostModel::of_transport(Capabilities::PEER_MEMORY, cores());
        let setting = Setting::new(model, Capabilities::TWO_SIDED);
        let name = self.algorithm.as_deref();
        let collective = choose(registry, name, &request, &setting)?;
        let params = Params::resolved(&*collective, &request)?;
        let algorithm = match name {
            Some(name) => registry.shortest_name::<CollectiveDef>(name)?,
            None => collective.describe().name.into_owned(),
        };
        Ok(ResolvedInstance { algorithm, params, subdivisions })
    }

    /// The rings or trees of the operation, as the member of `group` sees them.
    fn subdivisions(&self, group: &ResolvedGroup, root: usize) -> Result<Subdivisions> {
        let (tasks, rank) = (group.tasks(), group.rank());
        let bytes = (self.elements()? as u64).saturating_mul(self.dtype.size() as u64);
        match (self.operation, &self.cut) {
            (Operation::Broadcast | Operation::Scatter, _) => {
                Subdivisions::trees(&tasks, rank, root)
            }
            (Operation::AllGather | Operation::Gather, Cut::Offsets(offsets))
                if offsets[..] != [0] =>
            {
                let message = format!("a ring gather has one ring at offset 0, not {offsets:?}");
                Err(Error::invalid(message))
            }
            (Operation::AllGather | Operation::Gather, _) => {
                Subdivisions::rings(&tasks, rank, bytes, &Cut::One)
            }
            (Operation::AllReduce | Operation::Reduce | Operation::ReduceScatter, cut) => {
                Subdivisions::rings(&tasks, rank, bytes, cut)
            }
            _ => Ok(Subdivisions::default()),
        }
    }
}
