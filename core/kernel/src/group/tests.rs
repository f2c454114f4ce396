use super::*;

#[test]
fn a_tree_combines_halves_whatever_the_rows() {
    fn order<const COLUMNS: usize, const ROWS: usize>(
        mut lanes: [[&'static str; COLUMNS]; ROWS],
    ) -> String {
        let seen = std::cell::RefCell::new(Vec::new());
        tree(&mut lanes, |a, b| {
            seen.borrow_mut().push(format!("{a}+{b}"));
            a
        });
        seen.into_inner().join(" ")
    }
    assert_eq!(order([["a", "b", "c", "d"]]), "a+c b+d a+b");
    assert_eq!(order([["a", "b"], ["c", "d"]]), "a+c b+d a+b");
    assert_eq!(order([["a"], ["b"], ["c"], ["d"]]), "a+c b+d a+b");
}

#[test]
fn an_array_is_safe_to_use_wrongly_when_checked() {
    let (array, fault) = (Array::<f32, 6>::new(), Fault::default());
    let at = |index| position::<true, 2>(&fault, index, [2, 3], 7);
    array.checked::<true>().store(at([1, 2]), 5.0);
    assert_eq!(array.checked::<true>().load(at([1, 2])), 5.0);
    assert_eq!(fault.get(), None);
    array.checked::<true>().store(at([0, 3]), 9.0);
    assert_eq!(array.checked::<true>().load(at([2, 0])), 0.0);
    assert_eq!(fault.get(), Some((7, 3, 3)));
    assert_eq!(array.checked::<true>().load(3), 0.0);
    assert_eq!(of_lane::<true, 8>(at([5, 0]), 3), OUTSIDE);
    assert_eq!(of_lane::<true, 8>(at([1, 0]), 3), 27);
}
