use super::*;

#[test]
fn a_region_that_ends_beyond_the_address_space_is_outside() {
    let region = Region { memory: &(), offset: 8, bytes: usize::MAX };
    assert!(region.check_within(usize::MAX, "x").is_err());
    let empty = Region { memory: &(), offset: 8, bytes: 0 };
    empty.check_within(8, "x").unwrap();
    empty.check_copy(empty).unwrap();
}

#[test]
fn memories_of_their_own_never_overlap() {
    let (a, b) = (1_u8, 1_u8);
    let region = |memory| Region { memory, offset: 0, bytes: 1 };
    region(&a).check_copy(region(&b)).unwrap();
    assert!(region(&a).check_copy(region(&a)).is_err());
    assert!(region(&a).check_copy(Region { bytes: 2, ..region(&b) }).is_err());
    assert!(region(&a).check_write(2).is_err());
    region(&a).check_write(1).unwrap();
}
