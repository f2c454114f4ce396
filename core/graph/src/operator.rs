//! Operators: the named functions of a graph, with their shape rule and their gradient.
//!
//! An operator says what a node *means*: how shapes and element types of its results follow from
//! its operands, and how its gradient is built. What it *computes* is said by the kernels that it names
//! by their paths, the best first, each for the backends that can run it.

mod check;
mod dtype_rule;
mod register;
mod rules;
mod shape_rule;

#[doc(hidden)]
pub use check::{Complaint, is_shape_rule, same_arity, scalar_type, undeclared};
pub use dtype_rule::DTypeRule;
pub use shape_rule::{Inferred, ShapeRule};

use crate::compose::Call;
use crate::graph::{
    AttributeKind, Attributes, GradientContext, MOST_RESULTS, TensorType, Value, View,
};
use ringwood_base::registry::Kind;
use ringwood_base::{DType, Error, ErrorKind, Result, Shape, StridedShape};
use ringwood_device::kernel::KernelName;
use rules::Rules;

/// An operator as [`register_operator!`](crate::register_operator) declares it.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// The name under which graphs apply it.
    pub name: &'static str,
    /// How result shapes follow from operand shapes; see [`ShapeRule`].
    pub shape: &'static str,
    /// How result dtypes follow from operand dtypes; see [`DTypeRule`]. Empty: all are the same.
    pub dtype: &'static str,
    /// The attributes that every application gives.
    pub attributes: &'static [AttributeDef],
    /// The attributes that an application may give, of an operator that is made of others.
    pub optional: &'static [AttributeDef],
    /// Whether an application may give any attributes, as one that an importer makes of a node of a file. It is
    /// replaced by what it is made of in [`Graph::with_shapes`](crate::graph::Graph::with_shapes), not before.
    pub any_attributes: bool,
    /// What the rules cannot say of the operands of an application, which fit them.
    pub fits: Fit,
    /// The kernels that compute an application, the best first; the first one that a device has is used.
    pub kernels: &'static [KernelName],
    /// The first of [`Operator::kernels`] that an application may take; all may take the last one.
    pub first: fn(&Application) -> usize,
    /// Where the elements of the result are in the only operand, if the operator moves no data. It has
    /// no kernels then, and neither a shape nor a dtype rule.
    pub view: Option<ViewRule>,
    /// Builds an application of other operators, if the operator is made of others. It has no kernels then,
    /// no rules and no gradient: a graph with known sizes holds what it is made of. An application may say how many
    /// results it names, else 1, and which operands it leaves out: `results: usize`, `absent: [i64]`.
    pub decompose: Option<Decomposition>,
    /// What an application computes, bit by bit, as applications of other operators of its package: where
    /// they stand in a plan, and its device has a kernel for this one, it takes their place.
    /// `(x, matmul_pack(w)) = matmul(x, w)`: of what operands, and of what. Names stand for values;
    /// an operand that is an application is computed once for a parameter or constant, not in each run. Attributes
    /// of the application that gives the result become this one's; those within have none.
    pub computes: &'static [&'static str],
    /// Builds the gradient of an application, if the operator has one.
    pub gradient: Option<Gradient>,
}

impl Kind for Operator {
    const NAME: &'static str = "operator";
}

/// One attribute of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeDef {
    /// The name, which is also the name of the kernel's scalar parameter.
    pub name: &'static str,
    /// The type of its values.
    pub kind: AttributeKind,
}

/// Whether operands of these types, with these attributes, fit an operator.
pub type Fit = fn(&[TensorType], &Attributes) -> Result<()>;

/// Where the elements of a view are in an operand of this layout, counted from its first element; `None`
/// if no steps lead to them there, but do where the operand has its elements in a row.
pub type ViewRule = fn(&StridedShape, &Attributes) -> Result<Option<View>>;

/// Adds what an application is made of to its graph, and returns the results.
pub type Decomposition = fn(&mut Call<'_>) -> Result<Vec<Value>>;

/// Adds the gradient of one application of an operator to its graph.
pub type Gradient = fn(&mut GradientContext<'_>) -> Result<()>;

/// What an application of an operator yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// The type of each result.
    pub results: Vec<TensorType>,
    /// The extent of each symbol of the shape rule, by name: scalar arguments of the kernel.
    pub symbols: Vec<(String, usize)>,
}

impl Application {
    /// The extent of a symbol of the shape rule; 0 if there is none of this name.
    pub fn extent(&self, symbol: &str) -> usize {
        self.symbols.iter().find(|(name, _)| name == symbol).map_or(0, |(_, extent)| *extent)
    }
}

impl Operator {
    /// The kernels that may compute an application, the best first.
    pub fn kernels_for(&self, application: &Application) -> &'static [KernelName] {
        let last = self.kernels.len().saturating_sub(1);
        &self.kernels[(self.first)(application).min(last)..]
    }

    /// The result types of an application to `operands`, and the extents of the rule's symbols.
    ///
    /// # Errors
    /// Operands or attributes do not fit the declaration; the error names the operator, the operand
    /// and the symbol.
    pub fn infer(&self, operands: &[TensorType], attributes: &Attributes) -> Result<Application> {
        self.check_attributes(attributes)?;
        if self.view.is_some() {
            let &[TensorType { dtype, shape }] = operands else {
                let message = format!("{}: takes 1 operand, not {}", self.name, operands.len());
                return Err(Error::invalid(message));
            };
            let shape = self.view_of(shape, attributes)?.layout.shape();
            return Ok(Application { results: vec![TensorType { dtype, shape }], symbols: vec![] });
        }
        let rules = Rules::of(self)?;
        let shapes: Vec<Shape> = operands.iter().map(|t| t.shape).collect();
        let dtypes: Vec<DType> = operands.iter().map(|t| t.dtype).collect();
        let inferred = rules.shape.infer(self.name, &shapes, attributes)?;
        let results = rules.dtype.infer(self.name, &dtypes)?;
        (self.fits)(operands, attributes).map_err(|e| e.with("operator", self.name))?;
        let results = results.into_iter().zip(inferred.results);
        Ok(Application {
            results: results.map(|(dtype, shape)| TensorType { dtype, shape }).collect(),
            symbols: inferred.symbols,
        })
    }

    /// The number of operands that the shape rule has, or a view.
    ///
    /// # Errors
    /// The operator is made of others, which may take any number; its rules are malformed.
    pub fn operands(&self) -> Result<usize> {
        match (self.view, self.decompose) {
            (Some(_), _) => Ok(1),
            (None, None) => Ok(Rules::of(self)?.shape.operands()),
            (None, Some(_)) => Err(Error::unsupported(format!(
                "{}: takes as many operands as it is given",
                self.name
            ))),
        }
    }

    /// The number of results of an application to operands whose types are not known yet.
    pub(crate) fn check(&self, operands: usize, attributes: &Attributes) -> Result<u32> {
        self.check_attributes(attributes)?;
        if self.decompose.is_some() && attributes.find("results").is_some() {
            let count: usize = attributes.value(self.name, "results")?;
            if count > MOST_RESULTS {
                let message =
                    format!("{}: {count} results, and not {MOST_RESULTS} at most", self.name);
                return Err(Error::invalid(message));
            }
            return Ok(count as u32);
        }
        if self.view.is_some() || self.decompose.is_some() {
            return Ok(1);
        }
        let shape = &Rules::of(self)?.shape;
        if shape.operands() == operands {
            return Ok(shape.results() as u32);
        }
        let (name, want) = (self.name, shape.operands());
        Err(Error::invalid(format!("{name}: takes {want} operands, not {operands}")))
    }

    /// The view of an operand of this layout.
    pub(crate) fn look(
        &self,
        operand: &StridedShape,
        attributes: &Attributes,
    ) -> Result<Option<View>> {
        let rule = self.view.expect("the caller found a rule");
        rule(operand, attributes).map_err(|e| Error::new(e.kind(), format!("{}: {e}", self.name)))
    }

    /// The view of an operand whose elements stand in a row.
    pub(crate) fn view_of(&self, operand: Shape, attributes: &Attributes) -> Result<View> {
        let view = self.look(&StridedShape::dense(operand), attributes)?;
        view.ok_or_else(|| {
            Error::invalid(format!(
                "operator `{}` is declared wrongly: it has no view of elements in a row",
                self.name
            ))
        })
    }

    pub(crate) fn check_attributes(&self, given: &Attributes) -> Result<()> {
        let wrong = |kind, message: String| {
            Error::new(kind, format!("{}: {message}", self.name)).help(self.attribute_help())
        };
        for (name, value) in given {
            let own = self.decompose.is_some() && ["absent", "results"].contains(&name.as_str());
            if self.any_attributes || own {
                continue;
            }
            let mut known = self.attributes.iter().chain(self.optional);
            let Some(def) = known.find(|a| a.name == name) else {
                let message = format!("there is no attribute `{name}`");
                return Err(wrong(ErrorKind::InvalidArgument, message));
            };
            if value.kind() != def.kind {
                let want = def.kind.name();
                let message = format!("attribute `{name}` is {value}, not of type {want}");
                return Err(wrong(ErrorKind::DType, message));
            }
        }
        match self.attributes.iter().find(|a| given.find(a.name).is_none()) {
            None => Ok(()),
            Some(a) => {
                let message = format!("attribute `{}` is missing", a.name);
                Err(wrong(ErrorKind::InvalidArgument, message))
            }
        }
    }

    fn attribute_help(&self) -> String {
        let attribute = |a: &AttributeDef| format!("{}: {}", a.name, a.kind.name());
        let known: Vec<_> = self.attributes.iter().chain(self.optional).map(attribute).collect();
        match known.is_empty() {
            true => "the operator takes no attributes".into(),
            false => format!("the operator takes {}", known.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests;
