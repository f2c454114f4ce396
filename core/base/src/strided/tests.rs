use super::*;

fn dense(dims: &[usize]) -> StridedShape {
    StridedShape::dense(Shape::new(dims).unwrap())
}

#[test]
fn views_of_views_reach_the_elements_that_they_name() {
    let (first, part) = dense(&[5, 8]).slice(1, 1..8, 3).unwrap();
    let (second, part) = part.slice(0, 2..5, 2).unwrap();
    assert_eq!((first, second, &*part.shape(), part.strides()), (1, 16, &[2, 3][..], &[16, 3][..]));
    let (third, column) = part.select(1, 2).unwrap();
    assert_eq!((third, &*column.shape(), column.strides()), (6, &[2][..], &[16][..]));
    assert_eq!((part.reach(), column.reach()), (16 + 6 + 1, 17));
    let empty = dense(&[5, 8]).slice(0, 5..5, 1).unwrap();
    assert_eq!((empty.0, empty.1.reach()), (0, 0));
}

#[test]
fn what_is_dense_and_what_repeats_is_told_from_steps() {
    let square = dense(&[3, 1, 4]);
    assert!(square.is_dense() && square.is_injective());
    let turned = square.permute(&[2, 0, 1]).unwrap();
    assert!(!turned.is_dense() && turned.is_injective());
    let rows = dense(&[4]).broadcast(Shape::new(&[2, 4]).unwrap()).unwrap();
    assert!(!rows.is_dense() && !rows.is_injective());
    let overlapping = StridedShape::new(Shape::new(&[3, 3]).unwrap(), &[2, 1]).unwrap();
    assert!(!overlapping.is_injective());
    assert!(dense(&[0, 4]).broadcast(Shape::new(&[3, 0, 4]).unwrap()).unwrap().is_injective());
    assert!(StridedShape::dense(Shape::scalar()).is_dense());
}

#[test]
fn what_leaves_the_shape_is_refused() {
    let shape = dense(&[2, 3]);
    assert!(shape.permute(&[0, 0]).unwrap_err().to_string().contains("each dimension once"));
    assert!(shape.slice(2, 0..1, 1).is_err() && shape.slice(1, 0..4, 1).is_err());
    assert!(shape.slice(1, 0..3, 0).is_err() && shape.select(0, 2).is_err());
    let text = |error: Error| error.to_string();
    let dimension = text(shape.slice(5, 0..1, 1).unwrap_err());
    assert!(dimension.contains("no dimension 5 in [2, 3]"), "{dimension}");
    let step = text(shape.slice(1, 0..3, 0).unwrap_err());
    assert!(step.contains("no steps of 0"), "{step}");
    let index = text(shape.select(1, 4).unwrap_err());
    assert!(index.contains("no index 4 along dimension 1 of [2, 3]"), "{index}");
    assert!(shape.select(0, usize::MAX).is_err());
    assert!(shape.broadcast(Shape::vector(3)).is_err());
    let far = StridedShape::new(Shape::new(&[2, 2]).unwrap(), &[usize::MAX, 1]);
    assert!(far.unwrap_err().to_string().contains("further than memory"));
    assert!(StridedShape::new(Shape::vector(2), &[1, 1]).is_err());
}

/// The element at each index, in row-major order.
fn elements(of: &StridedShape) -> Vec<usize> {
    let mut elements = vec![0];
    for (extent, step) in of.extents().iter().zip(of.strides()) {
        let along = |first: &usize| (0..*extent).map(|i| first + i * step).collect::<Vec<_>>();
        elements = elements.iter().flat_map(along).collect();
    }
    elements
}

#[test]
fn another_shape_keeps_the_order_of_the_elements() {
    let whole = dense(&[4, 1, 6]);
    let layouts = [
        whole,
        whole.permute(&[2, 1, 0]).unwrap(),
        whole.slice(2, 0..6, 3).unwrap().1,
        whole.slice(0, 1..4, 2).unwrap().1,
        dense(&[1, 6]).broadcast(Shape::new(&[4, 6]).unwrap()).unwrap(),
        dense(&[0, 3]),
    ];
    let shapes = [&[24][..], &[4, 6], &[2, 2, 3, 2], &[3, 2, 4], &[1, 8, 1], &[12], &[6, 2], &[0]];
    let mut found = 0;
    for layout in layouts {
        for shape in shapes.map(|dims| Shape::new(dims).unwrap()) {
            if let Some(other) = layout.reshape(shape) {
                assert_eq!(other.shape(), shape, "{layout:?}");
                assert_eq!(elements(&other), elements(&layout), "{layout:?} as {shape}");
                found += 1;
            }
        }
    }
    assert_eq!(found, 9);
}

#[test]
fn a_permutation_names_each_number_once() {
    assert!(is_permutation(&[], 0) && is_permutation(&[2, 0, 1], 3));
    for wrong in [&[][..], &[0, 1], &[0, 1, 1], &[0, 1, 3], &[0, 1, 2, 2]] {
        assert!(!is_permutation(wrong, 3), "{wrong:?}");
    }
}
