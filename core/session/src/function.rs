//! Functions that workers run by name.

use super::{FromValue, Value, Worker};
use ringwood_base::registry::{Kind, Registry};
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
        let parameters: Vec<_> = self.parameters.iter().map(|p| format!("{p:?}")).collect();
        write!(f, "{}({})", self.name, parameters.join(", "))
    }
}

/// One parameter of a global function.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// The name in the source.
    pub name: &'static str,
    /// Whether host tensors are put onto the worker's device for it.
    pub(super) on_device: bool,
    expected: fn() -> String,
    check: fn(&Value) -> Result<()>,
}

impl Parameter {
    /// The parameter `name` of type `T`.
    pub const fn of<T: FromValue>(name: &'static str) -> Self {
        let check = |value: &Value| {
            // They become tensors of the worker's device there.
            if T::ON_DEVICE && value.holds(|value| matches!(value, Value::Host(_))) {
                return Ok(());
            }
            T::from_value(value.clone()).map(drop)
        };
        Self { name, on_device: T::ON_DEVICE, expected: T::expected, check }
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
            return Err(Error::invalid(format!(
                "{self:?} takes {declared} argument{plural}, got {passed}"
            )));
        }
        for (index, value) in values.enumerate().filter_map(|(i, v)| Some((i, v?))) {
            (self.parameters[index].check)(value).map_err(|e| self.name_argument(index, &e))?;
        }
        Ok(())
    }

    fn name_argument(&self, index: usize, error: &Error) -> Error {
        let (number, parameter) = (index + 1, self.parameters[index].name);
        Error::invalid(format!("argument {number}, `{parameter}`, of `{}`: {error}", self.name))
    }
}

/// The arguments of one call, to be taken in the order of the parameters.
pub struct Arguments<'a> {
    function: &'a GlobalFn,
    values: std::vec::IntoIter<Value>,
}

impl<'a> Arguments<'a> {
    /// The arguments `values` for `function`.
    ///
    /// # Errors
    /// Another number of arguments than the function has parameters.
    pub fn new(function: &'a GlobalFn, values: Vec<Value>) -> Result<Self> {
        function.check(values.iter().map(|_| None))?;
        Ok(Self { function, values: values.into_iter() })
    }

    /// The next argument.
    ///
    /// # Errors
    /// It has another type: the error names the function, the parameter and both types.
    pub fn take<T: FromValue>(&mut self) -> Result<T> {
        let index = self.function.parameters.len() - self.values.len();
        let Some(value) = self.values.next() else {
            return Err(Error::invalid(format!(
                "`{}` takes more arguments than it declares",
                self.function.name
            )));
        };
        T::from_value(value).map_err(|error| self.function.name_argument(index, &error))
    }
}

/// The version of Ringwood that this program is built from.
pub(super) const RINGWOOD_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The names of the functions of a program, each with its signature.
pub(super) fn signatures(registry: &Registry) -> Vec<(String, String)> {
    let functions = registry.of::<GlobalFn>();
    functions.map(|(entry, function)| (entry.meta().full_name(), format!("{function:?}"))).collect()
}

/// Whether a worker is built from the version of its controller, whose workers may meet in memory of a layout of that.
///
/// # Errors
/// It is not.
pub(super) fn check_version(controller: &str) -> Result<()> {
    if controller == RINGWOOD_VERSION {
        return Ok(());
    }
    let message =
        format!("it has version {RINGWOOD_VERSION} of Ringwood, its controller {controller}");
    Err(another_program(message))
}

/// Whether the functions that a worker and its controller both have take the same parameters; that a worker lacks one shows
/// where it is called.
///
/// # Errors
/// The first that does not.
pub(super) fn check_functions(registry: &Registry, controller: &[(String, String)]) -> Result<()> {
    let own = signatures(registry);
    for (name, theirs) in controller {
        let other = own.iter().find(|(known, ours)| known == name && ours != theirs);
        if let Some((_, ours)) = other {
            let message = format!("its `{name}` is {ours}, that of its controller {theirs}");
            return Err(another_program(message));
        }
    }
    Ok(())
}

fn another_program(message: String) -> Error {
    Error::new(ErrorKind::Mismatch, message).help("run one build of the program in all processes")
}

#[cfg(test)]
mod tests;
