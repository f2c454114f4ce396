//! The calls that a rank has made before, each with its plan.

use super::Invocation;
use crate::coder::Coder;
use crate::device::Part;
use crate::engine::Plan;
use crate::transport::{Buffers, Endpoint, Ready};
use crate::{Fingerprint, Tensors};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::device::{Device, Tensor};
use ringwood_schedule::{BufferMode, Descriptor, Layout, Order, Params, Rank, Request, Space};
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
    fingerprint: Fingerprint,
    digest: u64,
    how: How,
}

/// What is prepared for a call beside the transport's plan.
#[derive(Default)]
pub(super) struct How {
    /// How the elements travel, where it is not as they are.
    pub(super) coder: Option<Coder>,
    /// What is prepared on the rank's device, for a call on a tensor.
    pub(super) part: Option<Arc<Part>>,
}

/// What distinguishes calls: the invocation, its options and the memory it brings.
pub(super) struct Key<'a> {
    pub(super) what: &'a Invocation<'a>,
    pub(super) algorithm: Option<&'a str>,
    pub(super) order: Option<Order>,
    mode: BufferMode,
    lengths: [usize; 2],
    /// Where the elements are, if not in host memory.
    device: Option<&'a Device>,
}

impl<'a> Key<'a> {
    pub(super) fn new(
        what: &'a Invocation<'a>,
        algorithm: Option<&'a str>,
        order: Option<Order>,
        buffers: &Buffers<'_>,
    ) -> Self {
        let (mode, lengths) = match buffers {
            Buffers::InPlace(data) => (BufferMode::InPlace, [data.len(); 2]),
            Buffers::Apart { input, output } => {
                (BufferMode::OutOfPlace, [input.len(), output.len()])
            }
        };
        Self { what, algorithm, order, mode, lengths, device: None }
    }

    /// The key of a call on tensors.
    pub(super) fn of_tensors(
        what: &'a Invocation<'a>,
        algorithm: Option<&'a str>,
        order: Option<Order>,
        tensors: &'a Tensors<'_>,
    ) -> Self {
        let lengths = [tensors.input(), tensors.output()].map(Tensor::bytes);
        let (mode, device) = (tensors.mode(), Some(tensors.device()));
        Self { what, algorithm, order, mode, lengths, device }
    }

    fn is_of(&self, slot: &Slot) -> bool {
        let Slot { algorithm, lengths, fingerprint: f, how, .. } = slot;
        let place = match (&how.part, self.device) {
            (None, None) => true,
            (Some(part), Some(device)) => part.is_on(device),
            _ => false,
        };
        place
            && *lengths == self.lengths
            && f.mode == self.mode
            && f.operation == self.what.operation
            && f.dtype == self.what.dtype
            && f.reduce == self.what.reduce
            && f.root == self.what.root
            && f.order == self.order
            && same(&f.permutation, self.what.permutation)
            && same(&f.counts, self.what.counts)
            && algorithm.as_deref() == self.algorithm
    }

    /// What the group asks of an algorithm.
    ///
    /// # Errors
    /// The buffers do not have the lengths that the operation needs, or an argument does not fit the
    /// operation or the group.
    pub(super) fn request(&self, rank: Rank) -> Result<Request> {
        let Invocation { operation, reduce, dtype, root, permutation, counts } = *self.what;
        let n = rank.group_size();
        if operation.reduces() != reduce.is_some() {
            let verb = if operation.reduces() { "needs" } else { "has no" };
            let message = format!("{operation} {verb} merge operator");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let request = Request::new(n, 0, dtype).root(root).permutation(permutation);
        let request = request.mode(self.mode);
        let caller = Params::of_request(&Descriptor::new("call", operation).both_modes(), &request);
        let caller = caller.map_err(|error| error.with("operation", operation))?;
        let request = if counts.is_empty() {
            Request { elements: self.elements(&caller, rank), ..request }
        } else {
            request.counts(counts)
        };
        request.check_counts(operation)?;
        self.check_lengths(&caller, &request, rank)?;
        Ok(reduce.map_or(request.clone(), |op| request.reduced_by(op)))
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
            let (operation, n, given) = (self.what.operation, rank.group_size(), bytes / size);
            let why = match (request.counts.is_empty(), operation.blocked()) {
                (false, _) => format!("the counts ask for {needed}"),
                (true, true) => format!("blocks of {} ask for {needed}", request.elements),
                (true, false) => format!("{needed} are needed"),
            };
            let message = format!(
                "{operation} among {n} ranks: the {name} of rank {rank} has {given} elements, {why}"
            );
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        Ok(())
    }

    pub(super) fn fingerprint(&self, request: &Request, algorithm: &'static str) -> Fingerprint {
        Fingerprint {
            operation: self.what.operation,
            reduce: self.what.reduce,
            dtype: self.what.dtype,
            count: request.elements,
            counts: self.what.counts.to_vec(),
            root: self.what.root,
            permutation: self.what.permutation.to_vec(),
            mode: self.mode,
            order: self.order,
            arrangement: request.arrangement.clone(),
            algorithm,
            on_devices: self.device.is_some(),
        }
    }
}

/// Without `memcmp`, which takes long over the null of empty slices: its masked loads fault.
fn same(a: &[usize], b: &[usize]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

impl Prepared {
    pub(super) fn how(&self, slot: usize) -> &How {
        &self.slots[slot].how
    }

    pub(super) fn ready(&self, slot: usize) -> Ready<'_> {
        let Slot { fingerprint, digest, .. } = &self.slots[slot];
        Ready { fingerprint, digest: *digest, bytes: fingerprint.bytes(), slot }
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
    ///
    /// # Errors
    /// The transport cannot run the plan.
    pub(super) fn keep(
        &mut self,
        key: &Key<'_>,
        fingerprint: Fingerprint,
        how: How,
        plan: &Plan,
        endpoint: &mut dyn Endpoint,
    ) -> Result<usize> {
        let index = if self.slots.len() < SLOTS { self.slots.len() } else { self.oldest };
        endpoint.prepare(index, plan)?;
        let (algorithm, digest) = (key.algorithm.map(str::to_owned), fingerprint.digest());
        let slot = Slot { algorithm, lengths: key.lengths, fingerprint, digest, how };
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
