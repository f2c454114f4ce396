//! Shape rules: how the shapes of an operator's results follow from its operands.

use crate::graph::Attributes;
use ringwood_base::{Error, Result, Shape};

/// A shape rule: operand patterns, `->`, result patterns, separated by commas.
///
/// A pattern lists dimensions, slowest first:
///
/// | written | means |
/// |---|---|
/// | `m` | one dimension; the same symbol has the same extent everywhere |
/// | `4` | one dimension of that extent |
/// | `...` | any number of dimensions; those of all operands broadcast together |
/// | `r...` | any number of dimensions, the same ones everywhere |
///
/// An operand may hold two `name...`: the attribute `axis` says how many dimensions the first one
/// has. A symbol that occurs in results only is an attribute of type `usize`, which the operator declares. Kernels receive the
/// extent of a symbol, and the product of a `name...`, as scalar arguments of those names.
///
/// The notation generalises the signatures of NumPy's generalised ufuncs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeRule {
    operands: Vec<Pattern>,
    results: Vec<Pattern>,
}

type Pattern = Vec<Dim>;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Dim {
    Symbol(String),
    Extent(usize),
    Broadcast,
    Several(String),
}

/// The shapes of the results, and the extents that a kernel receives by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inferred {
    /// One shape for each result.
    pub results: Vec<Shape>,
    /// Symbols in order of occurrence.
    pub symbols: Vec<(String, usize)>,
}

impl ShapeRule {
    /// Parses `m k, k n -> m n`.
    ///
    /// # Errors
    /// The text is no rule; the error quotes the wrong word.
    pub fn parse(text: &str) -> Result<Self> {
        let malformed = |why: &str| Error::invalid(format!("shape rule `{text}`: {why}"));
        let (left, right) = text.split_once("->").ok_or_else(|| malformed("there is no `->`"))?;
        let patterns = |side: &str| -> Result<Vec<Pattern>> {
            side.split(',').map(|p| parse_pattern(p).map_err(|why| malformed(&why))).collect()
        };
        let rule = Self { operands: patterns(left)?, results: patterns(right)? };
        match rule.operands.iter().find(|p| p.iter().filter(|d| d.is_open()).count() > 2) {
            Some(_) => Err(malformed("an operand holds more than two `...`")),
            None => Ok(rule),
        }
    }

    /// The number of operands.
    pub fn operands(&self) -> usize {
        self.operands.len()
    }

    /// The number of results.
    pub fn results(&self) -> usize {
        self.results.len()
    }

    /// The result shapes for these operand shapes; `operator` is the name for messages.
    ///
    /// # Errors
    /// [`ErrorKind::Shape`](ringwood_base::ErrorKind::Shape): the number of operands, a rank, or two extents of one symbol differ.
    pub fn infer(
        &self,
        operator: &str,
        shapes: &[Shape],
        attributes: &Attributes,
    ) -> Result<Inferred> {
        if shapes.len() != self.operands.len() {
            let (want, got) = (self.operands.len(), shapes.len());
            return Err(Error::invalid(format!("{operator}: takes {want} operands, not {got}")));
        }
        let mut binding = Binding { operator, shapes, bound: Vec::new(), broadcast: None };
        for (i, pattern) in self.operands.iter().enumerate() {
            binding.operand(i, pattern, attributes)?;
        }
        let results = self.results.iter().map(|p| binding.result(p, attributes));
        let results = results.collect::<Result<Vec<_>>>()?;
        let symbols = binding.bound.into_iter();
        let symbols = symbols.map(|b| (b.name.to_owned(), b.extents.iter().product())).collect();
        Ok(Inferred { results, symbols })
    }
}

impl Dim {
    fn is_open(&self) -> bool {
        matches!(self, Dim::Broadcast | Dim::Several(_))
    }
}

fn parse_pattern(text: &str) -> std::result::Result<Pattern, String> {
    text.split_whitespace()
        .map(|word| {
            let name = word.strip_suffix("...").unwrap_or(word);
            if word == "..." {
                Ok(Dim::Broadcast)
            } else if let Ok(extent) = word.parse() {
                Ok(Dim::Extent(extent))
            } else if !is_symbol(name) {
                Err(format!("`{word}` is neither a symbol nor an extent"))
            } else if name.len() < word.len() {
                Ok(Dim::Several(name.into()))
            } else {
                Ok(Dim::Symbol(name.into()))
            }
        })
        .collect()
}

fn is_symbol(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// What the symbols of a rule stand for, given the shapes seen so far.
struct Binding<'a> {
    operator: &'a str,
    shapes: &'a [Shape],
    bound: Vec<Bound<'a>>,
    broadcast: Option<(Shape, usize)>,
}

struct Bound<'a> {
    name: &'a str,
    extents: Vec<usize>,
    operand: usize,
}

impl<'a> Binding<'a> {
    fn operand(&mut self, i: usize, pattern: &'a [Dim], attributes: &Attributes) -> Result<()> {
        let mut open = self.open_ranks(i, pattern, attributes)?.into_iter();
        let mut rest: &[usize] = &self.shapes[i];
        for dim in pattern {
            let count = if dim.is_open() { open.next().unwrap_or(0) } else { 1 };
            let (extents, tail) = rest.split_at(count);
            rest = tail;
            match dim {
                Dim::Symbol(name) => self.bind(name, extents, false, i)?,
                Dim::Several(name) => self.bind(name, extents, true, i)?,
                Dim::Broadcast => self.widen(extents, i)?,
                Dim::Extent(want) if extents[0] == *want => {}
                Dim::Extent(want) => {
                    let got = extents[0];
                    return Err(self.wrong(format!(
                        "{} has an extent {got} where {want} is asked for",
                        self.describe(i)
                    )));
                }
            }
        }
        Ok(())
    }

    /// How many dimensions each `...` of a pattern stands for, which are two at most.
    fn open_ranks(&self, i: usize, pattern: &[Dim], attributes: &Attributes) -> Result<[usize; 2]> {
        let rank = self.shapes[i].len();
        let open = pattern.iter().filter(|d| d.is_open()).count();
        let fixed = pattern.len() - open;
        let spare = rank.checked_sub(fixed).filter(|&spare| open > 0 || spare == 0);
        let Some(spare) = spare else {
            let least = if open > 0 { "at least " } else { "" };
            let what = format!("{} has rank {rank}, not {least}{fixed}", self.describe(i));
            return Err(self.wrong(what));
        };
        if open < 2 {
            return Ok([spare, 0]);
        }
        let axis: usize = attributes.value(self.operator, "axis")?;
        if axis > spare {
            let what = format!("axis {axis} is not one of {}", self.describe(i));
            return Err(self.wrong(what));
        }
        Ok([axis, spare - axis])
    }

    fn bind(&mut self, name: &'a str, extents: &[usize], several: bool, i: usize) -> Result<()> {
        let Some(first) = self.bound.iter().find(|b| b.name == name) else {
            self.bound.push(Bound { name, extents: extents.into(), operand: i });
            return Ok(());
        };
        if first.extents == extents {
            return Ok(());
        }
        let (a, b) = (self.describe(first.operand), self.describe(i));
        let what = if several {
            format!("{name}... is {:?} in {a} and {extents:?} in {b}", first.extents)
        } else {
            format!("{name} is {} in {a} and {} in {b}", first.extents[0], extents[0])
        };
        Err(self.wrong(what))
    }

    fn widen(&mut self, extents: &[usize], i: usize) -> Result<()> {
        let shape = Shape::new(extents)?;
        let Some((so_far, first)) = &self.broadcast else {
            self.broadcast = Some((shape, i));
            return Ok(());
        };
        let both = so_far.broadcast(&shape).map_err(|_| {
            let (a, b) = (self.describe(*first), self.describe(i));
            self.wrong(format!("{a} and {b} do not broadcast"))
        })?;
        self.broadcast = Some((both, *first));
        Ok(())
    }

    fn result(&self, pattern: &[Dim], attributes: &Attributes) -> Result<Shape> {
        let mut dims = Vec::new();
        for dim in pattern {
            match dim {
                Dim::Extent(extent) => dims.push(*extent),
                Dim::Broadcast => {
                    dims.extend_from_slice(self.broadcast.as_ref().map_or(&[][..], |(s, _)| s));
                }
                Dim::Symbol(name) | Dim::Several(name) => {
                    match self.bound.iter().find(|b| b.name == name) {
                        Some(bound) => dims.extend_from_slice(&bound.extents),
                        None => dims.push(attributes.value(self.operator, name)?),
                    }
                }
            }
        }
        Shape::new(&dims)
    }

    fn describe(&self, i: usize) -> String {
        format!("operand {} {}", i + 1, self.shapes[i])
    }

    fn wrong(&self, what: String) -> Error {
        Error::shape(format!("{}: {what}", self.operator))
    }
}

#[cfg(test)]
mod tests;
