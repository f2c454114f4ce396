use super::*;

#[test]
fn a_shape_that_cannot_exist_is_refused() {
    assert!(Shape::new(&[1; MAX_RANK + 1]).unwrap_err().to_string().contains("rank 9"));
    assert!(Shape::new(&[usize::MAX, 2]).is_err());
    assert!(Shape::new(&[usize::MAX]).is_err());
    assert!(Shape::new(&[MAX_ELEMENTS]).is_ok());
    assert!(Shape::new(&[MAX_ELEMENTS + 1]).is_err());
    let no_elements_but_strides_that_overflow = [0, usize::MAX, usize::MAX];
    assert!(Shape::new(&no_elements_but_strides_that_overflow).is_err());
}

#[test]
fn broadcasting_aligns_at_the_last_dimension() {
    let shape = |dims: &[usize]| Shape::new(dims).unwrap();
    assert_eq!(shape(&[4, 1, 3]).broadcast(&shape(&[5, 1])).unwrap(), shape(&[4, 5, 3]));
    assert_eq!(shape(&[2]).broadcast(&Shape::scalar()).unwrap(), shape(&[2]));
    assert_eq!(shape(&[0, 3]).broadcast(&shape(&[1, 3])).unwrap(), shape(&[0, 3]));
    let error = shape(&[2, 3]).broadcast(&shape(&[2, 4])).unwrap_err();
    assert!(error.to_string().contains("[2, 3] and [2, 4]"), "{error}");
}
