//! The instance stage: that all members mean the same collective, and its parameters.

use super::group::ResolvedGroup;
use super::subdivision::{Cut, Subdivisions};
use crate::fingerprint::list_ranks;
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Error, ErrorKind, Result, Shape};
use ringwood_schedule::Capabilities;
use ringwood_schedule::choose;
use ringwood_schedule::{Arrangement, CostModel, Operation, Params, Request, Setting};
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
            let message = format!("a tensor of shape {:?} exceeds memory", self.shape);
            Error::new(ErrorKind::InvalidArgument, message)
        })
    }

    /// The first field in which another request differs, with both values.
    fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let show = |r: &Self| {
            let algorithm = r.algorithm.clone().unwrap_or_else(|| "any".into());
            let (operation, dtype) = (r.operation.to_string(), r.dtype.to_string());
            let cut = serde_json::to_string(&r.cut).unwrap_or_default();
            [operation, dtype, format!("{:?}", r.shape), algorithm, cut]
        };
        let fields = ["operation", "dtype", "shape", "algorithm", "subdivisions"].into_iter();
        let values = show(self).into_iter().zip(show(other));
        let differs = fields.zip(values).find(|(_, (a, b))| a != b);
        differs.map(|(field, (a, b))| (field, a, b))
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

/// What is the same on every member.
#[derive(Clone, Debug)]
struct Settled {
    algorithm: &'static str,
    params: Params,
}

/// What is known of an instance.
pub(super) struct InstanceRecord {
    first: InstanceRequest,
    /// For each rank that has arrived, whether it claims to be the root.
    arrived: Vec<Option<bool>>,
    outcome: Option<Result<Settled>>,
}

impl InstanceRecord {
    pub(super) fn new(first: &InstanceRequest) -> Self {
        Self { first: first.clone(), arrived: Vec::new(), outcome: None }
    }

    pub(super) fn arrive(
        &mut self,
        group: &ResolvedGroup,
        request: &InstanceRequest,
        registry: &Registry,
    ) {
        if self.outcome.as_ref().is_some_and(Result::is_err) {
            return;
        }
        self.arrived.resize(group.size(), None);
        let checked = self.check(group, request);
        self.arrived[group.rank()] = Some(request.root);
        match checked {
            Err(error) => self.outcome = Some(Err(error)),
            Ok(()) if self.outcome.is_none() => self.outcome = self.complete(group, registry),
            Ok(()) => {}
        }
    }

    fn check(&self, group: &ResolvedGroup, request: &InstanceRequest) -> Result<()> {
        let (rank, key) = (group.rank(), request.key);
        let what = format!("instance {key} of group {}", group.key());
        if let Some((field, a, b)) = self.first.difference(request) {
            let message = format!(
                "members disagree on the {field} of {what}: rank {rank} ({}) has {b}, the first one has {a}",
                group.localities()[rank].device
            );
            return Err(Error::new(ErrorKind::Mismatch, message));
        }
        let other = self.arrived.iter().position(|a| *a == Some(true)).filter(|&r| r != rank);
        match other.filter(|_| request.root) {
            Some(other) => {
                let message = format!("{what} has two roots: ranks {other} and {rank}");
                Err(Error::new(ErrorKind::Mismatch, message))
            }
            None => Ok(()),
        }
    }

    /// The outcome, as soon as enough is known.
    fn complete(&self, group: &ResolvedGroup, registry: &Registry) -> Option<Result<Settled>> {
        if !self.first.operation.rooted() {
            return Some(self.parameters(group, registry, 0));
        }
        if self.arrived.iter().any(Option::is_none) {
            return None;
        }
        let Some(root) = self.arrived.iter().position(|a| *a == Some(true)) else {
            let (key, size) = (self.first.key, group.size());
            let message = format!(
                "instance {key} of group {} has no root: none of its {size} members claims to be it",
                group.key()
            );
            return Some(Err(Error::new(ErrorKind::Mismatch, message)));
        };
        Some(self.parameters(group, registry, root))
    }

    fn parameters(
        &self,
        group: &ResolvedGroup,
        registry: &Registry,
        root: usize,
    ) -> Result<Settled> {
        let InstanceRequest { operation, dtype, algorithm, .. } = &self.first;
        let subdivisions = self.subdivisions(group, root)?;
        let arrangement = Arrangement::of_tasks(&group.tasks())?;
        let rings =
            if subdivisions.sources.is_empty() { &subdivisions.permutations[..] } else { &[] };
        let request = Request::new(group.size(), self.first.elements()?, *dtype)
            .root(root)
            .arrangement(arrangement.rings(rings)?);
        let capabilities = Capabilities::PEER_LOAD;
        let setting = Setting::new(CostModel::of_transport(capabilities), capabilities);
        let name = algorithm.as_deref();
        let collective = choose(registry, name, *operation, &request, &setting)?;
        let params = collective.resolve(&request)?;
        Ok(Settled { algorithm: collective.describe().name, params })
    }

    /// The rings or trees of the operation, as the member of `group` sees them.
    fn subdivisions(&self, group: &ResolvedGroup, root: usize) -> Result<Subdivisions> {
        let (tasks, rank) = (group.tasks(), group.rank());
        let bytes = (self.first.elements()? as u64).saturating_mul(self.first.dtype.size() as u64);
        match (self.first.operation, &self.first.cut) {
            (Operation::Broadcast | Operation::Scatter, _) => {
                Subdivisions::trees(&tasks, rank, root)
            }
            (Operation::AllGather | Operation::Gather, Cut::Offsets(offsets))
                if offsets[..] != [0] =>
            {
                let message = format!("a ring gather has one ring at offset 0, not {offsets:?}");
                Err(Error::new(ErrorKind::InvalidArgument, message))
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

    /// What a member gets, if the instance is settled; when it is `late`, it is.
    pub(super) fn answer(
        &mut self,
        group: &ResolvedGroup,
        late: bool,
    ) -> Option<Result<ResolvedInstance>> {
        if self.outcome.is_none() && late {
            let absent = |r: &usize| self.arrived[*r].is_none();
            let absent: Vec<usize> = (0..group.size()).filter(absent).collect();
            let message = format!(
                "{} did not come to instance {} of group {} in time",
                list_ranks(&absent),
                self.first.key,
                group.key()
            );
            self.fail(Error::new(ErrorKind::Timeout, message));
        }
        let Settled { algorithm, params } = match self.outcome.clone()? {
            Ok(settled) => settled,
            Err(error) => return Some(Err(error)),
        };
        let subdivisions = self.subdivisions(group, params.root().index());
        let algorithm = algorithm.to_owned();
        Some(subdivisions.map(|subdivisions| ResolvedInstance { algorithm, params, subdivisions }))
    }

    /// Fails an instance that is not settled.
    pub(super) fn fail(&mut self, error: Error) {
        self.outcome.get_or_insert(Err(error));
    }
}
