use super::*;

#[test]
fn a_group_kernel_has_its_groups_unless_they_are_too_many() {
    assert_eq!(exactly([3, 2, 1], [8, 4, 1]), Some(([24, 8, 1], [8, 4, 1])));
    assert_eq!(exactly([usize::MAX / 4, 1, 1], [8, 1, 1]), None);
    assert_eq!(exactly([1 << 40, 1 << 30, 1], [1, 1, 1]), None);
    let most = u32::MAX as usize;
    assert_eq!(exactly([most, 1, 1], [64, 1, 1]), Some(([most * 64, 1, 1], [64, 1, 1])));
    assert_eq!(exactly([1 << 16, 1 << 16, 1], [64, 1, 1]), None);
}

#[test]
fn work_items_are_whole_groups_and_bounded() {
    assert_eq!(work([1, 1, 1], 64, 128), ([64, 1, 1], [64, 1, 1]));
    assert_eq!(work([65, 1, 1], 64, 128), ([128, 1, 1], [64, 1, 1]));
    assert_eq!(work([65, 3, 5], 64, 128), ([128, 3, 5], [64, 1, 1]));
    assert_eq!(work([1 << 20, 9, 9], 64, 128), ([8192, 1, 1], [64, 1, 1]));
}
