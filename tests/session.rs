//! Sessions whose workers have devices: one suite for functions that were discovered and for
//! functions registered by hand.
#![forbid(unsafe_code)]

use ringwood::backend::Registered;
use ringwood::device::{Runtime, Tensor};
use ringwood::registry::{Registry, RegistryBuilder};
use ringwood::session::{HostTensor, Session, SessionBuilder, Value, Worker};
use ringwood::{Result, global_fn};
use ringwood_backend_cpu::Cpu;
use ringwood_backend_null::Null;

/// The rank of a worker and the name of its device.
#[global_fn]
fn place(w: &Worker) -> Result<(usize, String)> {
    Ok((w.rank(), w.device()?.name().to_owned()))
}

/// The number of rows and the sum of all elements.
#[global_fn]
fn measure(rows: Tensor) -> Result<(usize, f32)> {
    Ok((rows.shape()[0], rows.to_vec::<f32>()?.iter().sum()))
}

/// Adds the rank to every element, in place.
#[global_fn]
fn shift(w: &Worker, mut tensor: Tensor) -> Result<Tensor> {
    let shifted: Vec<f32> = tensor.to_vec::<f32>()?.iter().map(|x| x + w.rank() as f32).collect();
    tensor.write(&shifted)?;
    Ok(tensor)
}

/// Whether a tensor lives on the worker's own device.
#[global_fn]
fn is_at_home(w: &Worker, tensor: Tensor) -> Result<bool> {
    Ok(tensor.device() == w.device()?)
}

/// Tensors as they come, off the device.
#[global_fn]
fn double(tensor: HostTensor) -> Result<HostTensor> {
    let doubled: Vec<f32> = tensor.to_vec::<f32>()?.iter().map(|x| x * 2.0).collect();
    HostTensor::new(&tensor.shape(), &doubled)
}

fn by_hand() -> Registry {
    let entries = [
        place::ENTRY,
        measure::ENTRY,
        shift::ENTRY,
        is_at_home::ENTRY,
        double::ENTRY,
        Cpu::ENTRY,
        Null::ENTRY,
    ];
    let builder = Registry::builder();
    entries.into_iter().fold(builder, RegistryBuilder::register).build().unwrap()
}

/// Runs a test with discovered functions and with functions registered by hand.
fn both_ways(test: impl Fn(SessionBuilder)) {
    test(Session::builder().workers(3));
    test(Session::builder().workers(3).runtime(&Runtime::new(by_hand())));
}

fn rows(n: usize) -> HostTensor {
    let elements: Vec<f32> = (0..2 * n).map(|i| i as f32).collect();
    HostTensor::new(&[n, 2], &elements).unwrap()
}

#[test]
fn every_worker_has_a_device_and_named_ones_are_dealt_out_in_turn() {
    both_ways(|builder| {
        let session = builder.clone().start().unwrap();
        let places = place::call(&session).unwrap().gather().unwrap();
        assert_eq!(places, [0, 1, 2].map(|rank| (rank, "cpu:0".to_owned())));
        let session = builder.devices(["cpu:0", "null:0"]).start().unwrap();
        let places = place::call(&session).unwrap().gather().unwrap();
        assert_eq!(places[1].1, "null:0");
        assert_eq!(places[2].1, "cpu:0");
    });
}

#[test]
fn a_broadcast_tensor_is_on_every_workers_own_device() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let tensor = session.broadcast(&rows(2)).unwrap();
        assert_eq!(measure::call(&session, &tensor).unwrap().gather().unwrap(), [(2, 6.0); 3]);
        assert_eq!(is_at_home::call(&session, &tensor).unwrap().gather().unwrap(), [true; 3]);
    });
}

#[test]
fn scattered_rows_keep_their_order_and_come_back_whole() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let parts = session.scatter(&rows(7)).unwrap();
        let sizes = measure::call(&session, &parts).unwrap().gather().unwrap();
        assert_eq!(sizes.iter().map(|(rows, _)| *rows).collect::<Vec<_>>(), [3, 2, 2]);
        assert_eq!(session.gather(&parts).unwrap(), rows(7));
    });
}

#[test]
fn a_tensor_that_was_fetched_does_not_change_with_the_worker() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let tensor = session.broadcast(&rows(1)).unwrap();
        let before = tensor.get(2).unwrap();
        shift::call(&session, &tensor).unwrap().wait().unwrap();
        assert_eq!(before.to_vec::<f32>().unwrap(), [0.0, 1.0]);
        assert_eq!(tensor.get(2).unwrap().to_vec::<f32>().unwrap(), [2.0, 3.0]);
    });
}

#[test]
fn a_host_tensor_is_an_argument_and_a_result() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let doubled = double::call(&session, rows(1)).unwrap();
        assert_eq!(doubled.get(0).unwrap().to_vec::<f32>().unwrap(), [0.0, 2.0]);
        assert_eq!(measure::call(&session, &rows(1)).unwrap().get(1).unwrap(), (1, 1.0));
        let sums = session.call("measure", (&doubled,)).unwrap();
        assert_eq!(sums.typed::<(usize, f32)>().get(0).unwrap(), (1, 2.0));
    });
}

#[test]
fn a_tensor_of_the_controller_is_not_an_argument() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let tensor = session.broadcast(&rows(1)).unwrap().get(0).unwrap();
        let error = measure::call(&session, tensor).unwrap_err().to_string();
        assert!(error.contains("put it on the workers with `broadcast` or `scatter`"), "{error}");
    });
}

#[test]
fn parts_that_do_not_fit_together_are_not_gathered() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let parts = session.scatter(&rows(3)).unwrap();
        let other = HostTensor::new(&[1, 3], &[0.0_f32; 3]).unwrap();
        session.debug_set(&parts.typed(), 1, Value::Host(other)).unwrap();
        let error = session.gather(&parts).unwrap_err().to_string();
        assert!(error.contains("cannot join the rows of"), "{error}");
    });
}

#[test]
fn empty_tensors_travel() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let empty = HostTensor::new::<f32>(&[3, 0], &[]).unwrap();
        assert_eq!(session.gather(&session.scatter(&empty).unwrap()).unwrap(), empty);
    });
}
