//! What no kernel may contain.

use super::loops::bare;
use super::{Lower, foreign};
use quote::ToTokens;

impl Lower<'_> {
    /// Reports what no kernel may contain, with the way around it.
    pub(super) fn refused(&mut self, e: &syn::Expr) -> bool {
        let (message, help) = match e {
            syn::Expr::Return(_) => {
                ("`return` is a statement in kernels", "write `if … { return; }` before the value")
            }
            syn::Expr::Loop(_) => {
                ("a loop has no value in kernels", "assign to a `let mut` in the loop")
            }
            syn::Expr::Closure(_) => {
                ("closures are not available in kernels", "write the expression in place")
            }
            syn::Expr::Let(_) => ("patterns are not available in kernels", "compare: `if a == b`"),
            syn::Expr::Reference(r) => return self.refuse_reference(r),
            syn::Expr::Field(f) => return self.refuse_field(f),
            syn::Expr::Range(_) => ("a range stands only in `for i in a..b`", "use two scalars"),
            syn::Expr::Tuple(_) => {
                ("tuples are not available in kernels", "use one local for each value")
            }
            syn::Expr::Array(_) | syn::Expr::Repeat(_) => {
                ("an array stands only in a `let`", "write `let mut a = [0.0; 8];`")
            }
            syn::Expr::Unsafe(_) => {
                ("`unsafe` has no use in kernels: every access is checked", "drop it")
            }
            syn::Expr::Assign(_) => {
                ("an assignment is not a value", "make it a statement of its own")
            }
            _ => return false,
        };
        let at = match e {
            syn::Expr::Return(r) => r.return_token.to_token_stream(),
            syn::Expr::Loop(l) => l.loop_token.to_token_stream(),
            syn::Expr::Unsafe(u) => u.unsafe_token.to_token_stream(),
            _ => e.to_token_stream(),
        };
        self.error(at, message).help(help);
        true
    }

    /// `blockIdx.x`, `config.width`
    fn refuse_field(&mut self, field: &syn::ExprField) -> bool {
        let help = match &*field.base {
            syn::Expr::Path(base) => foreign::translation(&base.path),
            _ => None,
        };
        self.error(field, "fields are not available in kernels")
            .help(help.unwrap_or_else(|| "pass each field as a parameter of its own".into()));
        true
    }

    /// `&x[a..b]`, `&x[i]`
    fn refuse_reference(&mut self, reference: &syn::ExprReference) -> bool {
        if let syn::Expr::Index(place) = bare(&reference.expr)
            && let syn::Expr::Range(range) = bare(&place.index)
        {
            self.refuse_slice(range);
        } else {
            self.error(reference, "references are not available in kernels")
                .help("use the value: `y[i]`");
        }
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
                "kernels do not panic: `requires(…)` of the attribute is checked at each launch; what \
                 depends on elements writes a flag"
            }
            _ => "write the value into a `&mut [T]` and print it after the launch",
        };
        self.error(&mac.path, format!("`{name}!` is not allowed in a kernel")).help(help);
    }
}
