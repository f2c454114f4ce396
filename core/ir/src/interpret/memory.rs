//! What the work-items of a run read and write.

use super::race::{Access, Race, Shadow};
use super::{Argument, OutOfBounds, Refusal};
use crate::facts::Fact;
use crate::{Array, Buffer, Kernel, ParamKind, Space, Value};

/// The parameters and arrays of a kernel.
pub(super) struct Memory {
    params: Vec<Block>,
    arrays: Vec<Block>,
    pub(super) fault: Option<OutOfBounds>,
    racy: bool,
}

/// Elements, some of which may not have been written; a scalar is one without an extent.
struct Block {
    name: String,
    elements: Vec<Option<Value>>,
    /// What is known of each element, if more than one work-item can use it and write it.
    shadow: Vec<Shadow>,
    offset: usize,
    shape: Vec<usize>,
    strides: Vec<usize>,
    /// The elements from those of one work-item to those of the next one; 0 for shared ones.
    lane: usize,
}

fn row_major(shape: &[usize]) -> Vec<usize> {
    (0..shape.len()).map(|d| shape[d + 1..].iter().product()).collect()
}

impl Block {
    fn new(name: &str, elements: &[Value], mutable: bool) -> Self {
        Block {
            name: name.to_owned(),
            elements: elements.iter().copied().map(Some).collect(),
            shadow: vec![Shadow::default(); if mutable { elements.len() } else { 0 }],
            offset: 0,
            shape: vec![elements.len()],
            strides: vec![1],
            lane: 0,
        }
    }

    fn scalar(value: Value) -> Self {
        Block {
            name: String::new(),
            elements: vec![Some(value)],
            shadow: Vec::new(),
            offset: 0,
            shape: Vec::new(),
            strides: Vec::new(),
            lane: 0,
        }
    }

    /// A shape without elements.
    fn shaped(shape: Vec<usize>) -> Self {
        Block { shape, ..Block::new("", &[], false) }
    }

    /// Whether every element of the shape is in the memory.
    fn fits(&self) -> bool {
        let last = self.shape.iter().zip(&self.strides);
        let reach = last.map(|(n, step)| n.saturating_sub(1).checked_mul(*step));
        let reach = reach.chain([Some(self.offset)]).try_fold(0_usize, |a, b| a.checked_add(b?));
        self.shape.contains(&0) || reach.is_some_and(|at| at < self.elements.len())
    }
}

impl Memory {
    pub(super) fn new(kernel: &Kernel, args: &[Argument]) -> Result<Self, Refusal> {
        if kernel.params.len() != args.len() {
            let message = format!("{} for {} parameters", args.len(), kernel.params.len());
            return Err(Refusal::Arguments(message));
        }
        let mut params = Vec::with_capacity(args.len());
        for (param, arg) in kernel.params.iter().zip(args) {
            let typed = |values: &[Value], ty| values.iter().all(|v| v.ty() == ty);
            params.push(match (param.kind, arg) {
                (ParamKind::Scalar(ty), Argument::Scalar(v)) if v.ty() == ty => Block::scalar(*v),
                (ParamKind::Slice { ty, mutable }, Argument::Slice(v)) if typed(v, ty) => {
                    Block::new(&param.name, v, mutable)
                }
                (
                    ParamKind::View { ty, rank, mutable },
                    Argument::View { elements, offset, shape, strides },
                ) if typed(elements, ty)
                    && shape.len() == usize::from(rank)
                    && strides.len() == shape.len() =>
                {
                    let block = Block::new(&param.name, elements, mutable);
                    let (shape, strides) = (shape.clone(), strides.clone());
                    let block = Block { offset: *offset, shape, strides, ..block };
                    if !block.fits() {
                        let message = format!("`{}` reaches beyond its memory", param.name);
                        return Err(Refusal::Arguments(message));
                    }
                    block
                }
                _ => {
                    return Err(Refusal::Arguments(format!("`{}` has another type", param.name)));
                }
            });
        }
        Ok(Self::of(kernel, params))
    }

    /// Without elements, also of arrays, for what only parameters and lengths decide.
    pub(super) fn known(kernel: &Kernel, args: &[Fact<'_>]) -> Self {
        let parameter = |known: &Fact<'_>| match known {
            Fact::Scalar(value) => Block::scalar(*value),
            Fact::Len(len) => Block::shaped(vec![*len]),
            Fact::View { shape, .. } => Block::shaped(shape.to_vec()),
        };
        let array = |array: &Array| Block::shaped(array.dims.iter().map(|d| *d as usize).collect());
        Memory {
            params: args.iter().map(parameter).collect(),
            arrays: kernel.arrays.iter().map(array).collect(),
            fault: None,
            racy: kernel.modes.racy,
        }
    }

    fn of(kernel: &Kernel, params: Vec<Block>) -> Self {
        let arrays = kernel.arrays.iter().map(|array| {
            let shape: Vec<_> = array.dims.iter().map(|d| *d as usize).collect();
            let count = shape.iter().product();
            let shared = array.space == Space::Shared;
            Block {
                name: array.name.clone(),
                elements: vec![None; if shared { count } else { count * kernel.group_size() }],
                shadow: vec![Shadow::default(); if shared { count } else { 0 }],
                offset: 0,
                strides: row_major(&shape),
                shape,
                lane: if shared { 0 } else { count },
            }
        });
        let racy = kernel.modes.racy;
        Memory { params, arrays: arrays.collect(), fault: None, racy }
    }

    /// Forgets the content of the arrays, which every group has anew.
    pub(super) fn begin(&mut self) {
        for array in &mut self.arrays {
            array.elements.fill(None);
            array.shadow.fill(Shadow::default());
        }
    }

    /// Gives the arguments what was written.
    pub(super) fn write_back(&self, args: &mut [Argument]) {
        for (arg, block) in args.iter_mut().zip(&self.params) {
            if let Argument::Slice(to) | Argument::View { elements: to, .. } = arg {
                to.iter_mut().zip(&block.elements).for_each(|(to, from)| *to = from.unwrap_or(*to));
            }
        }
    }

    pub(super) fn scalar(&self, index: u32) -> Option<Value> {
        self.params.get(index as usize)?.elements.first().copied().flatten()
    }

    pub(super) fn extent(&self, buffer: Buffer, dim: usize) -> usize {
        self.block(buffer).and_then(|b| b.shape.get(dim).copied()).unwrap_or(0)
    }

    fn block(&self, buffer: Buffer) -> Option<&Block> {
        match buffer {
            Buffer::Param(index) => self.params.get(index as usize),
            Buffer::Array(index) => self.arrays.get(index as usize),
        }
    }

    fn block_mut(&mut self, buffer: Buffer) -> Option<&mut Block> {
        match buffer {
            Buffer::Param(index) => self.params.get_mut(index as usize),
            Buffer::Array(index) => self.arrays.get_mut(index as usize),
        }
    }

    /// The element that an access goes to; `None`, and a fault, if there is none.
    ///
    /// # Errors
    /// The access and one before it race.
    pub(super) fn place(
        &mut self,
        buffer: Buffer,
        indices: &[usize],
        access: Access,
    ) -> Result<Option<usize>, Refusal> {
        let racy = self.racy;
        let Some(block) = self.block_mut(buffer) else { return Ok(None) };
        let outside = indices.iter().zip(&block.shape).find(|(index, len)| index >= len);
        if let Some((&index, &len)) = outside {
            self.fault.get_or_insert(OutOfBounds { site: access.site, index, len });
            return Ok(None);
        }
        let steps = indices.iter().zip(&block.strides).map(|(index, step)| index * step);
        let at = block.offset + access.lane * block.lane + steps.sum::<usize>();
        let other = block.shadow.get_mut(at).and_then(|shadow| shadow.note(access));
        match other {
            Some(first) if !racy => Err(Refusal::Race(Box::new(Race {
                buffer: block.name.clone(),
                element: at,
                first,
                second: access,
            }))),
            _ => Ok(Some(at)),
        }
    }

    /// The element at a place.
    ///
    /// # Errors
    /// Nobody wrote it.
    pub(super) fn read(&self, buffer: Buffer, at: usize, site: u32) -> Result<Value, Refusal> {
        let block = self.block(buffer);
        match block.and_then(|block| block.elements.get(at).copied().flatten()) {
            Some(value) => Ok(value),
            None => {
                let array = block.map_or_else(String::new, |block| block.name.clone());
                Err(Refusal::Unwritten { array, site })
            }
        }
    }

    pub(super) fn write(&mut self, buffer: Buffer, at: usize, value: Value) {
        if let Some(element) = self.block_mut(buffer).and_then(|b| b.elements.get_mut(at)) {
            *element = Some(value);
        }
    }

    /// Gives every element of a local array of one work-item this value.
    pub(super) fn fill(&mut self, array: u32, lane: usize, value: Value) {
        if let Some(block) = self.arrays.get_mut(array as usize) {
            let from = lane * block.lane;
            block.elements[from..from + block.lane].fill(Some(value));
        }
    }
}
