//! Calls of device functions, whose signatures only the compiler of the crate knows.

use super::{Callee, Lower, Site, foreign, group};
use crate::kernel::infer::{Known, TypeVar};
use crate::kernel::model::Form;
use crate::text::text;
use ringwood_ir::{AtomicOp, Expr, ExprKind, Function, Type, nearest};

/// A device function that the kernel calls, or a constant that it names.
pub(super) struct Called {
    pub(super) callee: Callee,
    params: Vec<TypeVar>,
    pub(super) result: TypeVar,
}

impl Called {
    /// The path as written.
    pub(super) fn name(&self) -> String {
        text(&self.callee.path)
    }
}

impl Lower<'_> {
    /// `path::f(x)`: the result has the type that its use needs, which the expansion has the
    /// compiler confirm.
    pub(super) fn device_function(&mut self, call: &syn::ExprCall) -> Expr {
        let Some(path) = self.callee_path(call) else { return self.wrong() };
        let args: Vec<_> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let name = text(&path);
        let index = self.called(&name).unwrap_or_else(|| {
            let params = args.iter().map(|arg| self.ty(arg)).collect();
            let result = self.types.new_var(Known::Any);
            let callee = Callee { path, is_constant: false, guesses: Vec::new() };
            self.functions.push(Called { callee, params, result });
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

    /// The number of the function or constant of this name.
    fn called(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|called| called.name() == name)
    }

    /// `K` or `config::K`, declared elsewhere: it has the type that its use needs, as the result of a
    /// function has, unless its path says it.
    pub(super) fn outer_constant(&mut self, path: &syn::Path) -> Expr {
        let name = text(path);
        let known = match &*name.rsplit("::").collect::<Vec<_>>() {
            [_, "consts", ty, ..] => Type::parse(ty).map_or(Known::Any, Known::Type),
            _ => Known::Any,
        };
        let index = self.called(&name).unwrap_or_else(|| {
            let result = self.types.new_var(known);
            let callee = Callee { path: path.clone(), is_constant: true, guesses: Vec::new() };
            self.functions.push(Called { callee, params: Vec::new(), result });
            self.functions.len() - 1
        });
        let result = self.functions[index].result;
        self.node(path, result, ExprKind::Call(index as u32, Vec::new()))
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
            let what = if self.model.options.form == Form::Function {
                "device function"
            } else {
                "kernel"
            };
            self.error(&call.func, format!("a {what} cannot call itself"))
                .help("devices have no stack for it: write a loop");
            return None;
        }
        if let Some(instead) = foreign::translation(path) {
            let error = self.error(&call.func, format!("`{name}` is not a kernel function"));
            error.help(instead);
            if path.get_ident().is_some() {
                error.help(format!(
                    "a device function of that name is called by its path: `self::{name}(…)`"
                ));
            }
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

    /// Gives literals that meet the parameter of a device function alone the type that such a literal
    /// has most often: the expansion compares it with the declared one.
    pub(super) fn guess_arguments(&mut self) {
        let params = self.functions.iter().enumerate().flat_map(|(f, called)| {
            called.params.iter().enumerate().map(move |(i, param)| (f, i, *param))
        });
        let guess = |(f, i, param)| {
            let ty = match self.types.known(param) {
                Known::Integer => Type::I32,
                Known::Float => Type::F32,
                _ => return None,
            };
            let of_param = |site: &Site| self.types.is_same(site.ty, param);
            let mut sites = self.sites.iter().zip(0..);
            let (site, _) =
                sites.find(|(site, i)| self.literals.contains_key(i) && of_param(site))?;
            Some((f, i, param, ty, site.tokens.clone()))
        };
        for (f, i, param, ty, literal) in params.filter_map(guess).collect::<Vec<_>>() {
            self.types.fix(param, ty);
            self.functions[f].callee.guesses.push((i, literal));
        }
    }

    pub(super) fn ir_functions(&self) -> Vec<Function> {
        let function = |called: &Called| Function {
            name: called.name(),
            params: called.params.iter().map(|ty| self.types.resolved(*ty)).collect(),
            result: self.types.resolved(called.result),
            body: None,
        };
        self.functions.iter().map(function).collect()
    }
}
