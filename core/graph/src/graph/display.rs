//! Graphs as text, one line for each node.

use super::{Graph, Node, NodeKind, fused, plural};
use std::fmt;

/// One line for each node and output:
///
/// ```text
/// %0 = input "x": f32[32, 64] on cpu:0
/// %1 = constant 4 bytes: f32[] on cpu:0 in #1
/// %2 = mul(%0, %1): f32[32, 64] on cpu:0 in #0
/// output "y" = %2
/// ```
impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, node) in self.nodes.iter().enumerate() {
            writeln!(f, "%{i} = {node}")?;
        }
        for output in &self.outputs {
            writeln!(f, "output {:?} = {}", output.name, output.value)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            NodeKind::Input => f.write_str("input")?,
            NodeKind::Parameter => f.write_str("parameter")?,
            NodeKind::Constant(bytes) => {
                write!(f, "constant {}", plural(bytes.len(), "byte", "bytes"))?;
            }
            NodeKind::Apply(operator) => f.write_str(operator)?,
            NodeKind::Fused(applications) => fused::show(&self.operands, applications, f)?,
            NodeKind::Copy => f.write_str("copy")?,
            NodeKind::View(_) => f.write_str("view")?,
            NodeKind::Collective(call) => write!(f, "{call}")?,
        }
        if let Some(name) = &self.name {
            write!(f, " {name:?}")?;
        }
        if !self.is_source() && self.fused().is_none() {
            let operands: Vec<_> = self.operands.iter().map(ToString::to_string).collect();
            let comma = if self.attributes.is_empty() { "" } else { ", " };
            write!(f, "({}{comma}{}", operands.join(", "), self.attributes)?;
            self.view().map_or(Ok(()), |view| write!(f, ", {view}"))?;
            f.write_str(")")?;
        }
        match &self.open {
            Some(open) => write!(f, ": {open}")?,
            None => {
                let types: Vec<_> = self.results.iter().map(ToString::to_string).collect();
                write!(f, ": {}", types.join(", "))?;
            }
        }
        if let Some(device) = &self.device {
            write!(f, " on {device}")?;
        }
        if self.kept {
            f.write_str(" kept")?;
        }
        if !self.storage.is_empty() {
            let ids: Vec<_> = self.storage.iter().map(|id| format!("#{id}")).collect();
            write!(f, " in {}", ids.join(", "))?;
        }
        Ok(())
    }
}
