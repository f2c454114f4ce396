//! Lists of tensors. Which tensors a list holds is known before a run, so that a list is no value of a graph: one
//! stands for it.

use super::Build;
use super::control::stacked;
use super::own::one;
use ringwood_base::{Error, Result};
use ringwood_graph::compose::{Call, dimension, unrolled};
use ringwood_graph::graph::Value;
use std::collections::HashMap;

/// The tensors of each list, by the value that stands for it.
#[derive(Default)]
struct Lists(HashMap<Value, Vec<Value>>);

pub(super) const TABLE: &[(&str, Build)] = &[
    ("ConcatFromSequence", |c| {
        let (values, axis) = (list(c)?, c.value("axis")?);
        let first = values.first().copied();
        let first = first.ok_or_else(|| Error::shape("a sequence of no tensors has no result"))?;
        let ty = c.type_of(first)?;
        match c.flag("new_axis", false)? {
            true => one(stacked(c, &values, ty, axis)),
            false => one(dimension(axis, ty.shape.len()).and_then(|axis| c.concat(&values, axis))),
        }
    }),
    ("SequenceAt", |c| {
        let values = list(c)?;
        Ok(vec![values[place(c, 1, values.len(), 0)?]])
    }),
    ("SequenceConstruct", |c| {
        let values = c.operands();
        listed(c, values)
    }),
    ("SequenceEmpty", |c| listed(c, Vec::new())),
    ("SequenceErase", |c| {
        let mut values = list(c)?;
        values.remove(place(c, 1, values.len(), 0)?);
        listed(c, values)
    }),
    ("SequenceInsert", |c| {
        let (mut values, tensor) = (list(c)?, c.operand(1)?);
        let at = match c.maybe(2) {
            Some(_) => place(c, 2, values.len(), 1)?,
            None => values.len(),
        };
        values.insert(at, tensor);
        listed(c, values)
    }),
    ("SequenceLength", |c| {
        let count = list(c)?.len() as i64;
        one(c.graph.constant(&[], &[count]))
    }),
    ("SplitToSequence", split),
];

/// The tensors of the list that is the first operand.
///
/// # Errors
/// It is no list, or one that a loop carries which is no part of the plan.
fn list(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let value = c.operand(0)?;
    let lists = c.graph.remembered::<Lists>();
    lists.and_then(|lists| lists.0.get(&value)).cloned().ok_or_else(|| {
        Error::unsupported(
            "operand 1 is no sequence, or one that a loop carries which is run step by step",
        )
        .help("collect what the steps give as a tensor: a scan output of the loop")
    })
}

/// A value that stands for a list.
fn listed(c: &mut Call<'_>, values: Vec<Value>) -> Result<Vec<Value>> {
    let value = c.graph.stand_in("a sequence of tensors");
    if let Some(lists) = c.graph.remembered::<Lists>() {
        lists.0.insert(value, values);
    }
    Ok(vec![value])
}

/// The place that operand `i` says, the last one without it, in a list of `count` tensors, or up to `beyond` after them;
/// negative ones count from the end.
fn place(c: &mut Call<'_>, i: usize, count: usize, beyond: usize) -> Result<usize> {
    let given = c.maybe(i).map(|place| c.graph.integers(place)).transpose()?;
    let at = given.and_then(|given| given.first().copied()).unwrap_or(-1);
    let from_start = if at < 0 { at.saturating_add(count as i64) } else { at };
    let place = usize::try_from(from_start).ok().filter(|place| *place < count + beyond);
    place.ok_or_else(|| Error::shape(format!("there is no place {at} in a sequence of {count}")))
}

/// Parts of a tensor along a dimension: of one extent, of several, or slices.
fn split(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let axis = c.or("axis", 0_i64).and_then(|axis| c.dimension(x, axis))?;
    let extent = c.type_of(x)?.shape[axis];
    let lengths = match c.maybe(1) {
        Some(given) => lengths(c, given, extent)?,
        None => unrolled(extent).map(|()| vec![1; extent])?,
    };
    let drops = c.maybe(1).is_none() && !c.flag("keepdims", true)?;
    let mut start = 0;
    let parts = lengths.into_iter().map(|length| {
        start += length;
        match drops {
            true => c.at(x, axis, start - 1),
            false => c.slice(x, axis, start - length..start, 1),
        }
    });
    let parts = parts.collect::<Result<_>>()?;
    listed(c, parts)
}

/// The extents of the parts that a number, of which the last may have less, or a list of numbers says.
fn lengths(c: &mut Call<'_>, given: Value, extent: usize) -> Result<Vec<usize>> {
    let (equal, numbers) = (c.rank(given)? == 0, c.graph.integers(given)?);
    let wrong = || Error::shape(format!("{extent} elements are not split by {numbers:?}"));
    let lengths = numbers.iter().map(|&n| usize::try_from(n).map_err(|_| wrong()));
    let mut lengths = lengths.collect::<Result<Vec<_>>>()?;
    if equal {
        let length = lengths.first().copied().filter(|length| *length > 0).ok_or_else(wrong)?;
        unrolled(extent.div_ceil(length))?;
        lengths = (0..extent).step_by(length).map(|start| length.min(extent - start)).collect();
    }
    match lengths.iter().try_fold(0_usize, |sum, &n| sum.checked_add(n)) {
        Some(sum) if sum == extent => Ok(lengths),
        _ => Err(wrong()),
    }
}
