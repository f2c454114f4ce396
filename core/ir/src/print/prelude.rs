//! The functions that a text needs, each once, before their first use.

mod texts;

use super::expr::unsigned;
use super::{Facts, access, body, names};
use crate::{AtomicOp, Kernel, MathFn, Type, portable};
use texts::{DIVIDES_IN_DOUBLE, FAMILIES, ROOTS_IN_DOUBLE, SINGLES};

/// The functions that a text needs.
#[derive(Debug)]
pub(super) struct Prelude {
    divides_in_double: bool,
    names: Vec<String>,
    /// Functions of kernels, with their names in the text.
    functions: Vec<(Kernel, String)>,
    text: String,
}

impl Prelude {
    pub(super) fn new(facts: &Facts) -> Self {
        let divides_in_double = facts.divides_in_double();
        let (names, functions, text) = (Vec::new(), Vec::new(), String::new());
        Self { divides_in_double, names, functions, text }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether `/` and `sqrt` of `f32` are computed in `f64`.
    pub(super) fn divides_in_double(&self) -> bool {
        self.divides_in_double
    }

    /// The name of the function of a family for a type, whose text is added if it is missing.
    pub(super) fn name(&mut self, family: &str, ty: Type) -> String {
        let name = format!("k_{family}_{ty}");
        self.require(&name);
        name
    }

    /// The name of the function that casts a floating-point to an integer type.
    pub(super) fn saturating(&mut self, from: Type, to: Type) -> String {
        self.made(format!("k_sat_{to}_{from}"), |name| saturating(name, from, to))
    }

    /// The name of the function that finds an element with `rank` indices, and records it if it is
    /// outside.
    pub(super) fn place(&mut self, rank: usize, recorded: bool) -> String {
        let name = format!("k_{}{rank}", if recorded { "place" } else { "find" });
        self.made(name, |name| access::place_text(name, rank, recorded))
    }

    /// The name of the function of an atomic operation, on a pointer and an index that may be outside
    /// if `compared`.
    pub(super) fn atomic(&mut self, op: AtomicOp, ty: Type, space: &str, compared: bool) -> String {
        let text = |compared| move |name: &str| access::atomic_text(name, op, ty, space, compared);
        let name = self.made(format!("k_{}_{space}_{ty}", op.name()), text(false));
        if compared { self.made(format!("{name}_in"), text(true)) } else { name }
    }

    /// The name of a function that is added if the text lacks it.
    fn made(&mut self, name: String, text: impl FnOnce(&str) -> String) -> String {
        if !self.names.contains(&name) {
            self.add(&name, &text(&name));
        }
        name
    }

    /// The name of a function of a kernel, whose text is added if it is missing, after those that it
    /// calls.
    pub(super) fn function(&mut self, name: &str, body: &Kernel) -> String {
        if let Some((_, name)) = self.functions.iter().find(|(known, _)| known == body) {
            return name.clone();
        }
        let name = name.rsplit("::").next().unwrap_or(name).trim();
        let base = names::base(name);
        let name = format!("{base}_function{}", self.functions.len());
        self.functions.push((body.clone(), name.clone()));
        // Those that it calls come first in the text.
        let text = body::function_text(body, &name, self);
        self.text.push_str(&text);
        name
    }

    fn require(&mut self, name: &str) {
        if self.names.iter().any(|n| n == name) {
            return;
        }
        let text = self.known(name);
        let text = text.unwrap_or_else(|| panic!("no printed function is called `{name}`"));
        self.add(name, &text);
    }

    /// Adds a text after those that it mentions.
    fn add(&mut self, name: &str, text: &str) {
        self.names.push(name.to_owned());
        let word = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        for needed in text.split(word).filter(|w| w.starts_with("k_") && *w != name) {
            self.require(needed);
        }
        self.text.push_str(text);
    }

    fn known(&self, name: &str) -> Option<String> {
        let single = match name {
            "k_div_f32" if self.divides_in_double => Some(DIVIDES_IN_DOUBLE),
            "k_sqrt_f32" if self.divides_in_double => Some(ROOTS_IN_DOUBLE),
            _ => SINGLES.iter().find(|(single, _)| *single == name).map(|(_, text)| *text),
        };
        if let Some(text) = single.map(str::to_owned).or_else(|| portable::text(name)) {
            return Some(text);
        }
        let (family, ty) = name.rsplit_once('_')?;
        let ty = Type::parse(ty)?;
        let head = format!(" {family}_$T");
        let is_head = |text: &&str| text.split('(').next().is_some_and(|t| t.ends_with(&head));
        let mut fitting = FAMILIES.iter().filter(|(class, _)| class.takes(ty));
        let text = fitting.find_map(|(_, texts)| texts.split("fn ").find(is_head))?;
        let text = format!("fn {}\n", text.trim_end());
        let text = text.replace("$T", ty.name()).replace("$U", unsigned(ty).name());
        let text = text.replace("$M", ty.stored().name()).replace("$A", ty.in_array().name());
        let nan = if ty == Type::F32 { "0x7fc00000" } else { "(u64)0x7ff8000000000000" };
        Some(text.replace("$B", MathFn::ToBits.result(ty).name()).replace("$N", nan))
    }
}

fn saturating(name: &str, from: Type, to: Type) -> String {
    let (bits, suffix) =
        (if to.is_signed() { "" } else { "u" }, if from == Type::F32 { "f" } else { "" });
    let (min, max) = to.integer_range().expect("an integer type");
    let above = format!("{}.0{suffix}", max + 1);
    let max = format!("({to}){max}{bits}");
    let min = crate::print::literal::integer(min, to);
    if to.is_signed() {
        format!(
            "fn {to} {name}({from} x) {{ return x != x ? 0 : x >= {above} ? {max} : x <= -{above} ? {min} : ({to})x; }}\n"
        )
    } else {
        format!(
            "fn {to} {name}({from} x) {{ return !(x > 0) ? 0 : x >= {above} ? {max} : ({to})x; }}\n"
        )
    }
}
