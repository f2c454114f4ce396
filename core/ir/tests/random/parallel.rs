//! Random kernels without races, which end: of grids and of groups, over several work-items.
//!
//! Control is uniform or not, and only uniform control contains operations of the group. A work-item
//! writes elements of its own; what it reads of others lies behind a barrier, or was never written.

#[path = "parallel/expr.rs"]
mod expr;
#[path = "parallel/stmt.rs"]
mod stmt;
#[path = "parallel/view.rs"]
mod view;

use ringwood_ir::{AtomicOp, BinaryOp, Expr, ExprKind, Kernel, Type};

/// The types of slices; those of kernels with a short form in Rust come first.
const MEMORY: [Type; 13] = [
    Type::I32,
    Type::U32,
    Type::I64,
    Type::U64,
    Type::F32,
    Type::F64,
    Type::U8,
    Type::I8,
    Type::I16,
    Type::U16,
    Type::F16,
    Type::BF16,
    Type::Bool,
];

/// The types of scalar parameters, and of functions in Rust.
const SCALARS: [Type; 8] =
    [Type::Bool, Type::I32, Type::U32, Type::I64, Type::U64, Type::Usize, Type::F32, Type::F64];

/// The elements of every slice that is only read.
pub(crate) const INPUTS: usize = 12;
/// The elements of every slice that is changed atomically.
pub(crate) const TOTALS: usize = 5;

/// What a parameter is for. The numbers of elements are those of slices; views have some each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// [`INPUTS`] elements to read.
    Input,
    /// Two elements for each work-item, which reads and writes them.
    Output,
    /// [`TOTALS`] elements, changed by one atomic operation.
    Total(AtomicOp),
    /// An element for each work-item, which changes it by atomic operations of every kind.
    Cell { shifted: bool },
    /// A value.
    Scalar,
}

/// Rank, group and domain, contiguous dimension first.
type Geometry = (u8, Option<[u32; 3]>, &'static [usize]);

/// A parameter.
#[derive(Clone)]
pub(crate) struct Use {
    pub(crate) role: Role,
    /// The dimensions of a view, slowest first.
    pub(crate) dims: Vec<Dim>,
}

/// A dimension of a view.
#[derive(Clone)]
pub(crate) struct Dim {
    pub(crate) extent: usize,
    /// The index of every access, if it helps to tell the work-item.
    key: Option<Expr>,
}

/// A kernel and its domain, contiguous dimension first.
pub(crate) struct Parallel {
    pub(crate) kernel: Kernel,
    pub(crate) uses: Vec<Use>,
    pub(crate) domain: Vec<usize>,
}

/// A sequence of numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

#[derive(Clone, Copy)]
struct Local {
    index: u32,
    ty: Type,
    uniform: bool,
    /// A counter, which only its loop changes.
    frozen: bool,
}

struct Maker {
    random: Random,
    site: u32,
    kernel: Kernel,
    uses: Vec<Use>,
    /// Contiguous dimension first.
    domain: &'static [usize],
    scope: Vec<Local>,
    /// The arrays that have a value.
    ready: Vec<u32>,
    /// The shared arrays with atomic operations.
    counted: Vec<u32>,
    /// Whether the whole group runs the statement.
    together: bool,
    /// Whether the innermost loop is one that a work-item may leave.
    leaves: bool,
    plain: bool,
    /// Whether many accesses are to views.
    views: bool,
}

impl Parallel {
    /// The kernel of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self::make(seed, false)
    }

    /// The kernel of a seed, of what has a short form in Rust: without types of 16 bits, arrays of
    /// several dimensions, atomic operations on shared arrays and calls inside of expressions.
    pub(crate) fn plain(seed: u64) -> Self {
        Self::make(seed, true)
    }

    fn make(seed: u64, plain: bool) -> Self {
        let shapes: [Geometry; 9] = [
            (1, None, &[37]),
            (2, None, &[5, 3]),
            (1, Some([8, 1, 1]), &[3]),
            (1, Some([16, 1, 1]), &[2]),
            (1, Some([64, 1, 1]), &[1]),
            (1, Some([1, 1, 1]), &[4]),
            (2, Some([4, 2, 1]), &[2, 2]),
            (3, Some([2, 2, 2]), &[1, 2, 2]),
            (1, Some([4, 1, 1]), &[0]),
        ];
        let mut maker = Maker {
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bf0_3635),
            site: 0,
            kernel: Kernel { name: format!("random{seed}"), ..Kernel::default() },
            uses: Vec::new(),
            domain: &[],
            scope: Vec::new(),
            ready: Vec::new(),
            counted: Vec::new(),
            together: true,
            leaves: false,
            plain,
            views: false,
        };
        let shape = if maker.below(30) == 0 && !plain { 8 } else { maker.below(8) };
        let (rank, group, domain) = shapes[shape];
        (maker.kernel.rank, maker.kernel.group) = (rank, group);
        maker.domain = domain;
        maker.together = group.is_some();
        maker.views = maker.below(5) < 2;
        if maker.below(3) == 0 {
            maker.function();
        }
        let mut body = maker.arrays();
        body.extend((0..2 + maker.below(4)).flat_map(|_| maker.stmt(2)).collect::<Vec<_>>());
        body.push(maker.output());
        maker.kernel.body = body;
        Parallel { kernel: maker.kernel, uses: maker.uses, domain: domain.to_vec() }
    }

    /// The number of work-items.
    pub(crate) fn items(&self) -> usize {
        self.domain.iter().product::<usize>() * self.kernel.group_size()
    }
}

fn usize_literal(value: usize) -> Expr {
    Expr::index(value, 0)
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        self.random.pick(from)
    }

    fn site(&mut self) -> u32 {
        self.site += 1;
        self.site
    }

    fn node(&mut self, ty: Type, kind: ExprKind) -> Expr {
        Expr { kind, ty, site: self.site() }
    }

    fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let site = self.site();
        Expr::binary(op, a, b, site)
    }

    /// The types of slices.
    fn memory(&self) -> &'static [Type] {
        if self.plain { &MEMORY[..10] } else { &MEMORY }
    }

    /// A type of values, often `bool` or an index.
    fn any_type(&mut self) -> Type {
        match self.below(5) {
            0 => self.pick(&[Type::Bool, Type::Usize]),
            _ => self.pick(self.memory()),
        }
    }

    fn is_group(&self) -> bool {
        self.kernel.group.is_some()
    }
}
