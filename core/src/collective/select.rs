//! Which algorithm runs a call.

use super::verify::prove;
use super::{Collective, Operation, Request};
use crate::registry::{Item, Kind, Registry};
use crate::{Error, ErrorKind, Result};

/// The algorithm for a call: the one called `name`, or else the first by name that computes the
/// operation for this group and that the verifier proves.
///
/// # Errors
/// No such algorithm, or it computes something else; without a name, none fits: the error says why
/// for each.
pub(super) fn select(
    registry: &Registry,
    name: Option<&str>,
    operation: Operation,
    request: &Request,
) -> Result<&'static dyn Collective> {
    if let Some(name) = name {
        let collective = registry.collective(name)?;
        check(collective, name, operation)?;
        return Ok(collective);
    }
    let mut refused = Vec::new();
    for entry in registry.of_kind(Kind::Collective) {
        let Item::Collective(collective) = entry.item else { continue };
        if collective.describe().operation != operation {
            continue;
        }
        match usable(collective, entry.meta.name, operation, request) {
            Ok(()) => return Ok(collective),
            Err(error) => refused.push(error.message().to_owned()),
        }
    }
    let ranks = request.ranks;
    let why = if refused.is_empty() { "none is registered".into() } else { refused.join("; ") };
    let message = format!("no collective for {operation} among {ranks} ranks: {why}");
    Err(Error::new(ErrorKind::NotFound, message))
}

fn usable(
    collective: &'static dyn Collective,
    name: &str,
    operation: Operation,
    request: &Request,
) -> Result<()> {
    check(collective, name, operation)?;
    prove(collective, &collective.resolve(request)?).map(|_| ())
}

fn check(collective: &dyn Collective, name: &str, operation: Operation) -> Result<()> {
    let descriptor = collective.describe();
    if descriptor.name != name {
        let message =
            format!("collective `{name}` describes itself as `{}`: use one name", descriptor.name);
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    if descriptor.operation != operation {
        let message =
            format!("collective `{name}` computes {}, not {operation}", descriptor.operation);
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    Ok(())
}
