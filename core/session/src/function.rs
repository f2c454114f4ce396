//! Functions that workers run by name.

use super::{FromValue, Value, Worker};
use ringwood_base::registry::Kind;
use ringwood_base::{Error, ErrorKind, Result};
use std::fmt;

/// A global function's entry in the registry, built by `#[global_fn]`.
///
/// Equivalent to a function of TVM's global registry that a Disco session calls.
#[derive(Clone, Copy)]
pub struct GlobalFn {
    /// The name under which sessions call it.
    pub name: &'static str,
    /// The parameters after the worker, in order.
    pub parameters: &'static [Parameter],
    /// Takes the arguments out, calls the function, and turns its result into a value.
    pub run: fn(&Worker, Arguments<'_>) -> Result<Value>,
}

impl Kind for GlobalFn {
    const NAME: &'static str = "global_fn";

    fn noun() -> String {
        "global function".to_owned()
    }
}

impl fmt::Debug for GlobalFn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        for (i, parameter) in self.parameters.iter().enumerate() {
            write!(f, "{}{parameter:?}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}

/// One parameter of a global function.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// The name in the source.
    pub name: &'static str,
    expected: fn() -> String,
    check: fn(&Value) -> Result<()>,
}

impl Parameter {
    /// The parameter `name` of type `T`.
    pub const fn of<T: FromValue>(name: &'static str) -> Self {
        let check = |value: &Value| match value {
            // It becomes a tensor of the worker's device there.
            Value::Host(_) if T::expected() == "tensor" => Ok(()),
            value => T::from_value(value.clone()).map(drop),
        };
        Self { name, expected: T::expected, check }
    }
}

impl fmt::Debug for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, (self.expected)())
    }
}

impl GlobalFn {
    /// Whether `values` may be passed: their number, and the type of each that is known.
    ///
    /// # Errors
    /// Another number of arguments, or an argument of another type, named.
    pub(super) fn check<'v>(
        &self,
        values: impl ExactSizeIterator<Item = Option<&'v Value>>,
    ) -> Result<()> {
        let (declared, passed) = (self.parameters.len(), values.len());
        if declared != passed {
            let plural = if declared == 1 { "" } else { "s" };
            let message = format!("{self:?} takes {declared} argument{plural}, got {passed}");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        for (index, value) in values.enumerate().filter_map(|(i, v)| Some((i, v?))) {
            (self.parameters[index].check)(value).map_err(|e| self.name_argument(index, &e))?;
        }
        Ok(())
    }

    fn name_argument(&self, index: usize, error: &Error) -> Error {
        let (number, parameter) = (index + 1, self.parameters[index].name);
        let message = format!("argument {number}, `{parameter}`, of `{}`: {error}", self.name);
        Error::new(ErrorKind::InvalidArgument, message)
    }
}

/// The arguments of one call, to be taken in the order of the parameters.
pub struct Arguments<'a> {
    function: &'a GlobalFn,
    values: std::vec::IntoIter<Value>,
    taken: usize,
}

impl<'a> Arguments<'a> {
    /// The arguments `values` for `function`.
    ///
    /// # Errors
    /// Another number of arguments than the function has parameters.
    pub fn new(function: &'a GlobalFn, values: Vec<Value>) -> Result<Self> {
        function.check(values.iter().map(|_| None))?;
        Ok(Self { function, values: values.into_iter(), taken: 0 })
    }

    /// The next argument.
    ///
    /// # Errors
    /// It has another type: the error names the function, the parameter and both types.
    pub fn take<T: FromValue>(&mut self) -> Result<T> {
        let index = self.taken;
        let Some(value) = self.values.next() else {
            let message = format!("`{}` takes more arguments than it declares", self.function.name);
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        };
        self.taken += 1;
        T::from_value(value).map_err(|error| self.function.name_argument(index, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static FUNCTION: GlobalFn = GlobalFn {
        name: "scale",
        parameters: &[Parameter::of::<f32>("factor"), Parameter::of::<Vec<i64>>("items")],
        run: |_, _| Ok(Value::None),
    };

    #[test]
    fn a_wrong_number_of_arguments_names_the_function_and_its_parameters() {
        let error = Arguments::new(&FUNCTION, vec![Value::None]).err().unwrap();
        assert_eq!(
            error.to_string(),
            "scale(factor: f32, items: list of i64) takes 2 arguments, got 1"
        );
    }

    #[test]
    fn a_wrong_type_names_the_parameter_and_both_types() {
        let values = vec![Value::Float(2.0), Value::Str("abc".into())];
        let mut arguments = Arguments::new(&FUNCTION, values).unwrap();
        assert_eq!(arguments.take::<f32>().unwrap(), 2.0);
        let error = arguments.take::<Vec<i64>>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "argument 2, `items`, of `scale`: expected list of i64, got str \"abc\""
        );
        assert!(arguments.take::<i64>().unwrap_err().to_string().contains("more arguments"));
    }

    #[test]
    fn a_known_argument_is_checked_before_it_is_sent() {
        let bad = Value::Bool(true);
        let error = FUNCTION.check([Some(&bad), None].into_iter()).unwrap_err();
        assert!(error.to_string().contains("`factor`, of `scale`: expected f32, got bool true"));
    }
}
