//! Plans as text: placement, copies, storage.

use super::GraphPlan;
use crate::graph::{NodeKind, plural};
use std::fmt;

/// The graph with devices, copies and storage, then a summary:
///
/// ```text
/// %0 = input "x": f32[32, 64] on cpu:0 in #0
/// …
/// 2 routines, 1 copy of 8192 bytes between devices, 0 fallbacks
/// cpu:0: 16384 bytes: parameters 4096, kept 0, inputs 8192, outputs 0, intermediates 4096 (8192 for both without sharing)
/// ```
impl fmt::Display for GraphPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let graph = self.graph();
        graph.fmt(f)?;
        let copies = graph.nodes.iter().filter(|n| matches!(n.kind, NodeKind::Copy));
        let bytes: usize = copies.clone().map(|n| n.results[0].bytes()).sum();
        let copies = copies.count();
        let calls = self.agreement.as_ref().map_or(0, |agreement| agreement.calls.len());
        if calls > 0 {
            write!(f, "{}, ", plural(calls, "collective", "collectives"))?;
        }
        writeln!(
            f,
            "{}, {} of {} between devices, {}",
            plural(self.stages.len().saturating_sub(copies + calls), "routine", "routines"),
            plural(copies, "copy", "copies"),
            plural(bytes, "byte", "bytes"),
            plural(self.fallbacks.len(), "fallback", "fallbacks"),
        )?;
        self.memory().iter().try_for_each(|memory| writeln!(f, "{memory}"))
    }
}

impl fmt::Debug for GraphPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
