//! The instance stage: that all members mean the same collective, and its parameters.

use super::group::ResolvedGroup;
use crate::collective::fingerprint::list_ranks;
use crate::collective::select::select;
use crate::collective::{Operation, Params, Request};
use crate::registry::Registry;
use crate::{DType, Error, ErrorKind, Result, Shape};

/// What a member knows of a collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceRequest {
    pub(super) key: u64,
    operation: Operation,
    dtype: DType,
    shape: Shape,
    algorithm: Option<String>,
    source: bool,
}

impl InstanceRequest {
    /// The collective of key `key`, scoped to its group, on tensors of this type and shape.
    pub fn new(key: u64, operation: Operation, dtype: DType, shape: Shape) -> Self {
        Self { key, operation, dtype, shape, algorithm: None, source: false }
    }

    /// Insists on an algorithm.
    #[must_use]
    pub fn algorithm(self, name: &str) -> Self {
        Self { algorithm: Some(name.to_owned()), ..self }
    }

    /// Claims to be the source of a broadcast.
    #[must_use]
    pub fn source(self) -> Self {
        Self { source: true, ..self }
    }

    /// The first field in which another request differs, with both values.
    fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let show = |r: &Self| {
            let algorithm = r.algorithm.clone().unwrap_or_else(|| "any".into());
            let (operation, dtype) = (r.operation.to_string(), r.dtype.to_string());
            [operation, dtype, format!("{:?}", &*r.shape), algorithm]
        };
        let fields = ["operation", "dtype", "shape", "algorithm"].into_iter();
        let values = show(self).into_iter().zip(show(other));
        let differs = fields.zip(values).find(|(_, (a, b))| a != b);
        differs.map(|(field, (a, b))| (field, a, b))
    }
}

/// A collective whose parameters are complete; the same on every member.
#[derive(Clone, Debug)]
pub struct ResolvedInstance {
    /// The name of the algorithm.
    pub algorithm: &'static str,
    /// The parameters of its schedule; the root is the source of a broadcast.
    pub params: Params,
}

/// What is known of an instance.
pub(super) struct InstanceRecord {
    first: InstanceRequest,
    /// For each rank that has arrived, whether it claims to be the source.
    arrived: Vec<Option<bool>>,
    outcome: Option<Result<ResolvedInstance>>,
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
        self.arrived[group.rank()] = Some(request.source);
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
                group.members()[rank]
            );
            return Err(Error::new(ErrorKind::Mismatch, message));
        }
        let other = self.arrived.iter().position(|a| *a == Some(true)).filter(|&r| r != rank);
        match other.filter(|_| request.source) {
            Some(other) => {
                let message = format!("{what} has two sources: ranks {other} and {rank}");
                Err(Error::new(ErrorKind::Mismatch, message))
            }
            None => Ok(()),
        }
    }

    /// The outcome, as soon as enough is known.
    fn complete(
        &self,
        group: &ResolvedGroup,
        registry: &Registry,
    ) -> Option<Result<ResolvedInstance>> {
        let rooted = self.first.operation == Operation::Broadcast;
        if !rooted {
            return Some(self.parameters(group, registry, 0));
        }
        if self.arrived.iter().any(Option::is_none) {
            return None;
        }
        let Some(source) = self.arrived.iter().position(|a| *a == Some(true)) else {
            let (key, size) = (self.first.key, group.size());
            let message = format!(
                "instance {key} of group {} has no source: all {size} members came to receive",
                group.key()
            );
            return Some(Err(Error::new(ErrorKind::Mismatch, message)));
        };
        Some(self.parameters(group, registry, source))
    }

    fn parameters(
        &self,
        group: &ResolvedGroup,
        registry: &Registry,
        root: usize,
    ) -> Result<ResolvedInstance> {
        let InstanceRequest { operation, dtype, shape, algorithm, .. } = &self.first;
        let request = Request::new(group.size(), shape.elements(), *dtype).root(root);
        let collective = select(registry, algorithm.as_deref(), *operation, &request)?;
        let params = collective.resolve(&request)?;
        Ok(ResolvedInstance { algorithm: collective.describe().name, params })
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
            self.outcome = Some(Err(Error::new(ErrorKind::Timeout, message)));
        }
        self.outcome.clone()
    }
}
