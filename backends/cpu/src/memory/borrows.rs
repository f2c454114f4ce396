//! Borrows of several spans, which begin and end together.

use super::Span;
use ringwood_base::Result;
use std::sync::Arc;

/// Borrows of the first so many of several spans, which end together.
pub(crate) struct Borrows<'a, I: Iterator<Item = (&'a Span, bool)> + Clone>(I, usize);

impl<'a, I: Iterator<Item = (&'a Span, bool)> + Clone> Borrows<'a, I> {
    /// Borrows each span, for writing where the flag says so.
    ///
    /// # Errors
    /// Another command uses some of the bytes.
    pub(crate) fn of(spans: I) -> Result<Self> {
        let mut borrowed = Self(spans.clone(), 0);
        for (span, mutable) in spans {
            span.enter(mutable)?;
            borrowed.1 += 1;
        }
        Ok(borrowed)
    }
}

impl<'a, I: Iterator<Item = (&'a Span, bool)> + Clone> Drop for Borrows<'a, I> {
    fn drop(&mut self) {
        self.0.clone().take(self.1).for_each(|(span, mutable)| span.leave(mutable));
    }
}

/// The bytes of these spans, cut so that no two of the results share one; each is written if one of
/// the spans that cover it is.
pub(crate) fn disjoint<'a>(spans: impl Iterator<Item = (&'a Span, bool)>) -> Vec<(Span, bool)> {
    let mut ends = Vec::new();
    for (span, written) in spans.filter(|(span, _)| !span.range.is_empty()) {
        let (memory, block) = (&span.memory, Arc::as_ptr(&span.memory.0));
        ends.push((block, span.range.start, memory, written, 1));
        ends.push((block, span.range.end, memory, written, -1));
    }
    ends.sort_unstable_by_key(|&(block, at, ..)| (block, at));
    let mut disjoint: Vec<(Span, bool)> = Vec::new();
    // How many spans cover what lies after `from`: those that are read, and those that are written.
    let (mut covers, mut from) = ([0; 2], 0);
    for (_, at, memory, written, change) in ends {
        if from < at && covers != [0; 2] {
            join(&mut disjoint, Span { memory: memory.clone(), range: from..at }, covers[1] > 0);
        }
        covers[usize::from(written)] += change;
        from = at;
    }
    disjoint
}

/// Adds a span, to the last one if it goes on with that.
fn join(spans: &mut Vec<(Span, bool)>, span: Span, written: bool) {
    match spans.last_mut() {
        Some((last, same))
            if *same == written
                && Arc::ptr_eq(&last.memory.0, &span.memory.0)
                && last.range.end == span.range.start =>
        {
            last.range.end = span.range.end;
        }
        _ => spans.push((span, written)),
    }
}

#[cfg(test)]
mod tests;
