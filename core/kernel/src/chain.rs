//! Native code of maps that are computed together.

mod gather;
mod scratch;

use super::map::{Data, MAX_ARGS, MapCode};
use super::{Form, KernelSpec, NativeLaunch, Param, ParamKind};
use gather::{Inputs, Place};
use ringwood_base::{DType, Error, Result};
use ringwood_ir::Source;
use scratch::{BLOCK, Scratch};
use std::ops::Range;
use std::ptr::{self, NonNull};

/// Maps in the order in which they are computed.
#[derive(Debug, PartialEq)]
pub(super) struct Chain {
    links: Vec<Link>,
    /// The parameters of a launch, and the IR that the maps have together.
    kinds: Vec<ParamKind>,
    ir: String,
    /// The bytes of an element of each input.
    sizes: Vec<usize>,
    /// The bytes of an element of the result.
    result: usize,
    /// How many blocks lie between the maps.
    registers: usize,
}

#[derive(Debug, PartialEq)]
struct Link {
    code: &'static MapCode,
    operands: Vec<Operand>,
    /// The register for the results; `None` for the last link.
    register: Option<usize>,
}

/// Where an argument of a link is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operand {
    /// The input with this index.
    Input(usize),
    /// The register with this index.
    Register(usize),
}

impl Chain {
    /// Of maps, with where each argument comes from and their IR together; `None` if a parameter is no
    /// slice.
    pub(super) fn new(
        parts: &[(&'static MapCode, &[Source])],
        params: &[Param],
        ir: &str,
    ) -> Option<Chain> {
        let kinds: Vec<_> = params.iter().map(|param| param.kind).collect();
        let size = |kind: &ParamKind| kind.dtype().map(DType::size);
        let mut sizes = kinds.iter().map(size).collect::<Option<Vec<_>>>()?;
        let (result, count) = (sizes.pop()?, parts.len());
        let mut free: Vec<usize> = Vec::new();
        let mut links: Vec<Link> = Vec::new();
        let mut registers = 0;
        for (at, (code, operands)) in parts.iter().enumerate() {
            let operand = |source: &Source| match *source {
                Source::Param(index) => Some(Operand::Input(index as usize)),
                Source::Part(index) => {
                    let link = links.get(index as usize)?;
                    Some(Operand::Register(link.register?))
                }
            };
            let operands = operands.iter().map(operand).collect::<Option<_>>()?;
            let register = (at + 1 < count).then(|| {
                free.pop().unwrap_or_else(|| {
                    registers += 1;
                    registers - 1
                })
            });
            links.push(Link { code, operands, register });
            free.extend(
                links[..at]
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| last_use(parts, *i) == at)
                    .filter_map(|(_, link)| link.register),
            );
        }
        Some(Chain { links, kinds, ir: ir.to_owned(), sizes, result, registers })
    }

    /// Whether this is the kernel of the maps.
    pub(super) fn is_of(&self, spec: &KernelSpec<'_>) -> bool {
        let kinds = spec.params.iter().map(|param| param.kind);
        (spec.form, spec.ir) == (Form::Map, Some(&self.ir)) && kinds.eq(self.kinds.iter().copied())
    }

    /// Runs a range of a launch.
    ///
    /// # Errors
    /// The arguments are not those of the chain, or too short; those of a map.
    pub(super) fn run(&self, launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
        let domain = launch.domain();
        if range.end > domain.elements() {
            return Err(Error::shape(format!("range {range:?} exceeds the domain {domain}")));
        }
        let inputs = Inputs::new(launch, &self.sizes, self.result)?;
        if range.is_empty() {
            return Ok(());
        }
        Scratch::with(self.sizes.len() + self.registers, |scratch| {
            self.blocks(&inputs, launch, range, scratch);
        });
        Ok(())
    }

    /// Runs a range that is not empty; `scratch` has a block for each input and each register.
    fn blocks(
        &self,
        inputs: &Inputs<'_>,
        launch: &NativeLaunch<'_>,
        range: Range<usize>,
        scratch: Scratch,
    ) {
        let mut places = inputs.places(&launch.domain(), scratch);
        let mut at = range.start;
        while at < range.end {
            let count = BLOCK.min(range.end - at);
            inputs.seek(at, count, &mut places, scratch);
            let registers = Registers { scratch, first: self.sizes.len(), out: inputs.result(at) };
            for link in &self.links {
                link.run(launch, count, &places, registers);
            }
            at += count;
        }
    }
}

/// The part that uses the result of part `of` last.
fn last_use(parts: &[(&MapCode, &[Source])], of: usize) -> usize {
    let uses = |(_, operands): &(&MapCode, &[Source])| operands.contains(&Source::Part(of as u32));
    parts.iter().rposition(uses).unwrap_or(of)
}

/// Where links put their results.
#[derive(Clone, Copy)]
struct Registers {
    scratch: Scratch,
    /// The block of the first register.
    first: usize,
    /// Where the last link puts them.
    out: NonNull<u8>,
}

impl Link {
    fn run(
        &self,
        launch: &NativeLaunch<'_>,
        count: usize,
        places: &[Place],
        Registers { scratch, first, out }: Registers,
    ) {
        let mut data: Data = [ptr::null_mut(); _];
        let target = self.register.map_or(out, |register| scratch.block(first + register));
        let operand = |operand: &Operand| match *operand {
            Operand::Input(index) => places[index].data,
            Operand::Register(index) => scratch.block(first + index),
        };
        let sources = self.operands.iter().map(operand).chain([target]);
        data.iter_mut().zip(sources).for_each(|(data, source)| *data = source.as_ptr());
        // SAFETY: each begins `count` elements of a block, which is as large as those of the widest
        // type, or of an argument of the launch (`Inputs`), for whose memory its maker promised; both
        // are aligned. A register that is written is no operand of its link. The result may be an
        // input of the launch, element by element, as it may for every map.
        unsafe { self.code.elements(launch, &data, &[1; MAX_ARGS], count) }
    }
}
