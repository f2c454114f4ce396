//! Which work-item uses which element of what a `unique` kernel changes.

use super::KernelSpec;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Shape};
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

/// The claims of the work-items of one launch, made with debug assertions only.
#[derive(Debug, Default)]
pub(super) struct Claims {
    elements: Mutex<BTreeMap<Element, Claim>>,
    clash: OnceLock<Clash>,
}

/// A parameter, and the number of an element in its memory.
type Element = (u32, usize);

/// A work-item, and where it uses the element.
type Use = (usize, u32);

#[derive(Debug)]
struct Claim {
    written: bool,
    first: Use,
    /// One more that reads: whoever writes meets one of the two.
    second: Option<Use>,
}

#[derive(Debug)]
struct Clash {
    element: Element,
    uses: [Use; 2],
}

impl Claims {
    /// Notes that a work-item uses an element; the first use of an element that another one writes, or of
    /// one that this one writes and another uses, is kept.
    pub(super) fn claim(&self, element: Element, item: usize, site: u32, writes: bool) {
        let mut elements = lock(&self.elements);
        let mine = (item, site);
        let claim =
            elements.entry(element).or_insert(Claim { written: false, first: mine, second: None });
        claim.written |= writes;
        let other = [Some(claim.first), claim.second].into_iter().flatten().find(|u| u.0 != item);
        if let Some(other) = other.filter(|_| claim.written) {
            let _ = self.clash.set(Clash { element, uses: [other, mine] });
        } else if claim.first.0 != item {
            claim.second = Some(mine);
        }
    }

    /// The error of the first two work-items that met, in a launch over `domain`.
    pub(super) fn error(&self, spec: &KernelSpec<'_>, domain: Shape) -> Option<Error> {
        let Clash { element: (param, element), uses } = self.clash.get()?;
        let param = spec.params.get(*param as usize).map_or("", |param| param.name);
        let size = spec.kernel().map_or(1, |kernel| kernel.group_size());
        let [first, second] = uses.map(|(item, site)| {
            let item = match size {
                1 => place(item, domain),
                size => format!("{} of group {}", item % size, place(item / size, domain)),
            };
            match spec.sites.get(site as usize) {
                Some((line, column)) => {
                    format!("work-item {item} at {}:{line}:{column}", spec.file)
                }
                None => format!("work-item {item}"),
            }
        });
        let message = format!(
            "kernel `{}` is declared `unique`, but two work-items use element {element} of `{param}`, \
             which one of them stores: {first}, {second}",
            spec.name
        );
        let help = "give each work-item its own elements, or declare the kernel `racy`";
        Some(spec.declared(Error::not_verified(message)).help(help))
    }
}

/// A position of the domain, slowest dimension first, by its row-major number.
fn place(mut number: usize, domain: Shape) -> String {
    let mut indices: Vec<_> = domain
        .iter()
        .rev()
        .map(|extent| {
            let index = number % (*extent).max(1);
            number /= (*extent).max(1);
            index.to_string()
        })
        .collect();
    indices.reverse();
    match &*indices {
        [index] => index.clone(),
        _ => format!("({})", indices.join(", ")),
    }
}

#[cfg(test)]
mod tests;
