use super::*;

const MIB: u64 = 1 << 20;

#[test]
fn rings_of_three_tasks_with_eight_devices() {
    let rings = Subdivisions::rings(&[8, 8, 8], 3, 0, &Cut::Offsets(vec![3, -3])).unwrap();
    let of =
        |first: [usize; 8]| (0..3).flat_map(|task| first.map(|r| r + 8 * task)).collect::<Vec<_>>();
    assert_eq!(rings.permutations[0], of([3, 4, 5, 6, 7, 0, 1, 2]));
    assert_eq!(rings.permutations[1], of([4, 3, 2, 1, 0, 7, 6, 5]));
    assert_eq!(rings.ranks, [Some(0), Some(1)]);
}

#[test]
fn four_tasks_with_one_device_cut_a_hundred_mebibytes_in_two() {
    let rings = Subdivisions::rings(&[1; 4], 0, 100 * MIB, &Cut::Automatic).unwrap();
    assert_eq!(rings.offsets, [0, -1]);
    assert_eq!(rings.permutations, [[0, 1, 2, 3], [0, 1, 2, 3]]);
    assert_eq!(rings.ranks, [Some(0), Some(0)]);
}

#[test]
fn chunks_of_exactly_four_mebibytes_are_not_cut_further() {
    let count = |bytes, cut: &Cut| Subdivisions::rings(&[8], 0, bytes, cut).unwrap().offsets.len();
    assert_eq!(count(8 * 4 * MIB, &Cut::Automatic), 1);
    // The quotient is rounded down, so a chunk of 4 MiB and a bit is not cut either.
    assert_eq!(count(8 * 4 * MIB + 7, &Cut::Automatic), 1);
    assert_eq!(count(8 * 4 * MIB + 8, &Cut::Automatic), 2);
    assert_eq!(count(8 * 4 * MIB * 5 / 2, &Cut::Automatic), 3);
    assert_eq!(count(u64::MAX, &Cut::Automatic), 16);
    assert_eq!(count(u64::MAX, &Cut::AtMost(0)), 16);
    assert_eq!(count(u64::MAX, &Cut::AtMost(1)), 8);
    assert_eq!(count(u64::MAX, &Cut::One), 1);
    let rings = Subdivisions::rings(&[8], 0, 8 * 4 * MIB * 4, &Cut::Automatic).unwrap();
    assert_eq!(rings.offsets, [0, -2, 4, -6]);
}

#[test]
fn every_ring_has_every_rank_once_also_in_uneven_tasks() {
    for tasks in [vec![1], vec![2, 3], vec![5, 1, 4]] {
        let size = tasks.iter().sum::<usize>();
        for rank in 0..size {
            let cut = Cut::Offsets((-9..=9).chain([i64::MIN, i64::MAX]).collect());
            let rings = Subdivisions::rings(&tasks, rank, 0, &cut).unwrap();
            for (ring, at) in rings.permutations.iter().zip(&rings.ranks) {
                assert_eq!(ring[at.unwrap()], rank);
                let mut sorted = ring.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..size));
            }
        }
    }
}

#[test]
fn trees_of_four_tasks_with_source_nine() {
    let trees = Subdivisions::trees(&[8; 4], 9, 9).unwrap();
    assert_eq!(trees.permutations[0], [0, 9, 16, 24]);
    assert_eq!(trees.permutations[2], [8, 9, 10, 11, 12, 13, 14, 15]);
    assert_eq!(trees.ranks, [Some(1), None, Some(1), None, None]);
    assert_eq!(trees.sources, [1, 0, 1, 0, 0]);
    let other = Subdivisions::trees(&[8; 4], 16, 9).unwrap();
    assert_eq!(other.ranks, [Some(2), None, None, Some(0), None]);
    let one = Subdivisions::trees(&[3], 2, 1).unwrap();
    assert_eq!((one.permutations, one.sources), (vec![vec![0, 1, 2]], vec![1]));
    let uneven = Subdivisions::trees(&[1, 3], 2, 3).unwrap();
    assert_eq!(uneven.permutations, [vec![0, 3], vec![0], vec![1, 2, 3]]);
    assert_eq!(uneven.sources, [1, 0, 2]);
}

#[test]
fn ranks_and_sources_that_do_not_exist_are_refused() {
    assert!(Subdivisions::rings(&[], 0, 0, &Cut::One).is_err());
    assert!(Subdivisions::rings(&[2, 0], 0, 0, &Cut::One).is_err());
    assert!(Subdivisions::rings(&[2], 2, 0, &Cut::One).is_err());
    assert!(Subdivisions::rings(&[2], 0, 0, &Cut::Offsets(Vec::new())).is_err());
    assert!(Subdivisions::trees(&[2, 2], 0, 4).is_err());
}
