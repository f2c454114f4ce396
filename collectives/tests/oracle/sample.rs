//! Which calls are made: the full product, or a sample of it.

use crate::case::Case;
use crate::data::Random;
use ringwood_base::DType;
use ringwood_base::registry::Registry;
use ringwood_schedule::{BufferMode, Collective, Moves, Operation, ReduceOp, Request, verify};

/// The seed of the sample.
pub(crate) fn seed() -> u64 {
    std::env::var("RINGWOOD_ORACLE_SEED").map_or(1, |seed| seed.parse().expect("a number"))
}

fn full() -> bool {
    std::env::var("RINGWOOD_ORACLE").is_ok_and(|what| what == "full")
}

const OPERATORS: [ReduceOp; 5] =
    [ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Min, ReduceOp::Max, ReduceOp::Mean];
const MODES: [BufferMode; 2] = [BufferMode::InPlace, BufferMode::OutOfPlace];

/// The registered collectives that work for groups of `n`.
fn algorithms(n: usize) -> Vec<&'static dyn Collective> {
    let registry = Registry::global().unwrap();
    let collectives =
        registry.of::<ringwood_schedule::CollectiveDef>().map(|(_, def)| &*def.collective);
    collectives.filter(|c| c.describe().constraint.allows(n)).collect()
}

/// The types that an operation takes: nothing merges integers of 8 and 16 bits.
fn dtypes(operation: Operation) -> Vec<DType> {
    let merged = |d: &DType| !operation.reduces() || d.is_float() || d.size() >= 4;
    DType::ALL.iter().copied().filter(merged).collect()
}

/// Calls of every algorithm with every count, and the rest by chance, or in full.
pub(crate) fn cases(n: usize) -> Vec<Case> {
    let mut random = Random::new(seed().wrapping_mul(31) + n as u64);
    let mut cases = Vec::new();
    for collective in algorithms(n) {
        for count in [0, 1, n - 1, n, n + 1, 31, 127, 257, 1009] {
            for mode in MODES {
                let random = &mut random;
                match full() {
                    true => product(&mut cases, collective, n, count, mode, random),
                    false => cases.push(sampled(collective, n, count, mode, random)),
                }
            }
        }
        if collective.describe().operation.blocked() {
            for mode in MODES {
                let case = sampled(collective, n, 17, mode, &mut random);
                cases.push(uneven(collective, case, &mut random));
            }
        }
    }
    cases
}

/// Long vectors: as many elements as begin another segment, one fewer and one more, and 1 MiB.
pub(crate) fn large_cases(n: usize) -> Vec<Case> {
    let mut random = Random::new(seed().wrapping_mul(37) + n as u64);
    let mut cases = Vec::new();
    for collective in algorithms(n) {
        let case = sampled(collective, n, 1, random.pick(&MODES), &mut random);
        let blocks = if case.operation.blocked() { n } else { 1 };
        let mebibyte = (1 << 20) / case.dtype.size() / blocks;
        let border = border(collective, &case, mebibyte);
        for count in border.into_iter().chain([mebibyte]) {
            cases.push(Case { count, ..case.clone() });
        }
    }
    cases
}

/// Counts up to `most` around one at which the number of segments changes.
fn border(collective: &dyn Collective, case: &Case, most: usize) -> Vec<usize> {
    let segments = |count| {
        let request = Request::new(case.operation, case.n, count, case.dtype);
        collective.resolve(&request.root(case.root)).unwrap().segments()
    };
    let (mut few, mut many) = (0, most);
    if segments(many) == segments(few) {
        return Vec::new();
    }
    let first = segments(0);
    while many - few > 1 {
        let middle = few.midpoint(many);
        if segments(middle) == first { few = middle } else { many = middle }
    }
    vec![many - 1, many, many + 1]
}

fn sampled(
    collective: &dyn Collective,
    n: usize,
    count: usize,
    mode: BufferMode,
    random: &mut Random,
) -> Case {
    let descriptor = collective.describe();
    let operation = descriptor.operation;
    let mut permutation: Vec<usize> = (0..n).collect();
    (1..n).for_each(|i| permutation.swap(i, random.below(i + 1)));
    Case {
        operation,
        algorithm: descriptor.name,
        n,
        dtype: random.pick(&dtypes(operation)),
        op: random.pick(&OPERATORS),
        count,
        counts: None,
        root: if operation.rooted() { random.below(n) } else { 0 },
        permutation: if operation == Operation::Permute { permutation } else { Vec::new() },
        mode,
        allowed: true,
    }
}

/// Every type, operator and root.
fn product(
    cases: &mut Vec<Case>,
    collective: &dyn Collective,
    n: usize,
    count: usize,
    mode: BufferMode,
    random: &mut Random,
) {
    let operation = collective.describe().operation;
    let operators = if operation.reduces() { &OPERATORS[..] } else { &OPERATORS[..1] };
    for dtype in dtypes(operation) {
        for &op in operators {
            for root in 0..if operation.rooted() { n } else { 1 } {
                cases.push(Case { dtype, op, root, ..sampled(collective, n, count, mode, random) });
            }
        }
    }
}

/// The same with blocks of different sizes, some of them empty; symmetric ones where an all-to-all
/// is in place.
fn uneven(collective: &dyn Collective, case: Case, random: &mut Random) -> Case {
    let n = case.n;
    let mut counts: Vec<usize> = (0..n * n).map(|_| random.below(3) * random.below(40)).collect();
    if case.operation != Operation::AllToAll {
        counts.truncate(n);
    } else if case.mode == BufferMode::InPlace {
        (0..n * n).for_each(|i| counts[i] = counts[i % n * n + i / n]);
    }
    let request = Request::new(case.operation, n, 0, case.dtype).counts(counts.clone());
    let params = collective.resolve(&request.root(case.root).mode(case.mode)).unwrap();
    let allowed = verify(collective, &params).unwrap().moves == Moves::SameChunk;
    Case { counts: Some(counts), allowed, ..case }
}
