//! Calls of device functions, whose signatures only the compiler of the crate knows.

use super::{Lower, group};
use crate::diagnostics::nearest;
use crate::kernel::infer::{Known, TypeVar};
use crate::kernel::model::Form;
use crate::kernel::signature::text;
use ringwood_ir::{AtomicOp, Expr, ExprKind, Function};

/// A device function that the kernel calls.
pub(super) struct Callee {
    pub(super) path: syn::Path,
    params: Vec<TypeVar>,
    result: TypeVar,
}

impl Callee {
    /// The path as written.
    fn name(&self) -> String {
        text(&self.path).replace(' ', "")
    }
}

impl Lower<'_> {
    /// `path::f(x)`: the result has the type that its use needs, which the expansion has the
    /// compiler confirm.
    pub(super) fn device_function(&mut self, call: &syn::ExprCall) -> Expr {
        let Some(path) = self.callee_path(call) else { return self.wrong() };
        let args: Vec<_> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let name = text(&path).replace(' ', "");
        let known = self.functions.iter().position(|callee| callee.name() == name);
        let index = known.unwrap_or_else(|| {
            let params = args.iter().map(|arg| self.ty(arg)).collect();
            let result = self.types.new_var(Known::Any);
            self.functions.push(Callee { path, params, result });
            self.functions.len() - 1
        });
        let (params, result) = (self.functions[index].params.clone(), self.functions[index].result);
        if params.len() != args.len() {
            let (wants, got) = (params.len(), args.len());
            self.error(call, format!("`{name}` got {wants} arguments before, now {got}"))
                .help("give it as many as it declares");
            return self.wrong();
        }
        for (arg, param) in args.iter().zip(params) {
            self.expect(arg, param, &format!("an argument of `{name}`"));
        }
        self.node(call, result, ExprKind::Call(index as u32, args))
    }

    /// The path of the callee; reports what cannot be a device function.
    fn callee_path(&mut self, call: &syn::ExprCall) -> Option<syn::Path> {
        let syn::Expr::Path(syn::ExprPath { path, qself: None, .. }) = &*call.func else {
            self.error(&call.func, "a kernel calls functions by their names")
                .help("name a `#[device_fn]`");
            return None;
        };
        let name = text(path);
        let atomics: Vec<_> =
            AtomicOp::ALL.iter().map(|op| format!("atomic_{}", op.name())).collect();
        let mut known: Vec<&str> = group::FUNCTIONS.to_vec();
        known.push("gid");
        known.extend(atomics.iter().map(String::as_str));
        if path.is_ident(&self.model.name().to_string()) {
            let what = if self.model.form == Form::Function { "device function" } else { "kernel" };
            self.error(&call.func, format!("a {what} cannot call itself"))
                .help("devices have no stack for it: write a loop");
            return None;
        }
        if name.len() > 3
            && path.get_ident().is_some()
            && let Some(near) = nearest(&name, &known)
        {
            self.error(&call.func, format!("`{name}` is not a kernel function"))
                .help(format!("did you mean `{near}`?"));
            return None;
        }
        if path.segments.iter().any(|segment| !segment.arguments.is_none()) {
            self.error(&call.func, "a device function is not generic")
                .help("write one for each type");
            return None;
        }
        Some(path.clone())
    }

    pub(super) fn ir_functions(&self) -> Vec<Function> {
        let function = |callee: &Callee| Function {
            name: callee.name(),
            params: callee.params.iter().map(|ty| self.types.resolved(*ty)).collect(),
            result: self.types.resolved(callee.result),
            body: None,
        };
        self.functions.iter().map(function).collect()
    }
}
