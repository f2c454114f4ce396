//! How the ranks of a group that do not call the same are told.

use ringwood_base::Error;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A field of a [`CallSpec`](super::CallSpec), as ranks tell it to each other.
pub type Field = (Cow<'static, str>, String);

/// What a rank says of its call when not all call the same: what it calls, or why it cannot.
pub type Statement = Result<Vec<Field>, Error>;

/// So many values about which ranks disagree are told.
const VALUES: usize = 16;

/// The error that every rank gets for a call that the ranks disagree about or that one refuses, from
/// what each of them says, in the order of the ranks.
pub fn refusal(call: u64, statements: &[Statement]) -> Error {
    let refused = statements.iter().enumerate().filter_map(|(r, s)| Some((r, s.as_ref().err()?)));
    let (ranks, errors): (Vec<usize>, Vec<&Error>) = refused.unzip();
    if let Some(first) = errors.first() {
        let same = errors.iter().all(|e| e.to_string() == first.to_string());
        if same && errors.len() == statements.len() {
            return (*first).clone();
        }
        return (*first).clone().with("refused by", list_ranks(&ranks));
    }
    let calls: Vec<Vec<Field>> = statements.iter().flatten().cloned().collect();
    disagreement(&format!("call #{call}"), &calls)
        .unwrap_or_else(|| Error::mismatch(format!("ranks disagree on call #{call}")))
}

/// The error of a call or an instance about which the ranks disagree: the first field that differs, who has which
/// value, and the odd ones out. `None` if all agree.
pub fn disagreement(what: &str, ranks: &[Vec<Field>]) -> Option<Error> {
    let longest = ranks.iter().max_by_key(|fields| fields.len())?;
    let value = |rank: usize, i: usize| ranks[rank].get(i).map_or("nothing", |f| f.1.as_str());
    let differs = |i: &usize| (0..ranks.len()).any(|rank| value(rank, *i) != value(0, *i));
    let field = (0..longest.len()).find(differs)?;
    let mut holders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for rank in 0..ranks.len() {
        holders.entry(value(rank, field)).or_default().push(rank);
    }
    let mut holders: Vec<_> = holders.into_iter().collect();
    holders.sort_by_key(|(_, ranks)| (std::cmp::Reverse(ranks.len()), ranks[0]));

    let mut message = format!("ranks disagree on {what} in {}: ", longest[field].0);
    for (i, (value, ranks)) in holders.iter().take(VALUES).enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        let verb = if ranks.len() == 1 { "has" } else { "have" };
        let _ = write!(message, "{comma}{} {verb} {value}", list_ranks(ranks));
    }
    let more: usize = holders.iter().skip(VALUES).map(|(_, ranks)| ranks.len()).sum();
    if more > 0 {
        let verb = if more == 1 { " has" } else { "s have" };
        let _ = write!(message, ", {more} more rank{verb} something else");
    }
    let error = Error::mismatch(message);
    let majority = holders[0].1.len() > holders[1].1.len();
    let odd: Vec<_> = holders[1..].iter().flat_map(|(_, ranks)| ranks.iter().copied()).collect();
    let error = if majority { error.with("odd ones out", list_ranks(&odd)) } else { error };
    Some(error.help("no data moved and the group is still usable; make every rank call the same"))
}

/// `rank 2`, `ranks 0, 1, 3`, `ranks 0, 4..=9`: see [`list_numbers`].
pub fn list_ranks(ranks: &[usize]) -> String {
    format!("rank{} {}", if ranks.len() == 1 { "" } else { "s" }, list_numbers(ranks))
}

/// The most parts of a list of numbers.
const PARTS: usize = 16;
/// So many numbers in a row are a range.
const ROW: usize = 4;

/// `0, 1, 3`; four or more in a row are a range, `0, 4..=9`, and long lists end with the length of the rest.
pub fn list_numbers(numbers: &[usize]) -> String {
    let parts = numbers.chunk_by(|a, b| a + 1 == *b).flat_map(|row| {
        let length = if row.len() < ROW { 1 } else { row.len() };
        row.chunks(length)
    });
    let shown: Vec<_> = parts.take(PARTS).collect();
    let text = |part: &&[usize]| match part {
        [first, .., last] => format!("{first}..={last}"),
        one => one[0].to_string(),
    };
    let more = numbers.len() - shown.iter().map(|part| part.len()).sum::<usize>();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.iter().map(text).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests;
