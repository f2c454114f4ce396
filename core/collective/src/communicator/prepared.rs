//! The calls that a rank has made before, each with its plan.

use crate::coder::Coder;
use crate::device::{OpaquePart, Part, Tensors};
use ringwood_base::{Error, Result, counted};
use ringwood_device::device::{Device, Tensor};
use ringwood_schedule::{
    BufferMode, Descriptor, Invocation, Layout, Order, Params, Rank, Request, Space,
};
use ringwood_transport::{CallSpec, Endpoint, Plan, Ready, same_lengths};
use std::sync::Arc;

/// The calls that a rank has made before.
#[derive(Default)]
pub(super) struct Prepared {
    slots: Vec<Slot>,
    /// The slot of the last call, where the next one is looked for first.
    last: usize,
    /// Where the next plan goes when all slots are taken.
    oldest: usize,
}

/// The plans that a rank keeps.
const SLOTS: usize = 256;

/// A call that was made before.
struct Slot {
    algorithm: Option<String>,
    lengths: [usize; 2],
    device: Option<Device>,
    spec: CallSpec,
    fingerprint: u64,
    how: How,
}

/// What is prepared for a call beside the transport's plan.
#[derive(Default)]
pub(super) struct How {
    /// How the elements travel, where it is not as they are.
    pub(super) coder: Option<Coder>,
    /// What is prepared on the rank's device, for a call on a tensor.
    pub(super) part: Option<Arc<Part>>,
    /// The same, for a call on a tensor that a library runs.
    pub(super) opaque: Option<Arc<OpaquePart>>,
}

/// What distinguishes calls: the invocation, its options and the memory it brings.
pub(super) struct Key<'a> {
    pub(super) what: &'a Invocation<'a>,
    pub(super) algorithm: Option<&'a str>,
    pub(super) order: Option<Order>,
    /// What it is a part of, if not a call by itself.
    pub(super) purpose: Option<&'static str>,
    pub(super) mode: BufferMode,
    /// The bytes of input and output; in place twice the same.
    pub(super) lengths: [usize; 2],
    /// Where the elements are, if not in host memory.
    pub(super) device: Option<&'a Device>,
}

impl<'a> Key<'a> {
    /// Of a call on tensors.
    pub(super) fn of_tensors(
        what: &'a Invocation<'a>,
        tensors: &'a Tensors<'_>,
        algorithm: Option<&'a str>,
        order: Option<Order>,
    ) -> Self {
        let lengths = [tensors.input(), tensors.output()].map(Tensor::bytes);
        let (mode, device) = (tensors.mode(), Some(tensors.device()));
        Self { what, algorithm, order, purpose: None, mode, lengths, device }
    }

    fn is_of(&self, slot: &Slot) -> bool {
        let Slot { algorithm, lengths, device, spec, .. } = slot;
        device.as_ref() == self.device
            && same_lengths(self.lengths, *lengths)
            && spec.request.mode == Some(self.mode)
            && spec.order == self.order
            && spec.purpose == self.purpose
            && spec.request.what.is(self.what)
            && algorithm.as_deref() == self.algorithm
    }

    /// What the group asks of an algorithm.
    ///
    /// # Errors
    /// The buffers do not have the lengths that the operation needs, or an argument does not fit the
    /// operation or the group.
    pub(super) fn request(&self, rank: Rank) -> Result<Request> {
        self.what.check()?;
        let Invocation { operation, reduce, dtype, .. } = *self.what;
        // Buffers have the elements as they are in memory, not as a merge has them travel.
        let what = Invocation { reduce: None, ..self.what.owned() };
        let request = Request::new(operation, rank.group_size(), 0, dtype).mode(self.mode);
        let request = Request { what, ..request };
        let caller = Params::of_request(&Descriptor::new("call", operation).both_modes(), &request);
        let caller = caller.map_err(|error| error.with("operation", operation))?;
        let largest = self.what.counts.iter().flat_map(|counts| counts.iter()).copied().max();
        let elements = largest.unwrap_or_else(|| self.elements(&caller, rank));
        let request = Request { elements, ..request };
        request.check_counts()?;
        self.check_lengths(&caller, &request, rank)?;
        request.check_shape()?;
        Ok(Request { what: Invocation { reduce, ..request.what }, ..request })
    }

    /// The elements of a block, from the first buffer that has blocks.
    fn elements(&self, caller: &Params, rank: Rank) -> usize {
        let blocks = |space| caller.held(rank.index(), space).len();
        let blocks = [Space::Input, Space::Output].map(blocks);
        let of = blocks.iter().zip(self.lengths).find(|(blocks, _)| **blocks > 0);
        of.map_or(0, |(blocks, bytes)| bytes / self.what.dtype.size() / blocks)
    }

    fn check_lengths(&self, caller: &Params, request: &Request, rank: Rank) -> Result<()> {
        let layout = Layout::new(caller, request)?;
        let size = self.what.dtype.size();
        let spaces = [(Space::Input, "input"), (Space::Output, "output")];
        for ((space, name), bytes) in spaces.into_iter().zip(self.lengths) {
            let needed = layout.length(rank.index(), space);
            if needed * size == bytes {
                continue;
            }
            let name = if self.mode == BufferMode::InPlace { "buffer" } else { name };
            let (operation, given) = (self.what.operation, bytes / size);
            let ranks = counted(rank.group_size(), "rank");
            let why = match (request.what.counts.is_some(), operation.blocked()) {
                (true, _) => format!("the counts ask for {needed}"),
                (false, true) => format!("blocks of {} ask for {needed}", request.elements),
                (false, false) => format!("{needed} are needed"),
            };
            return Err(Error::invalid(format!(
                "{operation} among {ranks}: the {name} of rank {rank} has {given} elements, {why}"
            )));
        }
        Ok(())
    }
}

impl Prepared {
    pub(super) fn how(&self, slot: usize) -> &How {
        &self.slots[slot].how
    }

    pub(super) fn ready(&self, slot: usize) -> Ready<'_> {
        let Slot { spec, fingerprint, .. } = &self.slots[slot];
        Ready { spec, fingerprint: *fingerprint, slot }
    }

    /// Where the plan of a call is, if it was made before.
    #[inline]
    pub(super) fn find(&mut self, key: &Key<'_>) -> Option<usize> {
        if self.slots.get(self.last).is_some_and(|slot| key.is_of(slot)) {
            return Some(self.last);
        }
        self.last = self.slots.iter().position(|slot| key.is_of(slot))?;
        Some(self.last)
    }

    /// Prepares the plan of a call that was not made before.
    pub(super) fn keep(
        &mut self,
        key: &Key<'_>,
        spec: CallSpec,
        how: How,
        plan: &Plan,
        endpoint: &mut dyn Endpoint,
    ) -> Result<usize> {
        let index = if self.slots.len() < SLOTS { self.slots.len() } else { self.oldest };
        endpoint.prepare(index, plan)?;
        let (algorithm, fingerprint) = (key.algorithm.map(str::to_owned), spec.fingerprint());
        let (lengths, device) = (key.lengths, key.device.cloned());
        let slot = Slot { algorithm, lengths, device, spec, fingerprint, how };
        if index < self.slots.len() {
            self.slots[index] = slot;
            self.oldest = (index + 1) % SLOTS;
        } else {
            self.slots.push(slot);
        }
        self.last = index;
        Ok(index)
    }
}
