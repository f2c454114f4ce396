//! How long proofs take.
//!
//! `cargo bench -p ringwood-collectives --bench verify`; with a name and a number of ranks after
//! `--`, that proof alone.

use ringwood_base::DType;
use ringwood_base::registry::Registry;
use ringwood_collectives as _;
use ringwood_schedule::{CollectiveDef, Request, verify};
use std::time::Instant;

/// What the issue of scale is for each: quadratic steps, long messages, many ranks.
const PROOFS: [(&str, usize); 8] = [
    ("ring", 64),
    ("ring", 256),
    ("ring", 1024),
    ("ring", 4096),
    ("rabenseifner", 1024),
    ("rabenseifner", 4096),
    ("recursive_doubling", 65_536),
    ("double_tree", 4096),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    match &arguments[..] {
        [name, ranks] => proof(name, ranks.parse().expect("a number of ranks")),
        _ => PROOFS.iter().for_each(|(name, ranks)| proof(name, *ranks)),
    }
}

fn proof(name: &str, ranks: usize) {
    let found = Registry::global().and_then(|all| all.find::<CollectiveDef>(name));
    let Ok(CollectiveDef { collective }) = found else {
        println!("{name}: not registered");
        return;
    };
    let request = Request::new(collective.describe().operation, ranks, 1, DType::F32);
    let params = collective.resolve(&request).expect("a group size");
    let best = (0..3).map(|_| {
        let start = Instant::now();
        let verdict = verify(&**collective, &params).expect("a proof");
        assert!(verdict.ok(), "{verdict}");
        (start.elapsed().as_secs_f64(), verdict)
    });
    let (seconds, best) = best.min_by(|a, b| a.0.total_cmp(&b.0)).expect("three runs");
    let each = seconds * 1e9 / best.steps as f64;
    println!("{:>12} steps {each:>6.1} ns each  {best}", best.steps);
}
