//! A kernel: parameters, arrays, variables, functions, statements.

use crate::{Buffer, BufferInfo, Expr, ExprKind, Stmt, Type, statements};

/// One instance of a kernel.
///
/// | kernel | `rank` | `group` | `result` | parameters |
/// |---|---|---|---|---|
/// | map, device function | 0 | – | yes | scalars |
/// | grid | 1 to 3 | – | – | any |
/// | group | 1 to 3 | yes | – | any |
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// The name in the source.
    pub name: String,
    /// The number of dimensions of the domain: of work-items for a grid kernel, of groups for a group
    /// kernel; 0 for a map.
    pub rank: u8,
    /// The work-items of a group along each dimension, of which 0 is contiguous; a group kernel has
    /// this, and its work-items meet at barriers.
    pub group: Option<[u32; 3]>,
    /// What the kernel gives up of the strict rules.
    pub modes: Modes,
    /// The parameters, in order.
    pub params: Vec<Param>,
    /// The arrays of a work-item or of a group, numbered by their position.
    pub arrays: Vec<Array>,
    /// The local variables, numbered by their position.
    pub vars: Vec<Variable>,
    /// The functions that the kernel calls, numbered by their position.
    pub functions: Vec<Function>,
    /// What must hold at a launch, over parameters, lengths and extents; else nothing runs. The
    /// uniqueness of stores may rest on it.
    pub requires: Vec<Expr>,
    /// The statements.
    pub body: Vec<Stmt>,
    /// The value of a map, evaluated after the statements.
    pub result: Option<Expr>,
}

/// What a kernel gives up of the strict rules, each by an option of its declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modes {
    /// Math functions may be those of the device, with a stated error (`fp = relaxed`).
    pub relaxed: bool,
    /// Several work-items may store to one element; one of the values stays (`racy`).
    pub racy: bool,
    /// No two work-items use one element that one of them stores, which the author asserts and no proof
    /// shows (`unique`).
    pub unique: bool,
    /// The result may depend on the order of the work-items: atomic sums of floats, old values
    /// (`nondeterministic`).
    pub nondeterministic: bool,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// The name in the source.
    pub name: String,
    /// What it holds.
    pub kind: ParamKind,
}

/// What a parameter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// A value.
    Scalar(Type),
    /// Elements, one after the other.
    Slice {
        /// The type of an element.
        ty: Type,
        /// Whether the kernel may write them.
        mutable: bool,
    },
    /// Elements at a step along each dimension, which the launch knows.
    View {
        /// The type of an element.
        ty: Type,
        /// The number of dimensions, 0 to 8.
        rank: u8,
        /// Whether the kernel may write them.
        mutable: bool,
    },
}

impl ParamKind {
    /// The type of the value, or of an element.
    pub const fn ty(self) -> Type {
        match self {
            ParamKind::Scalar(ty) | ParamKind::Slice { ty, .. } | ParamKind::View { ty, .. } => ty,
        }
    }
}

/// An array of constant size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The name in the source.
    pub name: String,
    /// The type of an element.
    pub ty: Type,
    /// The extent of each dimension, slowest first; at least one.
    pub dims: Vec<u32>,
    /// Who sees it.
    pub space: Space,
}

impl Array {
    /// The bytes of memory that it takes on devices.
    pub fn bytes(&self) -> u64 {
        let element = self.ty.computed().size() as u64;
        self.dims.iter().fold(element, |n, d| n.saturating_mul(u64::from(*d)))
    }
}

/// Who sees an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// One work-item. A [`Stmt::Fill`] precedes every use.
    Local,
    /// The work-items of a group. Its first content is unspecified.
    Shared,
}

/// A local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name in the source; several variables may share one.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A device function that a kernel calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name by which it is found.
    pub name: String,
    /// The types of its parameters.
    pub params: Vec<Type>,
    /// The type of its result.
    pub result: Type,
    /// What it computes: a map of these types. `None` until it is found.
    pub body: Option<Box<Kernel>>,
}

impl Kernel {
    /// Visits every expression, outermost first, in the order of the source; not those of functions.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        let own = statements(&self.body).flat_map(Stmt::exprs);
        self.requires.iter().chain(own).chain(&self.result).for_each(|e| e.walk(visit));
    }

    /// Whether an expression, not one of functions, is of a kind.
    pub fn any(&self, kind: &impl Fn(&Expr) -> bool) -> bool {
        let own = statements(&self.body).flat_map(Stmt::exprs);
        self.requires.iter().chain(own).chain(&self.result).any(|e| e.any(kind))
    }

    /// Visits every expression to change it, as [`walk`](Self::walk) does.
    pub fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        fn block(body: &mut [Stmt], visit: &mut impl FnMut(&mut Expr)) {
            for stmt in body {
                stmt.exprs_mut().into_iter().for_each(|e| e.walk_mut(visit));
                stmt.bodies_mut().into_iter().for_each(|b| block(b, visit));
            }
        }
        self.requires.iter_mut().for_each(|e| e.walk_mut(visit));
        block(&mut self.body, visit);
        self.result.iter_mut().for_each(|e| e.walk_mut(visit));
    }

    /// The name of the slice that the access at this site goes to.
    pub fn slice_at(&self, at: u32) -> Option<&str> {
        let mut buffer = statements(&self.body).find_map(|stmt| match stmt {
            Stmt::Store { buffer, site, .. } if *site == at => Some(*buffer),
            Stmt::Atomic(atomic) if atomic.site == at => Some(atomic.buffer),
            _ => None,
        });
        self.walk(&mut |e| match &e.kind {
            ExprKind::Load(loaded, _) if e.site == at => buffer = Some(*loaded),
            _ => {}
        });
        self.buffer(buffer?).map(|info| info.name)
    }

    /// What the declaration tells of a buffer.
    pub fn buffer(&self, buffer: Buffer) -> Option<BufferInfo<'_>> {
        match buffer {
            Buffer::Param(index) => {
                let Param { name, kind } = self.params.get(index as usize)?;
                let (ty, rank, mutable) = match *kind {
                    ParamKind::Scalar(_) => return None,
                    ParamKind::Slice { ty, mutable } => (ty, 1, mutable),
                    ParamKind::View { ty, rank, mutable } => (ty, usize::from(rank), mutable),
                };
                Some(BufferInfo { name, ty, rank, mutable })
            }
            Buffer::Array(index) => {
                let Array { name, ty, dims, .. } = self.arrays.get(index as usize)?;
                Some(BufferInfo { name, ty: *ty, rank: dims.len(), mutable: true })
            }
        }
    }

    /// The number of work-items of a group; 1 for a kernel without groups.
    pub fn group_size(&self) -> usize {
        self.group.map_or(1, |size| size.iter().map(|n| *n as usize).product())
    }

    /// Whether an expression has the same value for every work-item of a launch: it consists of
    /// parameters, lengths, extents and literals.
    pub fn is_uniform(expr: &Expr) -> bool {
        use ExprKind::{Gid, Group, Lid, Load, Var};
        !expr.any(&|e| matches!(e.kind, Var(_) | Load(..) | Gid(_) | Lid(_) | Group(_)))
    }
}
