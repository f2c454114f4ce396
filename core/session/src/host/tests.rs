use super::*;
use ringwood_base::ErrorKind;

#[test]
fn a_tensor_whose_bytes_do_not_fit_its_shape_is_refused() {
    let error = HostTensor::new(&[2, 2], &[1.0_f32; 3]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Shape);
    assert!(error.to_string().contains("[2, 2] has 4 elements of 4 bytes, got 12"), "{error}");
}

#[test]
fn a_tensor_of_zero_elements_is_legal() {
    let empty = HostTensor::new::<f32>(&[0, 3], &[]).unwrap();
    assert!(empty.to_vec::<f32>().unwrap().is_empty());
    assert_eq!(empty.rows(0..0).unwrap().shape(), empty.shape());
}

#[test]
fn rows_outside_of_the_tensor_are_refused() {
    let tensor = HostTensor::new(&[2, 2], &[1_u8, 2, 3, 4]).unwrap();
    assert_eq!(tensor.rows(1..2).unwrap().to_vec::<u8>().unwrap(), [3, 4]);
    assert!(tensor.rows(1..3).is_err());
    assert!(HostTensor::new(&[], &[1_u8]).unwrap().rows(0..0).is_err());
}
