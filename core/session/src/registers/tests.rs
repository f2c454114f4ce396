use super::*;

#[test]
fn the_register_freed_last_is_used_first_and_zero_never() {
    let mut registers = Registers::default();
    let [a, b, c] = [(); 3].map(|()| registers.allocate());
    assert_eq!([a, b, c].map(|r| r.0), [1, 2, 3]);
    registers.free(a);
    registers.free(c);
    assert_eq!(registers.live(), 1);
    assert_eq!(registers.allocate(), c);
    assert_eq!(registers.allocate(), a);
    assert_eq!(registers.allocate().0, 4);
}
