//! What a text depends on besides its kernel.

use crate::{Kernel, Stmt, Type, statements};

/// What is known of the device, by asking it or by a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Facts {
    /// Whether `f64` exists.
    pub double: bool,
    /// Whether `/` and `sqrt` of `f32` can be asked to round correctly
    /// (`CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT`).
    pub rounds_division: bool,
    /// Whether subnormal values of `f32` are kept (`CL_FP_DENORM`).
    pub keeps_subnormals: bool,
    /// Whether integers of 64 bits can be changed atomically.
    pub wide_atomics: bool,
    /// Whether a launch of a map or grid kernel has a work-item for each point of its domain; else the
    /// work-items share the points, however many they are. For a processor, whose compiler makes vectors
    /// of neighbouring work-items, but not where each runs a loop.
    pub item_per_point: bool,
}

impl Default for Facts {
    /// A device that can do everything, and has fewer work-items than points.
    fn default() -> Self {
        Facts {
            double: true,
            rounds_division: true,
            keeps_subnormals: true,
            wide_atomics: true,
            item_per_point: false,
        }
    }
}

impl Facts {
    /// What kernels compute otherwise there than elsewhere; nothing if they give the same bits.
    pub fn flaws(&self) -> Vec<&'static str> {
        let mut flaws = Vec::new();
        if !self.keeps_subnormals {
            flaws.push("flushes subnormal results to zero (f32)");
        }
        if !self.rounds_division && !self.divides_in_double() {
            flaws.extend([
                "does not round / correctly (f32)",
                "does not round sqrt correctly (f32)",
            ]);
        }
        flaws
    }

    /// Whether `/` and `sqrt` of `f32`, which do not round correctly there, are computed in `f64` and
    /// rounded once more. That gives the same value, as 53 ≥ 2·24 + 2.
    pub(super) fn divides_in_double(&self) -> bool {
        !self.rounds_division && self.double
    }

    /// What a kernel needs and the device has not, in words; `None` if it has everything.
    pub fn lacks(&self, kernel: &Kernel) -> Option<&'static str> {
        let mut double = kernel.params.iter().any(|p| p.kind.ty() == Type::F64);
        double |= kernel.arrays.iter().any(|a| a.ty == Type::F64);
        double |= kernel.any(&|e| e.ty == Type::F64);
        if double && !self.double {
            return Some("f64");
        }
        let wide = |stmt: &Stmt| match stmt {
            Stmt::Atomic(atomic) => matches!(atomic.values[0].ty, Type::I64 | Type::U64),
            _ => false,
        };
        if !self.wide_atomics && statements(&kernel.body).any(wide) {
            return Some("atomic operations on integers of 64 bits");
        }
        kernel.functions.iter().find_map(|f| self.lacks(f.body.as_deref()?))
    }
}

/// Which variant of a kernel to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Whether accesses of a grid or group kernel compare the index with the length: a read outside
    /// gives 0, a write is skipped, one of the accesses is recorded in the fault cell. Maps and
    /// functions reach only arrays of their own, which they always check, in silence.
    pub checked: bool,
    /// Whether values of type `usize` are computed in 32 bits. Right only for a launch of which
    /// [`Proof::narrow`](crate::prove::Proof::narrow) holds.
    pub narrow: bool,
    /// How a map reaches its elements; grid kernels ignore it.
    pub layout: Layout,
}

impl Default for Options {
    /// Checked, over dense elements.
    fn default() -> Self {
        Options { checked: true, narrow: false, layout: Layout::Dense { single: 0 } }
    }
}

/// How a map reaches its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// All arguments are dense, in the order of the domain, but those parameters whose bit is set in
    /// `single`: one element stands for all.
    Dense {
        /// Bit `p` for parameter `p`.
        single: u64,
    },
    /// Every argument has a step along each of `rank` dimensions.
    Strided {
        /// At least 1.
        rank: usize,
    },
}
