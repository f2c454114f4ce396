//! What only the work-items of a group do: indices in the group, barriers, reductions.

use super::{Lower, Rule};
use crate::kernel::infer::Known;
use crate::kernel::model::Form;
use ringwood_ir::{Expr, ExprKind, GroupOp, Stmt, Type};

/// The names of what a group kernel can call.
pub(super) const FUNCTIONS: &[&str] =
    &["lid", "grp", "groups", "barrier", "group_range", "group_sum", "group_min", "group_max"];

impl Lower<'_> {
    /// A call of one of [`FUNCTIONS`] as a value.
    pub(super) fn group_call(&mut self, name: &str, call: &syn::ExprCall) -> Expr {
        if !self.has_groups(name, call) {
            return self.wrong();
        }
        match name {
            "lid" => self.dimension(name, call, ExprKind::Lid),
            "grp" => self.dimension(name, call, ExprKind::Group),
            "groups" => self.dimension(name, call, ExprKind::Extent),
            "group_sum" => self.group_reduce("group_sum", call, GroupOp::Sum),
            "group_min" => self.group_reduce("group_min", call, GroupOp::Min),
            "group_max" => self.group_reduce("group_max", call, GroupOp::Max),
            "barrier" => {
                self.error(call, "`barrier()` is a statement, not a value")
                    .help("write `barrier();`");
                self.wrong()
            }
            _ => {
                self.error(call, "`group_range` stands only in `for k in group_range(n)`")
                    .help("make it a loop of its own");
                self.wrong()
            }
        }
    }

    /// Whether the kernel has groups; if not, reports the use of `name`.
    pub(super) fn has_groups(&mut self, name: &str, call: &syn::ExprCall) -> bool {
        if self.model.options.form != Form::Group {
            self.error(call, format!("`{name}` needs groups of work-items"))
                .help("make it a group kernel: `#[kernel(group = 256, groups = …)]`");
        }
        self.model.options.form == Form::Group
    }

    /// `barrier();`
    pub(super) fn barrier(&mut self, call: &syn::ExprCall) -> Vec<Stmt> {
        if !self.has_groups("barrier", call) {
            return Vec::new();
        }
        if !call.args.is_empty() {
            self.error(call, "`barrier` takes no arguments").help("write `barrier();`");
        }
        self.collective("barrier", call);
        let site = self.site(call, Known::Wrong);
        vec![Stmt::Barrier(site)]
    }

    /// Notes an operation of the whole group, for the loops around it.
    pub(super) fn collective(&mut self, name: &str, call: &syn::ExprCall) {
        if self.loops.iter().any(|l| l.shared) {
            self.error(call, format!("`{name}` in a loop over `group_range`, which not all work-items run equally often"))
                .help("end the loop first, or let every work-item run the same loop");
        }
        self.loops.iter_mut().for_each(|l| l.collective = true);
    }

    fn group_reduce(&mut self, name: &'static str, call: &syn::ExprCall, op: GroupOp) -> Expr {
        let (1, Some(value)) = (call.args.len(), call.args.first()) else {
            self.error(call, format!("`{name}` takes the value of a work-item"))
                .help(format!("write `{name}(x)`"));
            return self.wrong();
        };
        if let Some(place) = self.conditional {
            self.error(call, format!("`{name}` {place}: not every work-item may get here"))
                .help("compute it before, in a `let`");
            return self.wrong();
        }
        self.collective(name, call);
        let value = self.expr(value);
        let ty = self.ty(&value);
        let site = self.site_of(call, ty);
        self.rules.push((site, ty, Rule::Arithmetic(name)));
        let var = self.declare(name.into(), ty, false);
        self.before.push(Stmt::GroupReduce { var, op, value, site });
        self.node(call, ty, ExprKind::Var(var))
    }

    /// `gid(d)` and its like.
    pub(super) fn dimension(
        &mut self,
        name: &str,
        call: &syn::ExprCall,
        kind: fn(u8) -> ExprKind,
    ) -> Expr {
        let dimension = match call.args.first() {
            Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(lit), .. })) => {
                lit.base10_parse::<u8>().ok().filter(|d| *d < 3 && call.args.len() == 1)
            }
            _ => None,
        };
        let Some(dimension) = dimension else {
            self.error(call, format!("`{name}` takes a dimension: 0, 1 or 2"))
                .help(format!("`{name}(0)` is the contiguous dimension"));
            return self.wrong();
        };
        self.rank = self.rank.max(dimension + 1);
        let ty = self.known(Type::Usize);
        self.node(call, ty, kind(dimension))
    }

    /// The size of a group, contiguous dimension first.
    pub(super) fn group_size(&mut self) -> Option<[u32; 3]> {
        let written = &self.model.options.group;
        let mut size = [1; 3];
        for (extent, e) in size.iter_mut().zip(written.iter().rev()) {
            *extent = self.constant_value(e, "the size of a group").unwrap_or(1);
        }
        let count = size.iter().map(|n| u128::from(*n)).product::<u128>();
        if self.model.options.form == Form::Group && !(count.is_power_of_two() && count <= 1024) {
            let at = written.first();
            self.error(at, format!("a group of {count} work-items"))
                .help("a group has 1, 2, 4, 8, … 1024 work-items");
        }
        (self.model.options.form == Form::Group).then_some(size)
    }
}
