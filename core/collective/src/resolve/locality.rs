//! Where a device is, what it is linked to, and the order of devices that follows.

use ringwood_base::{Error, Result};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Where a device is.
///
/// Its name is its task's, a slash, and its own, as in `/job:worker/task:1/gpu:0`; without a slash
/// it is of the task with an empty name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Locality {
    /// The full name.
    pub device: String,
    /// The fast links to other devices of the task.
    pub links: Vec<Link>,
}

/// A fast link between two devices of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Link {
    /// The number of the other device: the `3` of `gpu:3`.
    pub to: u64,
    /// More is faster.
    pub strength: u32,
}

impl Locality {
    /// A device without fast links.
    pub(super) fn new(device: &str) -> Self {
        Self { device: device.to_owned(), links: Vec::new() }
    }

    /// The task, by the name of the device.
    pub(super) fn task(&self) -> &str {
        self.device.rsplit_once('/').map_or("", |(task, _)| task)
    }

    /// The number at the end of the name.
    fn number(&self) -> Option<u64> {
        self.device.rsplit_once(':')?.1.parse().ok()
    }
}

/// Sorts the devices of a group into the order of their ranks.
///
/// Tasks and devices sort by number. Within a task a hint, `"2,0,1"`, gives the order by device
/// number; without one, the strongest links are followed from the lowest device on: to a device of
/// the group that was not visited, over the first link among equals, and where there is none to the
/// lowest device left.
pub(super) fn arrange(devices: &mut [Locality], hint: Option<&str>) -> Result<()> {
    devices.sort_by(|a, b| by_number(a.task(), b.task()).then(by_number(&a.device, &b.device)));
    let hint = hint.map(parse).transpose()?;
    for task in devices.chunk_by_mut(|a, b| a.task() == b.task()) {
        match &hint {
            Some(numbers) => follow_hint(task, numbers)?,
            None => follow_links(task),
        }
    }
    Ok(())
}

fn parse(hint: &str) -> Result<Vec<u64>> {
    hint.split(',').map(|n| n.trim().parse()).collect::<Result<_, _>>().map_err(|_| {
        Error::invalid(format!("ring order `{hint}` is not a list of device numbers, as `0,2,1`"))
    })
}

fn follow_hint(task: &mut [Locality], numbers: &[u64]) -> Result<()> {
    let place = |d: &Locality| numbers.iter().position(|n| Some(*n) == d.number());
    if task.len() != numbers.len() || task.iter().any(|d| place(d).is_none()) {
        let names: Vec<_> = task.iter().map(|d| d.device.as_str()).collect();
        let message =
            format!("ring order {numbers:?} is not one of the devices {}", names.join(", "));
        return Err(Error::invalid(message)
            .help("name the number of each device of a task once, or give no ring order"));
    }
    task.sort_by_key(place);
    Ok(())
}

fn follow_links(task: &mut [Locality]) {
    for at in 1..task.len() {
        let (visited, rest) = task.split_at(at);
        let place = |link: &Link| rest.iter().position(|d| d.number() == Some(link.to));
        let links = visited[at - 1].links.iter();
        let links = links.filter_map(|link| Some((link.strength, place(link)?)));
        // Of the strongest, the first.
        let best = links.reduce(|best, next| if next.0 > best.0 { next } else { best });
        // The rest stays sorted: what is skipped moves up by one.
        let next = at + best.map_or(0, |(_, next)| next);
        task[at..=next].rotate_right(1);
    }
}

/// The order of device names: runs of digits compare as numbers, so `cpu:2` is before `cpu:10`.
pub(super) fn by_number(a: &str, b: &str) -> Ordering {
    let (mut a_rest, mut b_rest) = (a.as_bytes(), b.as_bytes());
    loop {
        let (Some(x), Some(y)) = (a_rest.first(), b_rest.first()) else {
            return a_rest.len().cmp(&b_rest.len()).then_with(|| a.cmp(b));
        };
        if x.is_ascii_digit() && y.is_ascii_digit() {
            let (m, n) = (take_number(&mut a_rest), take_number(&mut b_rest));
            match m.len().cmp(&n.len()).then_with(|| m.cmp(n)) {
                Ordering::Equal => {}
                unequal => return unequal,
            }
        } else if x == y {
            (a_rest, b_rest) = (&a_rest[1..], &b_rest[1..]);
        } else {
            return x.cmp(y);
        }
    }
}

/// The digits at the start, without leading zeros: of any length, so nothing overflows.
fn take_number<'a>(text: &mut &'a [u8]) -> &'a [u8] {
    let end = text.iter().position(|c| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    let zeros = digits.iter().take_while(|c| **c == b'0').count();
    &digits[zeros..]
}

#[cfg(test)]
mod tests;
