//! The body of a kernel, lowered to the typed IR.
//!
//! One walk over the body builds the IR with a type variable for each expression; when it ends, every
//! type is known and [`finish`] writes them into the IR.

mod array;
mod atomic;
mod binding;
mod call;
mod constant;
mod domain;
mod expr;
mod finish;
mod foreign;
mod function;
mod group;
mod leave;
mod literal;
mod loops;
mod matches;
mod range;
mod reduce;
mod refuse;
mod scope;
mod stmt;
mod whole;

use super::infer::{Known, TypeVar, Types};
use super::model::{Form, Model, Param};
use super::options::ConstList;
use crate::diagnostics::{Diagnostic, Errors};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use ringwood_ir::{AtomicOp, Expr, ExprKind, Kernel, MathFn, Space, Stmt, Type};
use scope::Local;
use std::collections::HashMap;
use syn::spanned::Spanned;

/// One instance of a kernel in the IR.
pub(super) struct Lowered {
    /// Its place among the instances.
    pub(super) index: usize,
    pub(super) element: Option<Type>,
    /// The values of the compile-time parameters.
    pub(super) values: Vec<i128>,
    pub(super) ir: Kernel,
    /// The extents of the declared domain, slowest first.
    pub(super) domain: Vec<Expr>,
    /// The source of each site.
    pub(super) spans: Vec<Span>,
    /// The paths of the functions that it calls, in the order of the IR; those without an argument list
    /// are constants.
    pub(super) functions: Vec<Callee>,
    /// The function that combines two values of a reduction.
    pub(super) combine: Option<Box<Lowered>>,
}

/// What a kernel names that only the compiler of the crate knows.
#[derive(Clone)]
pub(super) struct Callee {
    pub(super) path: syn::Path,
    /// Whether it is a constant, and no function.
    pub(super) is_constant: bool,
    /// The parameters whose type is guessed, each with a literal that says no type.
    pub(super) guesses: Vec<(usize, TokenStream)>,
}

/// Every instance; stops at the first one with errors.
pub(super) fn instances(model: &Model, errors: &mut Errors) -> Vec<Lowered> {
    let mut lowered = Vec::new();
    let elements = model.instances();
    let choices = model.variants().into_iter().flat_map(|values| {
        let with = move |element: &Option<Type>| (*element, values.clone());
        elements.iter().map(with).collect::<Vec<_>>()
    });
    for (i, (element, values)) in choices.enumerate() {
        let mut lower = Lower::new(model, element, values);
        lower.index = i;
        lower.note = lower.choice().filter(|_| i > 0);
        match lower.run(errors) {
            Some(instance) => lowered.push(instance),
            None => return Vec::new(),
        }
    }
    lowered
}

struct Var {
    name: String,
    ty: TypeVar,
    mutable: bool,
}

/// An array of constant size.
struct Array {
    name: String,
    ty: TypeVar,
    dims: Vec<u32>,
    space: Space,
    mutable: bool,
}

/// An expression or a place of the source.
struct Site {
    tokens: TokenStream,
    ty: TypeVar,
}

/// A literal whose value depends on its type.
enum Literal {
    Int(i128),
    Float(String),
    /// `f32::NAN`
    Constant(String),
}

/// A rule about a type that is checked when the type is known.
enum Rule {
    Arithmetic(&'static str),
    Bits(&'static str),
    Negation,
    Complement,
    Integer(&'static str),
    Function(MathFn, TokenStream),
    /// An atomic operation, and whether its old value is used.
    Atomic(AtomicOp, bool),
    /// The type that a cast goes to.
    CastTo(TypeVar),
}

struct Lower<'a> {
    model: &'a Model,
    index: usize,
    element: Option<Type>,
    values: Vec<i128>,
    params: &'a [Param],
    types: Types,
    sites: Vec<Site>,
    literals: HashMap<u32, Literal>,
    rules: Vec<(u32, TypeVar, Rule)>,
    vars: Vec<Var>,
    scopes: Vec<scope::Scope>,
    arrays: Vec<Array>,
    /// Statements that come before the one at hand, whose operands they compute.
    before: Vec<Stmt>,
    /// Where an operand is evaluated in some cases or again: nothing can come before it.
    conditional: Option<&'static str>,
    functions: Vec<function::Called>,
    /// The constants that the body declares; none in place of one that is being computed.
    items: Vec<Option<constant::Item>>,
    /// The identity of a reduction.
    identity: Option<Expr>,
    loops: Vec<loops::Loop>,
    /// Whether the work-item has come to a `return`, where statements after it ask.
    left: Option<u32>,
    /// The result of a function of scalars that returns early.
    result: Option<u32>,
    /// Whether an atomic operation can stand here as a value.
    takes_atomic: bool,
    /// One more than the largest dimension used.
    rank: u8,
    note: Option<String>,
    errors: Errors,
}

impl<'a> Lower<'a> {
    fn new(model: &'a Model, element: Option<Type>, values: Vec<i128>) -> Self {
        let names = model.params.iter().enumerate();
        let names = names.map(|(i, p)| (p.ident.clone(), Local::Param(i as u32)));
        let consts = model.options.consts.iter().enumerate();
        let consts = consts.map(|(i, list)| (list.parameter.clone(), Local::Constant(i)));
        Self {
            model,
            index: 0,
            element,
            values,
            params: &model.params,
            types: Types::default(),
            sites: Vec::new(),
            literals: HashMap::new(),
            rules: Vec::new(),
            vars: Vec::new(),
            scopes: vec![names.chain(consts).collect()],
            arrays: Vec::new(),
            before: Vec::new(),
            conditional: None,
            functions: Vec::new(),
            items: Vec::new(),
            identity: None,
            loops: Vec::new(),
            left: None,
            result: None,
            takes_atomic: false,
            rank: 0,
            note: None,
            errors: Errors::default(),
        }
    }

    /// Whether this is the instance of a generic kernel for `bool`: what it casts to a float, or from a
    /// literal, is 0 or 1, which Rust has for integers only.
    fn is_of_bool(&self) -> bool {
        self.element == Some(Type::Bool)
    }

    /// Which instance this is, for messages.
    fn choice(&self) -> Option<String> {
        let list = self.model.options.types.as_ref();
        let ty = list.zip(self.element).map(|(l, e)| format!("{} = {}", l.parameter, e.name()));
        let constant = |(list, value): (&ConstList, &i128)| format!("{} = {value}", list.parameter);
        let values = self.model.options.consts.iter().zip(&self.values).map(constant);
        let all: Vec<_> = ty.into_iter().chain(values).collect();
        (!all.is_empty()).then(|| format!("in the instance for {}", all.join(", ")))
    }

    fn run(mut self, errors: &mut Errors) -> Option<Lowered> {
        let (ir, domain) = self.kernel();
        let lowered = self.errors.is_empty().then(|| Lowered {
            index: self.index,
            element: self.element,
            values: self.values.clone(),
            ir,
            combine: None,
            domain,
            functions: self.functions.iter().map(|called| called.callee.clone()).collect(),
            spans: self.sites.iter().map(|site| site.tokens.span()).collect(),
        });
        let lowered = lowered.and_then(|lowered| match self.model.options.form {
            Form::Reduce => self.rows(lowered),
            _ => Some(lowered),
        });
        errors.append(self.errors);
        lowered
    }

    fn error(&mut self, at: impl ToTokens, message: impl std::fmt::Display) -> &mut Diagnostic {
        let diagnostic = self.errors.at(at, message);
        match &self.note {
            Some(note) => diagnostic.note(note),
            None => diagnostic,
        }
    }

    /// A new site with a type that is partly known.
    fn site(&mut self, at: &impl ToTokens, known: Known) -> u32 {
        let ty = self.types.new_var(known);
        self.site_of(at, ty)
    }

    fn site_of(&mut self, at: &impl ToTokens, ty: TypeVar) -> u32 {
        self.sites.push(Site { tokens: at.to_token_stream(), ty });
        self.sites.len() as u32 - 1
    }

    /// An expression; [`finish`] writes its type.
    fn node(&mut self, at: &impl ToTokens, ty: TypeVar, kind: ExprKind) -> Expr {
        Expr { kind, ty: Type::I32, site: self.site_of(at, ty) }
    }

    /// The expression that stands for one that was reported.
    fn wrong(&mut self) -> Expr {
        let ty = self.types.new_var(Known::Wrong);
        self.node(&quote!(), ty, ExprKind::Int(0))
    }

    fn ty(&self, e: &Expr) -> TypeVar {
        self.sites[e.site as usize].ty
    }

    fn tokens(&self, e: &Expr) -> TokenStream {
        self.sites[e.site as usize].tokens.clone()
    }

    fn shown(&self, ty: TypeVar) -> String {
        self.types.known(ty).text()
    }

    /// A type that is known.
    fn known(&mut self, ty: Type) -> TypeVar {
        self.types.new_var(Known::Type(ty))
    }

    /// Reports an expression that does not have the type of `what`.
    fn expect(&mut self, e: &Expr, expected: TypeVar, what: &str) {
        let found = self.ty(e);
        if self.types.unify(found, expected) {
            return;
        }
        let (shown, expected) = (self.shown(found), self.shown(expected));
        let literal = self.literal_help(e, &expected);
        let help = literal.unwrap_or_else(|| match &*expected {
            "bool" if self.types.known(found).is_float() => "compare it: `… != 0.0`".into(),
            "bool" => "compare it: `… != 0`".into(),
            literal if literal.starts_with('{') => "write both in one type".into(),
            ty => format!("convert it: `… as {ty}`"),
        });
        self.error(self.tokens(e), format!("{what} has type `{expected}`, found `{shown}`"))
            .help(help);
        self.types.give_up(found);
    }

    /// `write 2.0`, if the expression is the integer literal 2 where a float is expected.
    fn literal_help(&self, e: &Expr, expected: &str) -> Option<String> {
        match self.literals.get(&e.site) {
            Some(Literal::Int(value)) if matches!(expected, "f32" | "f64" | "{float}") => {
                Some(format!("write `{value}.0`"))
            }
            _ => None,
        }
    }

    fn declare(&mut self, name: String, ty: TypeVar, mutable: bool) -> u32 {
        self.vars.push(Var { name, ty, mutable });
        self.vars.len() as u32 - 1
    }
}
