use super::*;
use ringwood_base::Shape;

#[test]
fn a_view_is_written_where_its_steps_say() {
    let mut elements = [0; 6];
    let (_, odd) = StridedShape::dense(Shape::new(&[2, 3]).unwrap()).slice(1, 0..3, 2).unwrap();
    let mut view = ViewMut::<_, 2>::new(&mut elements, odd).unwrap();
    view[[1, 1]] = 5;
    view[[0, 1]] += 2;
    assert_eq!((view[[1, 1]], view.extent(1)), (5, 2));
    assert_eq!(elements, [0, 0, 2, 0, 0, 5]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let shape = StridedShape::dense(Shape::new(&[2, 3]).unwrap());
    assert!(View::<_, 2>::new(&[0; 5], shape).unwrap_err().to_string().contains("too few"));
    assert!(View::<_, 1>::new(&[0; 6], shape).unwrap_err().to_string().contains("rank 1"));
    assert_eq!(View::<_, 0>::new(&[7], StridedShape::dense(Shape::scalar())).unwrap()[[]], 7);
}

#[test]
#[should_panic = "index [0, 3] is outside of a view of extents [2, 3]"]
fn an_index_outside_of_its_extent_panics_even_where_there_is_memory() {
    let shape = StridedShape::dense(Shape::new(&[2, 3]).unwrap());
    let _ = View::<_, 2>::new(&[0; 6], shape).unwrap()[[0, 3]];
}
