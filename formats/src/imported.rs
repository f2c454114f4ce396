//! A plan as a collective: selectable, verified and run like any other.

use crate::msccl::Head;
use crate::{ExecutionPlan, Goal, Model, check, lower};
use ringwood_base::registry::{Entry, EntryMeta};
use ringwood_base::{Error, Result, Shared};
use ringwood_schedule::{
    Collective, CollectiveDef, Descriptor, Lane, Params, Rank, Request, Schedule, Verdict,
    verify_schedule,
};
use std::sync::Arc;

/// A plan that was checked, lowered and proved: a [`Collective`] for one number of ranks.
///
/// ```
/// use ringwood_collective::Group;
/// use ringwood_schedule::ReduceOp;
/// use ringwood_base::registry::Registry;
/// use ringwood_formats::{Imported, read};
///
/// # use {ringwood_collectives as _, ringwood_kernels as _};
/// # let text = ringwood_formats::doc::ALL_REDUCE;
/// let plan = Imported::new(&read(text.as_bytes())?)?;
/// let (name, ranks) = (plan.name().to_owned(), plan.ranks());
/// let registry = Registry::builder().linked().register(plan.register()).build()?;
/// Group::builder(ranks).registry(registry).spmd(|comm| {
///     let mut data = [1.0_f32; 1024];
///     comm.with(&name).all_reduce(&mut data, ReduceOp::Sum)?;
///     assert_eq!(data, [2.0; 1024]);
///     Ok(())
/// })?;
/// # Ok::<(), ringwood_base::Error>(())
/// ```
pub struct Imported {
    descriptor: Descriptor,
    ranks: usize,
    segments: usize,
    head: Head,
    proofs: Vec<Proved>,
}

/// A plan's schedule in one buffer mode, with its proof.
struct Proved {
    params: Params,
    schedule: Schedule,
    verdict: Verdict,
}

impl Imported {
    /// Checks a plan in each of its buffer modes at the level of its file, lowers it, and proves
    /// the schedules. Relaxed signals do not order memory.
    ///
    /// # Errors
    /// The plan is too large, wrong ([`ErrorKind::NotVerified`](ringwood_base::ErrorKind::NotVerified)), or does not say what it computes.
    pub fn new(plan: &ExecutionPlan) -> Result<Self> {
        Self::with(plan, Model::default())
    }

    /// [`Imported::new`] with a choice of what relaxed signals and packets order.
    ///
    /// # Errors
    /// See [`Imported::new`].
    pub fn with(plan: &ExecutionPlan, model: impl Into<Model>) -> Result<Self> {
        let model = model.into();
        if plan.modes.is_empty() {
            let message = format!("plan `{}` has no mode of its buffers", plan.name);
            return Err(Error::invalid(message).help("name one in `modes`: in place, or not"));
        }
        let mut proofs = Vec::new();
        for &mode in &plan.modes {
            let report = check(plan, mode, model)?;
            let (schedule, params) = lower(plan, &report)?;
            let verdict = verify_schedule(&schedule, &params)?.into_result()?;
            proofs.push(Proved { params, schedule, verdict });
        }
        let Goal::Operation(operation) = plan.goal else {
            unreachable!("a plan without an operation is not lowered");
        };
        Ok(Self {
            descriptor: plan.descriptor(operation),
            ranks: plan.ranks.len(),
            segments: plan.segments(operation),
            head: Head { protocol: plan.protocol.clone(), bytes: plan.bytes.clone() },
            proofs,
        })
    }

    /// The plan's name: the one it is registered under.
    pub fn name(&self) -> &str {
        &self.descriptor.name
    }

    /// The sizes and the protocol that it is for.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The number of ranks that it is for.
    pub fn ranks(&self) -> usize {
        self.ranks
    }

    /// The proofs of its schedules, one for each buffer mode.
    pub fn verdicts(&self) -> impl Iterator<Item = &Verdict> {
        self.proofs.iter().map(|p| &p.verdict)
    }

    /// Its schedules with their parameters, one for each buffer mode.
    pub fn schedules(&self) -> impl Iterator<Item = (&Schedule, &Params)> {
        self.proofs.iter().map(|p| (&p.schedule, &p.params))
    }

    /// The entry that makes the plan known to a registry, which owns it from then on.
    pub fn register(self) -> Entry {
        let (name, module_path, file) = (self.descriptor.name.clone(), module_path!(), file!());
        let meta = EntryMeta { package: "plan", name: &name, module_path, file, line: line!() };
        Entry::made(meta, CollectiveDef { collective: Shared::Made(Arc::new(self)) })
    }

    /// The schedule for a call, wherever its ranks lie.
    fn proved(&self, params: &Params) -> Option<&Proved> {
        let params = params.clone().unarranged();
        self.proofs.iter().find(|proved| proved.params == params)
    }

    fn unsupported(&self, why: impl std::fmt::Display) -> Error {
        Error::unsupported(format!("plan `{}` {why}", self.name()))
    }
}

impl Collective for Imported {
    fn describe(&self) -> Descriptor {
        self.descriptor.clone()
    }

    /// Pushes the steps of `rank`.
    ///
    /// # Panics
    /// `p` is not what the plan resolves to.
    fn schedule(&self, p: &Params, rank: Rank, lane: &mut Lane) {
        let Some(proved) = self.proved(p) else {
            panic!("plan `{}` has no schedule for these parameters: {p:?}", self.name());
        };
        proved.schedule.lanes[rank.index()].iter().for_each(|step| lane.push(*step));
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        if request.ranks != self.ranks {
            let (has, ranks) = (self.ranks, request.ranks);
            return Err(self.unsupported(format!("is for {has} ranks, not for {ranks}")));
        }
        let params = Params::of_request(&self.descriptor, request)?.segmented(self.segments)?;
        if self.proved(&params).is_none() {
            let root = request.what.root;
            let why = format!("has no schedule for the root {root}, or for this permutation");
            return Err(self.unsupported(why));
        }
        let blocked = self.descriptor.operation.blocked();
        let chunks = if blocked { self.segments } else { params.chunks() };
        let elements = request.elements;
        let even = request.what.counts.is_none();
        if !even || !elements.is_multiple_of(chunks) {
            let cuts = format!(
                "cuts the buffer in {chunks} equal chunks, which {elements} elements are not"
            );
            let why = if even { cuts } else { "needs blocks of equal sizes".into() };
            return Err(self.unsupported(why).help(format!("use a multiple of {chunks} elements")));
        }
        let blocks = if blocked { request.ranks } else { 1 };
        let bytes = (elements as u64).saturating_mul((blocks * request.what.dtype.size()) as u64);
        if !self.head.bytes.contains(&bytes) {
            let (least, most) = (self.head.bytes.start(), self.head.bytes.end());
            return Err(
                self.unsupported(format!("is for {least} to {most} bytes, not for {bytes}"))
            );
        }
        Ok(params)
    }
}
