//! Which calls on tensors go to a library: what the ranks agree on before the first call of a kind.

mod joined;

pub(super) use joined::Libraries;

use super::opaque::{LEAST, MOST, is_second_faster};
use super::prepared::{How, Key};
use super::tensor::nothing;
use super::{Call, Communicator, Local};
use crate::CollectiveLibraryDef;
use crate::device::{OpaquePart, Tensors, as_library};
use crate::library::no_order;
use joined::Joined;
use ringwood_base::{DType, Error, Result, Shape};
use ringwood_device::device::Tensor;
use ringwood_schedule::{BufferMode, Invocation, Operation, ReduceOp, Request};
use std::borrow::Cow;
use std::sync::Arc;

/// A library of the registry.
#[derive(Clone, Copy)]
pub(super) struct Library<'c> {
    number: usize,
    name: &'c str,
    def: &'c CollectiveLibraryDef,
}

/// What calls that are decided alike have in common.
#[derive(PartialEq, Eq, Hash)]
struct Class {
    operation: Operation,
    reduce: Option<ReduceOp>,
    dtype: DType,
    mode: BufferMode,
    /// Blocks have lengths of their own.
    counted: bool,
    /// A call by name is not measured, and may be for what no other call may.
    by_name: bool,
    /// Those of the number of bytes.
    bits: u32,
}

/// What a rank says that cannot use a library at all; 0 is said where it cannot run this call.
const NEVER: u64 = u64::MAX;

/// What is about to be called.
struct Asked<'a> {
    what: &'a Invocation<'a>,
    tensors: &'a Tensors<'a>,
    request: Request,
    /// Of the largest buffer of a rank.
    bytes: usize,
    /// The call names the library.
    by_name: bool,
}

impl<'c> Call<'c> {
    /// The library that runs a call: it was asked for, or no order is and it is the faster one.
    ///
    /// # Errors
    /// The library that was asked for cannot run the call, or a call in which the ranks agree fails: every rank
    /// gets an error.
    pub(super) fn library(
        self,
        what: &Invocation<'_>,
        tensors: &Tensors<'_>,
    ) -> Result<Option<Library<'c>>> {
        let Communicator { rank, shared, .. } = self.communicator;
        let order = self.order.or(shared.selector.setting().order);
        let known = shared.registry.of::<CollectiveLibraryDef>().enumerate();
        for (number, (entry, def)) in known {
            let library = Library { number, name: entry.meta().name, def };
            let by_name = self.algorithm.is_some_and(|name| entry.meta().is_called(name));
            if !by_name && (self.algorithm.is_some() || order.is_some() || rank.group_size() == 1) {
                continue;
            }
            if !by_name && self.communicator.libraries.borrow().refusal(number).is_some() {
                continue;
            }
            // A call that cannot be made is refused where a schedule would run it.
            let Ok(asked) = self.asked(what, tensors, by_name) else { continue };
            match order {
                Some(order) => {
                    return self.refuse(no_order(library.name, order)).map(|()| None);
                }
                // Zeros in blocks of one length would stand for the others where it is measured.
                None if !by_name && (asked.bytes < LEAST || what.counts.is_some()) => continue,
                None => {}
            }
            match self.takes(library, &asked)? {
                Ok(true) => return Ok(Some(library)),
                Err(error) if by_name => return Err(error),
                _ => {}
            }
        }
        Ok(None)
    }

    fn asked<'a>(
        self,
        what: &'a Invocation<'a>,
        tensors: &'a Tensors<'a>,
        by_name: bool,
    ) -> Result<Asked<'a>> {
        tensors.check(what.dtype)?;
        let request = Key::of_tensors(what, tensors, None, None).request(self.communicator.rank)?;
        let bytes = request.bytes()?;
        Ok(Asked { what, tensors, request, bytes, by_name })
    }

    /// Without options: what the ranks agree by.
    fn plain(self) -> Self {
        Self { algorithm: None, order: None, roundings: None, ..self }
    }

    /// What every rank says.
    fn say(self, own: u64) -> Result<Vec<u64>> {
        let mut all = vec![0; self.communicator.size()];
        self.plain().all_gather_into(&[own], &mut all).map(|()| all)
    }

    /// Whether the library takes calls of this class, decided at the first one.
    fn takes(self, library: Library<'_>, asked: &Asked<'_>) -> Result<Result<bool>> {
        let libraries = &self.communicator.libraries;
        let key = (library.number, asked.class());
        if let Some(known) = libraries.borrow().takes.get(&key) {
            return Ok(known.clone());
        }
        let takes = match self.join(library, asked)? {
            Err(why) => Err(why.with("collective", library.name)),
            Ok(()) if asked.by_name => Ok(true),
            Ok(()) => Ok(self.is_library_faster(library, asked)?),
        };
        libraries.borrow_mut().takes.insert(key, takes.clone());
        Ok(takes)
    }

    /// Whether every rank can, each in the group of the library; they meet there at the first call that all can.
    fn join(self, library: Library<'_>, asked: &Asked<'_>) -> Result<Result<()>> {
        let Communicator { rank, libraries, .. } = self.communicator;
        if let Some(why) = libraries.borrow().refusal(library.number) {
            return Ok(Err(why));
        }
        let joined = libraries.borrow().is_joined(library.number, asked.tensors.device());
        let available = library.def.library.available().is_ok();
        let check = || {
            library.def.check(&as_library(&asked.request), asked.tensors.device(), asked.by_name)
        };
        let can = match &joined {
            Some(joined) => joined.clone().and_then(|()| check()).map(|()| Vec::new()),
            None if rank.index() == 0 => check().and_then(|()| library.def.library.invite()),
            None => check().map(|()| Vec::new()),
        };
        let own = match &can {
            Ok(invitation) => 1 + invitation.len() as u64,
            Err(_) if available => 0,
            Err(_) => NEVER,
        };
        let said = self.say(own)?;
        if let Some(other) = said.iter().position(|said| [0, NEVER].contains(said)) {
            let why = can.err().unwrap_or_else(|| elsewhere(other));
            if said.contains(&NEVER) {
                libraries.borrow_mut().joined.insert(library.number, Err(why.clone()));
            }
            return Ok(Err(why));
        }
        if joined.is_some() {
            return Ok(Ok(()));
        }
        let mut invitation = can.unwrap_or_default();
        invitation.resize(said[0] as usize - 1, 0);
        self.plain().broadcast(&mut invitation, 0)?;
        // Ranks that are refused at once wait in the next call for those that wait here.
        let (device, within) = (asked.tensors.device(), self.bounds.arrival / 2);
        let member = library.def.library.join(*rank, &invitation, device, within);
        let said = self.say(member.is_ok().into())?;
        let member = match said.iter().position(|&said| said == 0) {
            Some(other) => Err(member.err().unwrap_or_else(|| elsewhere(other))),
            None => member,
        };
        let joined = member.map(|member| Joined { device: device.clone(), member });
        libraries.borrow_mut().joined.insert(library.number, joined);
        Ok(libraries.borrow().is_joined(library.number, device).unwrap_or(Ok(())))
    }

    /// Measures the library beside the schedule that would be chosen, on zeros.
    fn is_library_faster(self, library: Library<'_>, asked: &Asked<'_>) -> Result<bool> {
        let [input, mut output] = match asked.scratch() {
            Ok(scratch) => scratch,
            // The others get this in their first call.
            Err(error) => return self.refuse(error).map(|()| false),
        };
        let faster = is_second_faster(|by_library| {
            let tensors = match asked.tensors.mode() {
                BufferMode::InPlace => Tensors::InPlace(&mut output),
                BufferMode::OutOfPlace => Tensors::Apart { input: &input, output: &mut output },
            };
            match by_library {
                true => self.run_library(library, asked.what, &tensors),
                false => self.plain().run_proved(asked.what, tensors),
            }
        })?;
        // Rank 0 says which, as clocks differ.
        let mut faster = [u8::from(faster)];
        self.plain().broadcast(&mut faster, 0)?;
        Ok(faster[0] == 1)
    }

    /// Agrees on a call that the library takes, and has it run.
    pub(super) fn run_library(
        self,
        library: Library<'_>,
        what: &Invocation<'_>,
        tensors: &Tensors<'_>,
    ) -> Result<()> {
        let Communicator { libraries, shared, .. } = self.communicator;
        self.run_counted(what.operation, tensors.input().bytes(), |local| {
            let ready = tensors.input().wait(self.bounds.execution);
            let slot = ready.and_then(|()| self.library_slot(local, library, what, tensors));
            let part = slot.as_ref().ok().and_then(|&slot| local.prepared.how(slot).opaque.clone());
            local.run(slot, nothing(tensors.mode()), self.bounds, &shared.failure)?;
            let part = part.expect("a call that is agreed on was prepared");
            let mut libraries = libraries.borrow_mut();
            let member = libraries.member(library.number)?;
            let ran = part.run(member, &self.turn(local), tensors);
            let failed = |e: Error| shared.failure.raise(e.with("collective", library.name));
            ran.map(|()| tensors.output().bytes() as u64).map_err(failed)
        })
    }

    /// Where the call is prepared.
    fn library_slot(
        self,
        local: &mut Local,
        library: Library<'_>,
        what: &Invocation<'_>,
        tensors: &Tensors<'_>,
    ) -> Result<usize> {
        tensors.check(what.dtype)?;
        let Communicator { rank, shared, libraries, .. } = self.communicator;
        libraries.borrow().is_joined(library.number, tensors.device()).transpose()?;
        let shape = tensors.block(what);
        let what = &Invocation { shape: Cow::Borrowed(&*shape), ..what.clone() };
        let key = Key::of_tensors(what, tensors, Some(library.name), None);
        if let Some(slot) = local.prepared.find(&key) {
            return Ok(slot);
        }
        let request = key.request(*rank)?.arrangement(shared.arrangement.clone());
        let part = OpaquePart::new(&shared.registry, *rank, tensors, &request)?;
        let how = How { opaque: Some(Arc::new(part)), ..How::default() };
        self.keep_opaque(local, &key, (library.name, &request), how)
    }
}

impl Asked<'_> {
    fn class(&self) -> Class {
        let Invocation { operation, reduce, dtype, .. } = self.request.what;
        let bits = usize::BITS - self.bytes.min(MOST).leading_zeros();
        let (mode, by_name) = (self.tensors.mode(), self.by_name);
        let counted = self.what.counts.is_some();
        Class { operation, reduce, dtype, mode, counted, by_name, bits }
    }

    /// Zeros in the place of the tensors; of longer ones the first blocks' elements.
    fn scratch(&self) -> Result<[Tensor; 2]> {
        let (dtype, elements) = (self.request.what.dtype, self.request.elements);
        let block = elements.min(MOST / dtype.size());
        let zeros = |tensor: &Tensor| {
            let blocks = tensor.bytes() / dtype.size() / elements;
            self.tensors.device().zeros(Shape::vector(blocks * block), dtype)
        };
        let [input, output] = [self.tensors.input(), self.tensors.output()].map(zeros);
        Ok([input?, output?])
    }
}

/// Why a rank that can does not.
fn elsewhere(rank: usize) -> Error {
    Error::unavailable(format!("rank {rank} cannot run it, and says why there"))
}
