use super::*;
use ringwood_base::DType;

fn counts() -> impl Iterator<Item = usize> {
    let near = |n: usize| [n.saturating_sub(1), n, n + 1];
    (0..200).chain(near(1024)).chain(near(1 << 20)).chain([7919, 104_729, usize::MAX / 8])
}

#[test]
fn chunks_are_monotone_and_cover_every_element_once() {
    for elements in counts() {
        for chunks in (1..=17).chain([64, 127, 1024]) {
            for &dtype in DType::ALL {
                let cut = Partition::new(elements, dtype.size(), chunks);
                let mut end = 0;
                for i in 0..chunks {
                    let range = cut.elements(i..i + 1);
                    assert_eq!(range.start, end, "{elements} in {chunks}");
                    assert!(range.len() <= cut.elements(0..1).len());
                    end = range.end;
                }
                assert_eq!(end, elements);
            }
        }
    }
}

#[test]
fn large_chunks_begin_at_a_cache_line_and_waste_no_unit() {
    let cut = Partition::new(64, 4, 4);
    assert_eq!(cut.elements(3..4), 48..64);
    let cut = Partition::new(1001, 8, 3);
    for i in 0..3 {
        assert_eq!(cut.elements(i..i + 1).start * 8 % CACHE_LINE, 0);
    }
}

#[test]
fn the_tail_is_short_and_chunks_after_it_are_empty() {
    let cut = Partition::new(10, 4, 4);
    assert_eq!([cut.elements(0..1), cut.elements(3..4)], [0..3, 9..10]);
    assert_eq!(Partition::new(2, 4, 4).elements(3..4), 2..2);
}
