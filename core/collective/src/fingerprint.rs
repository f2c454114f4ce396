//! What the ranks of a group agree on before data moves.

use ringwood_base::{DType, Error, ErrorKind};
use ringwood_schedule::{Arrangement, BufferMode, Operation, Order, ReduceOp};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What one rank calls; every rank of the group must call the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Fingerprint {
    /// What the call leaves in the buffers.
    pub operation: Operation,
    /// The merge, if the operation reduces.
    pub reduce: Option<ReduceOp>,
    /// The element type.
    pub dtype: DType,
    /// The number of elements of the vector, or of each block; of the largest, where they differ.
    pub count: usize,
    /// The elements of each block, where they differ.
    pub counts: Vec<usize>,
    /// The rank that a rooted operation starts from or ends at.
    pub root: usize,
    /// Where the input of each rank goes in a permutation.
    pub permutation: Vec<usize>,
    /// How input and output relate.
    pub mode: BufferMode,
    /// The order of merges that is asked for.
    pub order: Option<Order>,
    /// In which tasks and on which rings the ranks are.
    pub arrangement: Arrangement,
    /// The algorithm.
    pub algorithm: &'static str,
    /// Whether the elements are in memory of devices.
    pub on_devices: bool,
}

impl Fingerprint {
    /// 64 bits; different fingerprints have different ones but for a chance of 2^-64.
    pub fn digest(&self) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        let mut take = |word: u64| {
            hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        };
        for field in self.fields() {
            field.1.bytes().for_each(|byte| take(u64::from(byte)));
            take(u64::MAX);
        }
        hash
    }

    /// The bytes of the vector or of the largest block.
    pub fn bytes(&self) -> u64 {
        (self.count * self.dtype.size()) as u64
    }

    /// The fields by name, as text.
    pub fn fields(&self) -> Vec<Field> {
        let memory = if self.on_devices { "devices" } else { "host" };
        let mode = match self.mode {
            BufferMode::InPlace => "the same memory",
            BufferMode::OutOfPlace => "separate memory",
        };
        let fields = [
            ("operation", self.operation.to_string()),
            ("reduce operator", self.reduce.map_or_else(String::new, |op| op.to_string())),
            ("dtype", self.dtype.to_string()),
            ("count", self.count.to_string()),
            ("counts", list(&self.counts)),
            ("root", self.root.to_string()),
            ("permutation", list(&self.permutation)),
            ("input and output", mode.to_owned()),
            ("order", self.order.map_or_else(|| "any".to_owned(), |order| order.to_string())),
            ("arrangement", self.arrangement.to_string()),
            ("algorithm", self.algorithm.to_owned()),
            ("memory", memory.to_owned()),
        ];
        fields.map(|(name, value)| (name.into(), value)).to_vec()
    }
}

fn list(numbers: &[usize]) -> String {
    if numbers.is_empty() { "none".to_owned() } else { format!("{numbers:?}") }
}

/// A field of a [`Fingerprint`], as ranks tell it to each other.
pub type Field = (Cow<'static, str>, String);

/// What a rank says of its call when not all call the same: what it calls, or why it cannot.
pub type Statement = Result<Vec<Field>, Error>;

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
    let calls: Vec<&[Field]> = statements.iter().flatten().map(Vec::as_slice).collect();
    disagreement(call, &calls).unwrap_or_else(|| {
        Error::new(ErrorKind::Mismatch, format!("ranks disagree on call #{call}"))
    })
}

/// The error of a call about which the ranks disagree: the first field that differs, who has which
/// value, and the odd ones out. `None` if all agree.
fn disagreement(call: u64, ranks: &[&[Field]]) -> Option<Error> {
    let longest = *ranks.iter().max_by_key(|fields| fields.len())?;
    let value = |rank: usize, i: usize| ranks[rank].get(i).map_or("nothing", |f| f.1.as_str());
    let differs = |i: &usize| (0..ranks.len()).any(|rank| value(rank, *i) != value(0, *i));
    let field = (0..longest.len()).find(differs)?;
    let mut holders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for rank in 0..ranks.len() {
        holders.entry(value(rank, field)).or_default().push(rank);
    }
    let mut holders: Vec<_> = holders.into_iter().collect();
    holders.sort_by_key(|(_, ranks)| (std::cmp::Reverse(ranks.len()), ranks[0]));

    let mut message = format!("ranks disagree on call #{call} in {}: ", longest[field].0);
    for (i, (value, ranks)) in holders.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        let verb = if ranks.len() == 1 { "has" } else { "have" };
        let _ = write!(message, "{comma}{} {verb} {value}", list_ranks(ranks));
    }
    let error = Error::new(ErrorKind::Mismatch, message);
    let majority = holders[0].1.len() > holders[1].1.len();
    let odd: Vec<_> = holders[1..].iter().flat_map(|(_, ranks)| ranks.iter().copied()).collect();
    let error = if majority { error.with("odd ones out", list_ranks(&odd)) } else { error };
    Some(error.help("no data moved and the group is still usable; make every rank call the same"))
}

/// `rank 2`, `ranks 0, 1, 3`; long lists end with their length.
pub(super) fn list_ranks(ranks: &[usize]) -> String {
    let shown: Vec<_> = ranks.iter().take(16).map(ToString::to_string).collect();
    let more = ranks.len().saturating_sub(16);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("rank{} {}{more}", if ranks.len() == 1 { "" } else { "s" }, shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call() -> Fingerprint {
        Fingerprint {
            operation: Operation::AllReduce,
            reduce: Some(ReduceOp::Sum),
            dtype: DType::F32,
            count: 4096,
            counts: Vec::new(),
            root: 0,
            permutation: Vec::new(),
            mode: BufferMode::InPlace,
            order: None,
            arrangement: Arrangement::default(),
            algorithm: "ring",
            on_devices: false,
        }
    }

    #[test]
    fn the_odd_one_out_is_named_with_every_value() {
        let odd = Fingerprint { count: 1024, ..call() };
        let error = refusal(3, &[call(), call(), odd, call()].map(|f| Ok(f.fields())));
        assert_eq!(
            error.message(),
            "ranks disagree on call #3 in count: ranks 0, 1, 3 have 4096, rank 2 has 1024"
        );
        assert_eq!(error.get("odd ones out"), Some("rank 2"));
        assert_eq!(error.kind(), ErrorKind::Mismatch);
    }

    #[test]
    fn two_ranks_have_no_majority_and_equal_ones_no_disagreement() {
        let other = Fingerprint { dtype: DType::F64, ..call() };
        let error = refusal(1, &[call(), other].map(|f| Ok(f.fields())));
        assert!(error.message().ends_with("in dtype: rank 0 has f32, rank 1 has f64"), "{error}");
        assert_eq!(error.get("odd ones out"), None);
        let same = call().fields();
        assert!(disagreement(1, &[&same, &same]).is_none());
    }

    #[test]
    fn every_field_counts_in_the_digest() {
        let others = [
            Fingerprint { operation: Operation::Broadcast, ..call() },
            Fingerprint { reduce: Some(ReduceOp::Mean), ..call() },
            Fingerprint { dtype: DType::F64, ..call() },
            Fingerprint { count: 4095, ..call() },
            Fingerprint { root: 1, ..call() },
            Fingerprint { algorithm: "tree", ..call() },
            Fingerprint { on_devices: true, ..call() },
            Fingerprint { counts: vec![4096, 1], ..call() },
            Fingerprint { permutation: vec![1, 0], ..call() },
            Fingerprint { mode: BufferMode::OutOfPlace, ..call() },
            Fingerprint { order: Some(Order::Linear), ..call() },
            Fingerprint { arrangement: Arrangement::of_tasks(&[1, 2]).unwrap(), ..call() },
        ];
        for other in others {
            assert_ne!(other.digest(), call().digest(), "{other:?}");
        }
    }
}
