//! Both rules of an operator, parsed once.

use super::{DTypeRule, Operator, ShapeRule};
use ringwood_base::{Error, Result};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The texts of a declaration: the shape rule, and the dtype rule.
type Texts = (&'static str, &'static str);

thread_local! {
    /// What this thread has parsed: as much as the program declares, at most.
    static PARSED: RefCell<HashMap<Texts, Rc<Rules>>> = RefCell::default();
}

/// Both rules of an operator.
pub(super) struct Rules {
    pub(super) shape: ShapeRule,
    pub(super) dtype: DTypeRule,
}

impl Rules {
    /// The rules that `operator` declares.
    ///
    /// # Errors
    /// A text is no rule, or the two have different numbers of operands or results.
    pub(super) fn of(operator: &Operator) -> Result<Rc<Self>> {
        let texts = (operator.shape, operator.dtype);
        if let Some(known) = PARSED.with_borrow(|parsed| parsed.get(&texts).cloned()) {
            return Ok(known);
        }
        let rules = Rc::new(Self::parse(texts).map_err(|error| {
            Error::invalid(format!("operator `{}` is declared wrongly: {error}", operator.name))
        })?);
        PARSED.with_borrow_mut(|parsed| parsed.insert(texts, rules.clone()));
        Ok(rules)
    }

    fn parse((shape_text, dtype_text): Texts) -> Result<Self> {
        let shape = ShapeRule::parse(shape_text)?;
        let arity = (shape.operands(), shape.results());
        let dtype = match dtype_text {
            "" => DTypeRule::same(arity.0, arity.1),
            text => DTypeRule::parse(text)?,
        };
        if (dtype.operands(), dtype.results()) == arity {
            return Ok(Self { shape, dtype });
        }
        Err(Error::invalid(format!(
            "the dtype rule `{dtype_text}` and the shape rule `{shape_text}` have different numbers of \
             operands or results"
        )))
    }
}
