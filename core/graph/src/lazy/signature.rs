//! What a recorded program was recorded for.

use super::tensors::{Configuration, Visitor, shown};
use super::{Lazy, State, default_device, devices};
use crate::engine::{self, Places};
use crate::graph::TensorType;
use ringwood_base::{Error, Result};
use ringwood_device::device::Device;
use std::collections::HashMap;
use std::sync::Arc;

/// Why a function that ranks share is recorded for one more of them.
pub(super) const ANOTHER_RANK: &str = "another rank";

/// Types and devices of leaves, lengths of lists, and all that is no tensor.
pub(super) struct Signature {
    leaves: Vec<Leaf>,
    /// The default device, where there are no leaves to say a device.
    home: Option<Device>,
    counts: Vec<usize>,
    configuration: Vec<Box<dyn Configuration>>,
    /// The state of the fallback.
    changes: u64,
    /// The ranks of this thread, if what was recorded depends on them.
    ranks: Option<Places>,
}

#[derive(PartialEq, Eq)]
struct Leaf {
    ty: TensorType,
    device: Device,
    /// The first leaf that is the same tensor.
    same: Option<usize>,
}

impl Signature {
    pub(super) fn of(visitor: &Visitor<'_>) -> Result<Self> {
        let leaf = |(leaf, same): (&&Lazy, _)| {
            let (ty, device) = typed(leaf)
                .ok_or_else(|| Error::invalid("an argument has failed, or is recorded"))?;
            Ok(Leaf { ty, device: device.clone(), same })
        };
        let leaves = visitor.leaves.iter().zip(same(&visitor.leaves)).map(leaf);
        Ok(Self {
            leaves: leaves.collect::<Result<_>>()?,
            home: visitor.leaves.is_empty().then(default_device).transpose()?,
            counts: visitor.counts.clone(),
            configuration: visitor.configuration.iter().map(|value| value.kept()).collect(),
            changes: devices::changes(),
            ranks: None,
        })
    }

    /// Says that it is for the rank that this thread is.
    pub(super) fn for_rank(&mut self) {
        self.ranks = engine::places();
    }

    pub(super) fn matches(&self, visitor: &Visitor<'_>) -> bool {
        let leaf = |((own, given), same): ((&Leaf, &&Lazy), _)| {
            typed(given).is_some_and(|(ty, device)| own.ty == ty && own.device == *device)
                && own.same == same
        };
        let leaves = self.leaves.iter().zip(&visitor.leaves);
        let configured = self.configuration.iter().zip(&visitor.configuration);
        self.leaves.len() == visitor.leaves.len()
            && self.counts == visitor.counts
            && self.configuration.len() == visitor.configuration.len()
            && self.changes == devices::changes()
            && (self.ranks.is_none() || self.ranks == engine::places())
            && (self.home.is_none() || self.home == default_device().ok())
            && leaves.zip(same(&visitor.leaves)).all(leaf)
            && configured.into_iter().all(|(own, given)| own.same(*given))
    }

    /// The devices of the leaves, the first leaf's first; without leaves, the default one.
    pub(super) fn devices(&self) -> Vec<Device> {
        let mut devices: Vec<Device> = Vec::new();
        for device in self.leaves.iter().map(|leaf| &leaf.device).chain(&self.home) {
            if !devices.contains(device) {
                devices.push(device.clone());
            }
        }
        devices
    }

    /// The first leaf that is the same tensor as leaf `i`.
    pub(super) fn same(&self, i: usize) -> Option<usize> {
        self.leaves[i].same
    }

    pub(super) fn ty(&self, i: usize) -> TensorType {
        self.leaves[i].ty
    }

    /// What differs from an earlier signature: `x: [32, 64] → [7, 64]`.
    pub(super) fn difference(&self, earlier: &Self, names: &[String]) -> String {
        if self.leaves.len() != earlier.leaves.len() || self.counts != earlier.counts {
            let (now, then) = (self.leaves.len(), earlier.leaves.len());
            return format!("other lists: {then} tensors → {now}");
        }
        let changed = self.leaves.iter().zip(&earlier.leaves).zip(names).find(|((a, b), _)| a != b);
        let Some(((now, then), name)) = changed else {
            let why = match self.changes == earlier.changes {
                true if self.home != earlier.home => "another default device",
                true if self.ranks == earlier.ranks => "another configuration",
                true => ANOTHER_RANK,
                false => "another fallback",
            };
            return why.into();
        };
        let name = shown(name);
        if now.ty.dtype != then.ty.dtype {
            format!("{name}: {} → {}", then.ty, now.ty)
        } else if now.ty.shape != then.ty.shape {
            format!("{name}: {} → {}", then.ty.shape, now.ty.shape)
        } else if now.device != then.device {
            format!("{name}: {} → {}", then.device, now.device)
        } else {
            format!("{name} is another argument at the same time, or no longer")
        }
    }
}

/// The type and the device of an argument.
fn typed(leaf: &Lazy) -> Option<(TensorType, &Device)> {
    match &*leaf.state {
        State::Ready(ready) => Some((ready.ty, &ready.device)),
        State::Empty(ty, device) => Some((*ty, device)),
        State::Traced(_) | State::Failed(_) => None,
    }
}

/// For each leaf the first one before it that is the same tensor; only what is held twice can be.
fn same<'a>(leaves: &'a [&Lazy]) -> impl Iterator<Item = Option<usize>> + 'a {
    let mut first = HashMap::new();
    leaves.iter().enumerate().map(move |(i, leaf)| {
        let held = Arc::strong_count(&leaf.state) > 1;
        let first = held.then(|| *first.entry(Arc::as_ptr(&leaf.state)).or_insert(i));
        first.filter(|first| *first < i)
    })
}
