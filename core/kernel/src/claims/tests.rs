use super::*;

/// Random uses of one element by four work-items: the claims meet exactly if two of all uses do.
#[test]
fn two_uses_of_an_element_are_enough() {
    let mut state = 11_u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
        (state >> 33) % n
    };
    let mut clashes = 0;
    for _ in 0..2000 {
        let (claims, mut uses) = (Claims::default(), Vec::<(usize, bool)>::new());
        for _ in 0..5 {
            let (item, writes) = (below(4) as usize, below(4) == 0);
            claims.claim((0, 7), item, 0, writes);
            uses.push((item, writes));
            let meet = |a: &(usize, bool)| uses.iter().any(|b| a.0 != b.0 && (a.1 || b.1));
            let expected = uses.iter().any(meet);
            assert_eq!(claims.clash.get().is_some(), expected, "{uses:?}");
            clashes += usize::from(expected);
        }
    }
    assert!(clashes > 1000 && clashes < 9000, "{clashes}");
}

#[test]
fn elements_and_parameters_are_apart() {
    let claims = Claims::default();
    [(0, 1), (0, 2), (1, 1)]
        .into_iter()
        .zip(0..)
        .for_each(|(at, item)| claims.claim(at, item, 0, true));
    assert!(claims.clash.get().is_none());
}

#[test]
fn a_place_has_an_index_for_each_dimension() {
    assert_eq!(place(5, Shape::vector(9)), "5");
    assert_eq!(place(23, Shape::new(&[2, 3, 4]).unwrap()), "(1, 2, 3)");
}
