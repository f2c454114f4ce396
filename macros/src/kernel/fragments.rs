//! What a `macro_rules!` inserts for `$t:ty` and `$e:expr` comes in groups without delimiters. The
//! structure of the syntax says what they say, and its tokens have parentheses where they need some.

use syn::visit_mut::{VisitMut, visit_expr_mut, visit_expr_path_mut, visit_type_mut};
use syn::{Expr, ExprPath, QSelf, Type, TypePath};

/// Opens the groups.
pub(super) struct Open;

impl VisitMut for Open {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        while let Expr::Group(group) = e {
            *e = (*group.expr).clone();
        }
        visit_expr_mut(self, e);
    }

    /// `<$t>::MAX`, which macros write for `f32::MAX`.
    fn visit_expr_path_mut(&mut self, e: &mut ExprPath) {
        visit_expr_path_mut(self, e);
        let Some(QSelf { ty, position: 0, .. }) = &e.qself else { return };
        if let Type::Path(TypePath { qself: None, path, .. }) = &**ty
            && let Some(ty) = path.get_ident()
        {
            e.path.leading_colon = None;
            e.path.segments.insert(0, ty.clone().into());
            e.qself = None;
        }
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        while let Type::Group(group) = ty {
            *ty = (*group.elem).clone();
        }
        visit_type_mut(self, ty);
    }
}

/// The expression without groups.
pub(super) fn opened(mut e: Expr) -> Expr {
    Open.visit_expr_mut(&mut e);
    e
}
