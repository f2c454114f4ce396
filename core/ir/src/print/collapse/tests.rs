use super::*;

#[test]
fn dimensions_merge_only_where_all_arguments_agree() {
    let dense = Collapsed::new(&[2, 3, 4], &[&[12, 4, 1], &[12, 4, 1]]);
    assert_eq!(
        (dense.rank(), dense.extent(0), dense.layout()),
        (1, 24, Layout::Dense { single: 0 })
    );
    let row = Collapsed::new(&[2, 3, 4], &[&[0, 4, 1], &[12, 4, 1]]);
    assert_eq!((row.rank(), row.extent(0), row.extent(1)), (2, 12, 2));
    assert_eq!((row.step(0, 1), row.step(1, 1)), (0, 12));
    let column = Collapsed::new(&[3, 4], &[&[1, 0], &[4, 1]]);
    assert_eq!(column.layout(), Layout::Strided { rank: 2 });
    let skipping = Collapsed::new(&[6], &[&[2], &[1]]);
    assert_eq!(skipping.layout(), Layout::Strided { rank: 1 });
}

#[test]
fn domains_without_dimensions_or_elements_collapse_to_one_dimension() {
    let one = Collapsed::new(&[], &[&[], &[]]);
    assert_eq!((one.elements(), one.layout()), (1, Layout::Dense { single: 0 }));
    let none = Collapsed::new(&[0, 4], &[&[4, 1], &[4, 1]]);
    assert_eq!(none.elements(), 0);
}
