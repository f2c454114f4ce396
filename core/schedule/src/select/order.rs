//! What it means to fix the order of merges.

use crate::{Operation, Order};
use ringwood_base::{Error, Result};
use std::str::FromStr;

/// The orders that a call may fix: they are the same for every element, however long the buffer.
pub(super) const FIXED: [Order; 2] = [Order::Linear, Order::XorTree];

/// Checks that an order may be fixed.
///
/// # Errors
/// It depends on the position of an element, or has no name.
pub(super) fn check(order: Option<Order>) -> Result<()> {
    match order.filter(|order| !FIXED.contains(order)) {
        None => Ok(()),
        Some(order) => {
            let message =
                format!("order {order} cannot be fixed: it depends on the size of the buffer");
            let names = FIXED.map(|order| order.to_string()).join(" or ");
            Err(Error::invalid(message).help(format!("fix {names}")))
        }
    }
}

/// Whether a schedule that merges in order `class` among `ranks` gives the bits of `fixed`. Two
/// contributions have one order, since merges commute; of three, both orders that can be fixed are one.
pub(super) fn satisfies(class: Option<Order>, fixed: Order, ranks: usize) -> bool {
    match class {
        None => true,
        Some(Order::Differs) => false,
        Some(class) => {
            let are_one = ranks == 3 && FIXED.contains(&class) && FIXED.contains(&fixed);
            ranks <= 2 || class == fixed || are_one
        }
    }
}

/// Whether the order of merges makes a difference for an operation.
pub(super) fn matters(operation: Operation, ranks: usize) -> bool {
    operation.reduces() && ranks > 2
}

impl Order {
    /// This order as a constraint: a call or a group that fixes it gets the same bits whatever
    /// algorithm, size or transport it uses. Only orders that are the same for every element can be
    /// fixed: [`Order::Linear`] and [`Order::XorTree`].
    ///
    /// # Errors
    /// The order depends on the position of an element, or has no name.
    pub fn fixed(self) -> Result<Self> {
        check(Some(self)).map(|()| self)
    }
}

/// The names of the orders that can be fixed.
impl FromStr for Order {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = FIXED.into_iter().find(|order| order.to_string() == text);
        found.ok_or_else(|| {
            let names = FIXED.map(|order| order.to_string()).join(" or ");
            let message = format!("there is no order `{text}` that can be fixed");
            Error::invalid(message).help(format!("fix {names}"))
        })
    }
}
