//! Tensors: elements in, elements out, and everything that does not fit.

use crate::{LIMIT, device, fails, runtime, shape, values};
use ringwood_base::{DType, ErrorKind, Shape};
use ringwood_device::device::{Device, Tensor};

fn both() -> [Device; 2] {
    [device("toy:0"), device("shared:0")]
}

#[test]
fn elements_come_back_as_they_went_in() {
    for device in both() {
        let x = device.tensor(&[1_i64, -2, 3]).unwrap();
        assert_eq!(x.to_vec::<i64>().unwrap(), [1, -2, 3]);
        assert_eq!((x.shape(), x.dtype(), x.bytes()), (Shape::vector(3), DType::I64, 24));
        let m = device.tensor_with(&[1.0_f32, 2.0, 3.0, 4.0], shape(&[2, 2])).unwrap();
        assert_eq!(m.to_bytes().unwrap(), bytemuck::cast_slice::<f32, u8>(&[1.0, 2.0, 3.0, 4.0]));
        let copy = device.tensor_of_bytes(&m.to_bytes().unwrap(), m.shape(), m.dtype()).unwrap();
        assert_eq!(values(&copy), values(&m));
    }
}

#[test]
fn a_byte_that_is_not_0_is_true() {
    for device in both() {
        let mut x = device.tensor(&[true, false, true]).unwrap();
        assert_eq!((x.dtype(), x.to_bytes().unwrap()), (DType::Bool, vec![1, 0, 1]));
        assert_eq!(x.to_vec::<bool>().unwrap(), [true, false, true]);
        x.write_bytes(&[0, 7, 255]).unwrap();
        assert_eq!(x.to_vec::<bool>().unwrap(), [false, true, true]);
        assert_eq!(x.view().slice(0, 1..2, 1).unwrap().to_vec::<bool>().unwrap(), [true]);
        x.write(&[true, false, false]).unwrap();
        assert_eq!(x.to_bytes().unwrap(), [1, 0, 0]);
    }
}

#[test]
fn zeros_are_zero_in_memory_that_was_not() {
    for device in both() {
        assert_eq!(values(&device.zeros(shape(&[3, 2]), DType::F32).unwrap()), [0.0; 6]);
    }
}

#[test]
fn rank_0_is_one_element_and_extent_0_is_none() {
    for device in both() {
        let scalar = device.tensor_with(&[7.5_f64], Shape::scalar()).unwrap();
        assert_eq!((scalar.len(), scalar.item::<f64>().unwrap()), (1, 7.5));
        assert_eq!(device.zeros(Shape::scalar(), DType::F64).unwrap().bytes(), 8);
        let mut none = device.tensor::<f32>(&[]).unwrap();
        assert!(none.is_empty() && none.to_vec::<f32>().unwrap().is_empty());
        none.write::<f32>(&[]).unwrap();
        assert_eq!(none.host_mut(LIMIT, |bytes| bytes.len()).unwrap(), 0);
        assert!(none.duplicate().unwrap().is_empty());
        assert!(device.zeros(shape(&[4, 0]), DType::F32).unwrap().is_empty());
        assert!(none.reshape(shape(&[0, 5])).unwrap().is_empty());
        fails(none.item::<f32>(), "shape [0]");
    }
}

#[test]
fn wrong_types_and_sizes_are_refused() {
    for device in both() {
        let mut x = device.tensor(&[1.0_f32, 2.0]).unwrap();
        assert_eq!(fails(x.to_vec::<i32>(), "are f32, not i32").kind(), ErrorKind::DType);
        assert_eq!(fails(x.write(&[1_i32, 2]), "are f32, not i32").kind(), ErrorKind::DType);
        assert_eq!(fails(x.item::<f32>(), "one element").kind(), ErrorKind::Shape);
        fails(x.write(&[1.0_f32]), "1 elements do not fill shape [2] of 2");
        fails(x.write_bytes(&[0; 7]), "7 bytes are not a whole number of f32");
        fails(device.tensor_with(&[1.0_f32], shape(&[2])), "1 elements do not fill shape [2] of 2");
        fails(x.reshape(shape(&[3])), "has no shape [3]");
        fails(x.rows(1..3), "rows 1..3 are outside of shape [2]");
        #[expect(clippy::reversed_empty_ranges, reason = "the range is wrong on purpose")]
        let reversed = x.rows(2..1);
        fails(reversed, "outside");
        fails(x.reshape(shape(&[1, 2])).unwrap().rows(0..2), "outside of shape [1, 2]");
        fails(Tensor::new(x.buffer().clone(), 4, shape(&[2]), DType::F32), "leave a buffer of 8");
        fails(Tensor::new(x.buffer().clone(), 2, shape(&[1]), DType::F32), "whole number of f32");
        // What counts is where the elements start in memory, not in the part.
        let part = device.buffer(64).unwrap().part(2..42).unwrap();
        let error = fails(Tensor::new(part.clone(), 0, shape(&[4]), DType::F32), "offset 2 is not");
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains("at a multiple of 4 bytes"), "{error}");
        let mut aligned = Tensor::new(part, 2, shape(&[2]), DType::F32).unwrap();
        aligned.write(&[1.0_f32, 2.0]).unwrap();
        assert_eq!(aligned.to_vec::<f32>().unwrap(), [1.0, 2.0]);
        let huge = Shape::vector(isize::MAX as usize);
        assert_eq!(fails(device.empty(huge, DType::F64), "address").kind(), ErrorKind::Shape);
    }
}

#[test]
fn a_clone_is_an_alias_and_a_duplicate_is_not() {
    for device in both() {
        let mut x = device.tensor(&[1_i32, 2, 3, 4]).unwrap();
        let (alias, copy) = (x.clone(), x.duplicate().unwrap());
        let row = x.reshape(shape(&[2, 2])).unwrap().rows(1..2).unwrap();
        x.write(&[5, 6, 7, 8]).unwrap();
        assert_eq!(alias.to_vec::<i32>().unwrap(), [5, 6, 7, 8]);
        assert_eq!(copy.to_vec::<i32>().unwrap(), [1, 2, 3, 4]);
        assert_eq!((row.shape(), row.to_vec::<i32>().unwrap()), (shape(&[1, 2]), vec![7, 8]));
    }
}

#[test]
fn rows_can_be_written_and_copied_in_place() {
    for device in both() {
        let x = device.tensor(&[1.0_f32, 2.0, 3.0, 4.0]).unwrap();
        let mut tail = x.rows(2..4).unwrap();
        tail.write(&[8.0_f32, 9.0]).unwrap();
        assert_eq!(values(&x), [1.0, 2.0, 8.0, 9.0]);
        tail.copy_from(&x.rows(0..2).unwrap()).unwrap();
        assert_eq!(values(&x), [1.0, 2.0, 1.0, 2.0]);
        fails(tail.copy_from(&x.rows(1..3).unwrap()), "overlap");
        fails(tail.copy_from(&x), "cannot copy");
        assert!(x.rows(4..4).unwrap().is_empty());
    }
}

#[test]
fn a_tensor_moves_between_any_two_devices() {
    let devices = runtime().devices().unwrap();
    for from in &devices {
        for to in &devices {
            let x = from.tensor(&[1.0_f32, 2.0, 3.0]).unwrap();
            let mut y = x.to_device(to).unwrap();
            assert_eq!((y.device(), values(&y)), (to, vec![1.0, 2.0, 3.0]));
            y.write(&[9.0_f32; 3]).unwrap();
            let same = from == to;
            assert_eq!(values(&x) == values(&y), same, "only the same device gives an alias");
        }
    }
}

#[test]
fn the_host_edits_elements_in_place_or_through_a_copy() {
    for device in both() {
        let mut x = device.tensor(&[1_u8, 2, 3]).unwrap();
        let sum = x
            .host_mut(LIMIT, |bytes| {
                bytes.reverse();
                bytes.iter().sum::<u8>()
            })
            .unwrap();
        assert_eq!((sum, x.to_vec::<u8>().unwrap()), (6, vec![3, 2, 1]));
        assert_eq!(x.host_ref(LIMIT, <[u8]>::to_vec).unwrap(), [3, 2, 1]);
    }
}

#[test]
fn tensors_and_devices_describe_themselves() {
    let device = device("toy:1");
    let x = device.zeros(shape(&[2, 3]), DType::F32).unwrap();
    assert_eq!(format!("{x:?}"), "Tensor(f32 [2, 3] on toy:1)");
    assert_eq!(format!("{device:?}"), "Device(toy:1, toy 1, 24 bytes in use of 1048576)");
    assert_eq!(format!("{:?}", x.buffer()), "Buffer(pool 0 + 0 on toy:1, 24 bytes)");
}

#[test]
fn a_view_of_more_elements_than_memory_holds_is_an_error_to_read() {
    for device in both() {
        let x = device.tensor(&[1.0_f32]).unwrap();
        let vast = x.view().broadcast(shape(&[1 << 20, 1 << 20])).unwrap();
        let error = fails(vast.to_vec::<f32>(), "no memory for the 1099511627776 elements");
        assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    }
}

#[test]
fn a_view_is_read_in_row_major_order() {
    for device in both() {
        let x = device.tensor_with(&[0, 1, 2, 3, 4, 5_i64], shape(&[2, 3])).unwrap();
        let turned = x.view().permute(&[1, 0]).unwrap();
        assert_eq!(turned.to_vec::<i64>().unwrap(), [0, 3, 1, 4, 2, 5]);
        let every = x.view().slice(1, 0..3, 2).unwrap();
        assert_eq!(every.to_vec::<i64>().unwrap(), [0, 2, 3, 5]);
        let corner = x.view().select(0, 1).unwrap().select(0, 2).unwrap();
        assert_eq!(corner.to_vec::<i64>().unwrap(), [5]);
        let twice = corner.broadcast(shape(&[2, 1])).unwrap();
        assert_eq!(twice.to_vec::<i64>().unwrap(), [5, 5]);
        let none = x.view().slice(1, 1..1, 1).unwrap();
        assert!(none.to_vec::<i64>().unwrap().is_empty());
    }
}
