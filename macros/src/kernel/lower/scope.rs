//! The names in scope.

use super::Lower;
use super::expr::is_constant_name;
use proc_macro2::Span;
use ringwood_ir::nearest;
use syn::Ident;

/// What a name in scope stands for.
#[derive(Clone, Copy)]
pub(super) enum Local {
    Var(u32),
    /// The variable of an enclosing `for`.
    Counter(u32),
    Param(u32),
    Array(u32),
    /// The compile-time parameter with this index.
    Constant(usize),
    /// The constant with this index that the body declares.
    Item(usize),
}

/// The names of a block, each with what it stands for; a later one hides an earlier one.
pub(super) type Scope = Vec<(Ident, Local)>;

impl Lower<'_> {
    pub(super) fn bind(&mut self, name: &Ident, local: Local) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name.clone(), local));
        }
    }

    pub(super) fn lookup(&self, name: &Ident) -> Option<Local> {
        self.named(name).next().map(|(_, local)| *local)
    }

    /// Whatever has this name, the innermost first.
    fn named(&self, name: &Ident) -> impl Iterator<Item = &(Ident, Local)> {
        self.scopes
            .iter()
            .rev()
            .flat_map(|scope| scope.iter().rev())
            .filter(move |(n, _)| n == name)
    }

    /// What a name stands for. A variable of a `macro_rules!` and one of its caller are two, also where
    /// they have one name; those are refused where the inner one hides the one that is meant.
    pub(super) fn resolve(&mut self, name: &Ident) -> Option<Local> {
        let local = self.lookup(name)?;
        let is_item = match local {
            Local::Constant(_) | Local::Item(_) => true,
            // That of a constant of the body.
            Local::Array(index) => !self.arrays[index as usize].mutable && is_constant_name(name),
            _ => false,
        };
        let mut here = self.named(name).map(|(n, _)| context(n.span()) == context(name.span()));
        let is_other = !is_item && here.next() == Some(false);
        if is_other && (is_constant_name(name) || here.any(|here| here)) {
            drop(here);
            self.error(name, format!("two different variables are called `{name}` here"))
                .note("one is that of a `macro_rules!`, the other that of its caller")
                .help("rename one of them");
        }
        Some(local)
    }

    pub(super) fn unknown_name(&mut self, ident: &Ident, otherwise: &str) {
        let name = ident.to_string();
        let known: Vec<String> =
            self.scopes.iter().flatten().map(|(known, _)| known.to_string()).collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let near = nearest(&name, &known).map(|near| format!("did you mean `{near}`?"));
        let help = near.unwrap_or_else(|| otherwise.into());
        self.error(ident, format!("`{name}` is not a parameter or local of this kernel"))
            .help(help);
    }
}

/// The number of the expansion that a name was written in, which the compiler shows in this form alone:
/// `#5 bytes(1..2)`.
fn context(span: Span) -> Option<u32> {
    format!("{span:?}").strip_prefix('#')?.split(' ').next()?.parse().ok()
}
