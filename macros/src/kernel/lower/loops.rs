//! Loops, and the jumps out of them.

use super::range::{Counted, Range};
use super::{Local, Lower};
use crate::text::text;
use proc_macro2::TokenStream;
use quote::ToTokens;
use ringwood_ir::{Stmt, Type, jumps};
use syn::Ident;

/// A loop around the statement at hand.
#[derive(Default)]
pub(super) struct Loop {
    /// Whether the work-items of a group share its turns.
    pub(super) shared: bool,
    /// Whether all work-items of a group take part in something in it.
    pub(super) collective: bool,
    /// Its `break`, `continue` and `return`.
    pub(super) jumps: Vec<TokenStream>,
}

impl Lower<'_> {
    pub(super) fn while_stmt(&mut self, w: &syn::ExprWhile) -> Stmt {
        self.refuse_label(w.label.as_ref());
        let place = "in the condition of a `while`, which is evaluated again";
        let condition = self.conditionally(place, |this| this.condition(&w.cond));
        let body = self.looped(false, |this| this.block(&w.body.stmts));
        if let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(always), .. }) = bare(&w.cond)
            && always.value
        {
            self.refuse_endless(w.while_token, "while true", &body);
        }
        Stmt::While(condition, body)
    }

    /// `loop { … break; … }`
    pub(super) fn loop_stmt(&mut self, l: &syn::ExprLoop) -> Stmt {
        self.refuse_label(l.label.as_ref());
        let body = self.looped(false, |this| this.block(&l.body.stmts));
        self.refuse_endless(l.loop_token, "loop", &body);
        Stmt::While(self.truth(&l.loop_token, true), body)
    }

    fn refuse_endless(&mut self, at: impl ToTokens, written: &str, body: &[Stmt]) {
        if !jumps(body, &Stmt::Break) {
            self.error(at, format!("this `{written}` never ends"))
                .help("leave it with `break`, or write `while condition { }`");
        }
    }

    /// Lowers an operand before which nothing can come.
    pub(super) fn conditionally<T>(
        &mut self,
        place: &'static str,
        lower: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.conditional.replace(place);
        let lowered = lower(self);
        self.conditional = outer;
        lowered
    }

    fn looped(&mut self, shared: bool, body: impl FnOnce(&mut Self) -> Vec<Stmt>) -> Vec<Stmt> {
        self.loops.push(Loop { shared, ..Loop::default() });
        let body = body(self);
        let ended = self.loops.pop().unwrap_or_default();
        for jump in ended.jumps.iter().filter(|_| ended.collective) {
            self.error(
                jump,
                format!("`{jump}` in a loop that all work-items of the group run together"),
            )
            .note("the loop contains a barrier or another operation of the group")
            .help("use a condition that is the same for the group: `while … { }`");
        }
        body
    }

    /// `break` and `continue`.
    pub(super) fn jump(&mut self, at: &dyn ToTokens, label: bool, jump: Stmt) -> Vec<Stmt> {
        let at = at.to_token_stream();
        self.refuse_label(label.then_some(&at));
        match self.loops.last_mut() {
            Some(innermost) => innermost.jumps.push(at),
            None => {
                self.error(&at, format!("`{}` outside of a loop", text(&at))).help("drop it");
                return Vec::new();
            }
        }
        vec![jump]
    }

    pub(super) fn refuse_label(&mut self, label: Option<&impl ToTokens>) {
        if let Some(label) = label {
            self.error(label, "a kernel has no labels").help(
                "leave the innermost loop, and test a `let mut done = false;` in the outer one",
            );
        }
    }

    pub(super) fn for_stmt(&mut self, f: &syn::ExprForLoop) -> Vec<Stmt> {
        self.refuse_label(f.label.as_ref());
        let name = match &*f.pat {
            syn::Pat::Ident(name) => name.ident.clone(),
            syn::Pat::Wild(wild) => Ident::from(wild.underscore_token),
            pat => {
                self.error(pat, "a kernel's `for` binds one plain name")
                    .help("write `for i in a..b`");
                Ident::from(<syn::Token![_]>::default())
            }
        };
        let range = bare(&f.expr);
        if let syn::Expr::Call(call) = range
            && text(&call.func) == "group_range"
        {
            return self.shared_loop(f, call, &name);
        }
        let Some(range) = Range::parse(range) else {
            self.no_range(&f.expr);
            return Vec::new();
        };
        let Counted { mut before, turn, start, end, value } = self.range(&name.to_string(), &range);
        let (seen, first) = match value {
            Some((seen, value)) => (seen, Some(Stmt::Let(seen, value))),
            None => (turn, None),
        };
        let body = self.counted(&name, seen, false, &f.body);
        before.push(Stmt::For(turn, start, end, first.into_iter().chain(body).collect()));
        before
    }

    fn no_range(&mut self, e: &syn::Expr) {
        let help = match called_on(e, &["iter", "iter_mut", "into_iter", "chunks", "windows"]) {
            Some((buffer, _)) => {
                let name = text(buffer);
                format!(
                    "count through its elements: `for i in 0..{name}.len() {{ .. {name}[i] .. }}`"
                )
            }
            None => {
                "write `for i in 0..n { .. x[i] .. }`; `a..=b`, `.rev()` and `.step_by(k)` count, \
                     too"
                .into()
            }
        };
        self.error(e, "a kernel's `for` iterates over `a..b`").help(help);
    }

    /// `for k in group_range(n) { … }`
    fn shared_loop(
        &mut self,
        f: &syn::ExprForLoop,
        call: &syn::ExprCall,
        name: &Ident,
    ) -> Vec<Stmt> {
        let (1, Some(n)) = (call.args.len(), call.args.first()) else {
            self.error(call, "`group_range` takes the number of turns")
                .help("write `for k in group_range(n)`");
            return Vec::new();
        };
        if !self.has_groups("group_range", call) {
            return Vec::new();
        }
        self.collective("group_range", call);
        let n = self.expr(n);
        let ty = self.known(Type::Usize);
        self.expect(&n, ty, "the argument of `group_range`");
        let var = self.declare(name.to_string(), ty, false);
        let body = self.counted(name, var, true, &f.body);
        vec![Stmt::ForGroup(var, n, body)]
    }

    fn counted(&mut self, name: &Ident, var: u32, shared: bool, body: &syn::Block) -> Vec<Stmt> {
        self.scopes.push(vec![(name.clone(), Local::Counter(var))]);
        let body = self.looped(shared, |this| this.block(&body.stmts));
        self.scopes.pop();
        body
    }
}

/// The expression without parentheses.
pub(super) fn bare(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(p) => bare(&p.expr),
        e => e,
    }
}

/// The receiver of the first of these methods in a chain of calls, and the last method of the chain.
pub(super) fn called_on<'a>(
    e: &'a syn::Expr,
    methods: &[&str],
) -> Option<(&'a syn::Expr, &'a Ident)> {
    let syn::Expr::MethodCall(call) = bare(e) else { return None };
    match called_on(&call.receiver, methods) {
        Some((buffer, _)) => Some((buffer, &call.method)),
        None => {
            methods.contains(&&*call.method.to_string()).then_some((&*call.receiver, &call.method))
        }
    }
}
