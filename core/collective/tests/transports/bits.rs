//! A fixed order of merges gives the same bits over every transport, at every size.

use crate::{ALL, group};
use ringwood_base::Result;
use ringwood_collective::Communicator;
use ringwood_schedule::{Order, ReduceOp};

/// Elements: within a message that travels with its call, above 8 KiB, and several MiB.
const COUNTS: [usize; 5] = [1, 7, 3_000, 70_001, 1_000_000];

/// An element of a rank's input, of any magnitude: in another order sums have other bits.
fn element(rank: usize, i: usize) -> f32 {
    let mixed = (rank * 7_919 + i).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    (mixed % 2_001) as f32 * [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0][mixed % 7]
}

/// Sums in the order of the ranks; a digest of the bits, which are those of a loop over the ranks.
pub(crate) fn digest(comm: &Communicator) -> Result<u64> {
    let (n, rank) = (comm.size(), comm.rank());
    let mut digest = 0_u64;
    for count in COUNTS {
        let own: Vec<f32> = (0..count).map(|i| element(rank, i)).collect();
        let mut sums = vec![0.0; count];
        comm.call().order(Order::Linear).all_reduce_into(&own, &mut sums, ReduceOp::Sum)?;
        for (i, sum) in sums.iter().enumerate() {
            let wanted = (1..n).fold(element(0, i), |sum, other| sum + element(other, i));
            assert_eq!(sum.to_bits(), wanted.to_bits(), "element {i} of {count}");
            digest = (digest ^ u64::from(sum.to_bits())).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }
    Ok(digest)
}

#[test]
fn a_fixed_order_gives_the_same_bits_over_threads_of_every_transport() {
    let found = ALL.map(|(_, transport)| group(transport, 3).spmd(digest).unwrap());
    assert_eq!([&found[0], &found[1]], [&found[1], &found[2]]);
    assert!(found[0].iter().all(|digest| *digest == found[0][0]));
    // The order matters here: from the other end, sums have other bits.
    let differs = |i: &usize| {
        let [a, b, c] = [0, 1, 2].map(|rank| element(rank, *i));
        ((a + b) + c).to_bits() != (a + (b + c)).to_bits()
    };
    assert!((0..3_000).filter(differs).count() > 100);
}
