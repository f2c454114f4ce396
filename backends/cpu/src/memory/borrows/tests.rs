use super::*;
use crate::memory::{Budget, Memory};
use ringwood_base::ErrorKind;
use ringwood_device::backend::Region;
use std::ops::Range;

fn memory(bytes: usize) -> Memory {
    Memory::new(bytes, &Arc::new(Budget::new(None))).unwrap()
}

fn span(memory: &Memory, range: Range<usize>) -> Span {
    let region = Region { memory, offset: range.start, bytes: range.len() };
    Span::new(region, "the region").unwrap()
}

/// What `disjoint` makes of spans of one memory.
fn cut(spans: &[(Range<usize>, bool)]) -> Vec<(Range<usize>, bool)> {
    let memory = memory(64);
    let spans: Vec<_> =
        spans.iter().map(|(r, written)| (span(&memory, r.clone()), *written)).collect();
    let cut = disjoint(spans.iter().map(|(span, written)| (span, *written)));
    cut.into_iter().map(|(span, written)| (span.range, written)).collect()
}

#[test]
fn what_is_read_and_written_is_written() {
    assert_eq!(cut(&[(0..16, false), (0..16, true), (0..16, false)]), [(0..16, true)]);
    let expected = [(0..8, false), (8..16, true), (16..32, false)];
    assert_eq!(cut(&[(0..32, false), (8..16, true)]), expected);
}

#[test]
fn neighbours_of_one_kind_are_one_span() {
    assert_eq!(cut(&[(8..16, false), (0..8, false), (4..12, false)]), [(0..16, false)]);
    assert_eq!(cut(&[(0..8, true), (16..24, true), (3..3, true)]), [(0..8, true), (16..24, true)]);
    assert_eq!(cut(&[(0..8, true), (8..16, false)]), [(0..8, true), (8..16, false)]);
}

#[test]
fn each_byte_is_covered_as_by_the_spans() {
    let mut seed = 1_u32;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    for _ in 0..500 {
        let spans: Vec<_> = (0..random(6))
            .map(|_| {
                let from = random(60);
                (from..from + random(64 - from), random(2) == 1)
            })
            .collect();
        let cut = cut(&spans);
        for byte in 0..64 {
            let of = |spans: &[(Range<usize>, bool)]| -> Vec<bool> {
                spans.iter().filter(|(r, _)| r.contains(&byte)).map(|(_, w)| *w).collect()
            };
            let (covers, found) = (of(&spans), of(&cut));
            let written = covers.contains(&true);
            let expected = if covers.is_empty() { vec![] } else { vec![written] };
            assert_eq!(found, expected, "byte {byte} of {spans:?}");
        }
    }
}

#[test]
fn a_refused_borrow_ends_those_before_it() {
    let (free, busy) = (memory(16), memory(16));
    let other = span(&busy, 0..16);
    let one = |span: &Span, written| Borrows::of([(span, written)].into_iter()).is_ok();
    let reading = Borrows::of([(&other, false)].into_iter()).unwrap();
    let spans = [(span(&free, 0..16), true), (span(&busy, 8..16), true)];
    let borrow = || Borrows::of(spans.iter().map(|(span, written)| (span, *written)));
    let refused = borrow().err().unwrap();
    assert_eq!(refused.kind(), ErrorKind::Aborted);
    drop(reading);
    let borrowed = borrow().unwrap();
    assert!(!one(&span(&free, 0..8), false) && !one(&other, false));
    drop(borrowed);
    assert!(one(&span(&free, 0..8), true) && one(&other, true));
}
