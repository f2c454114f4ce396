//! What no kernel may contain.

use super::Lower;
use quote::ToTokens;

impl Lower<'_> {
    /// Reports what no kernel may contain, with the way around it.
    pub(super) fn refused(&mut self, e: &syn::Expr) -> bool {
        let (at, message, help) = match e {
            syn::Expr::Return(r) => (
                r.return_token.to_token_stream(),
                "`return` is a statement in kernels",
                "write `if … { return; }` before the value",
            ),
            syn::Expr::Loop(l) => (
                l.loop_token.to_token_stream(),
                "a loop has no value in kernels",
                "assign to a `let mut` in the loop",
            ),
            syn::Expr::Closure(c) => (
                c.to_token_stream(),
                "closures are not available in kernels",
                "write the expression in place",
            ),
            syn::Expr::Let(l) => (
                l.to_token_stream(),
                "patterns are not available in kernels",
                "compare: `if a == b`",
            ),
            syn::Expr::Reference(r) => (
                r.to_token_stream(),
                "references are not available in kernels",
                "use the value: `y[i]`",
            ),
            syn::Expr::Range(r) => {
                (r.to_token_stream(), "a range stands only in `for i in a..b`", "use two scalars")
            }
            syn::Expr::Tuple(t) => (
                t.to_token_stream(),
                "tuples are not available in kernels",
                "use one local for each value",
            ),
            syn::Expr::Array(a) => (
                a.to_token_stream(),
                "an array stands only in a `let`",
                "write `let mut a = [0.0; 8];`",
            ),
            syn::Expr::Repeat(a) => (
                a.to_token_stream(),
                "an array stands only in a `let`",
                "write `let mut a = [0.0; 8];`",
            ),
            syn::Expr::Unsafe(u) => (
                u.unsafe_token.to_token_stream(),
                "`unsafe` has no use in kernels: every access is checked",
                "drop it",
            ),
            syn::Expr::Assign(a) => (
                a.to_token_stream(),
                "an assignment is not a value",
                "make it a statement of its own",
            ),
            _ => return false,
        };
        self.error(at, message).help(help);
        true
    }

    /// Declares a shared array; no other macro is available.
    pub(super) fn macro_stmt(&mut self, mac: &syn::Macro) {
        match mac.path.is_ident("shared") {
            true => self.shared(mac),
            false => self.refuse_macro(mac),
        }
    }

    pub(super) fn refuse_macro(&mut self, mac: &syn::Macro) {
        let name = mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let help = match name.as_str() {
            "vec" | "format" => "kernels cannot allocate: write into a `&mut [T]`",
            "assert" | "debug_assert" | "assert_eq" | "panic" => {
                "kernels do not panic: check before the launch, or write a flag"
            }
            _ => "write the value into a `&mut [T]` and print it after the launch",
        };
        self.error(&mac.path, format!("`{name}!` is not allowed in a kernel")).help(help);
    }
}
