//! Models on the workers that the caller names.

use bytes::Bytes;
use ringwood_backend_cpu as _;
use ringwood_base::registry::{Registry, RegistryBuilder};
use ringwood_base::{DType, ErrorKind, Result};
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Graph, TensorType};
use ringwood_kernels as _;
use ringwood_session::{HostTensor, Session, entries, global_fn};

/// `x · w`, of any number of rows.
fn product() -> Result<Graph> {
    let mut graph = Graph::new();
    let x = graph.open_input("x", DType::F32, &["rows".into(), 2.into()])?;
    let bytes: Vec<_> = [1.0_f32, 10.0].into_iter().flat_map(f32::to_ne_bytes).collect();
    let w = graph.weight("w", DType::F32, &[2, 1], Bytes::from(bytes))?;
    let y = graph.apply("matmul", &[x, w])?;
    graph.output("y", y)?;
    Ok(graph)
}

#[test]
fn each_worker_runs_on_what_it_holds() {
    let session = Session::threads(3).unwrap();
    let model = session.model(&product().unwrap(), &[0, 1, 2]).unwrap();
    let rows = HostTensor::new(&[4, 2], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).unwrap();
    model.set("x", session.scatter(&rows).unwrap()).unwrap();
    model.run().unwrap();
    let y = model.fetch("y").unwrap().gather().unwrap();
    let y: Vec<_> = y.iter().map(|y| y.to_vec::<f32>().unwrap()).collect();
    assert_eq!(y, [vec![21.0, 43.0], vec![65.0], vec![87.0]]);
}

#[test]
fn a_failure_is_an_answer_and_leaves_the_model_usable() {
    let session = Session::threads(2).unwrap();
    assert!(session.model(&product().unwrap(), &[2]).is_err());
    let model = session.model(&product().unwrap(), &[1]).unwrap();
    let kind = |result: Result<HostTensor>| result.unwrap_err().kind();
    assert_eq!(kind(model.fetch("y").unwrap().get(1)), ErrorKind::NotFound);
    assert!(model.set("z", &HostTensor::new(&[1], &[1.0_f32]).unwrap()).unwrap().wait().is_err());
    model.set("x", &HostTensor::new(&[1, 3], &[1.0_f32; 3]).unwrap()).unwrap();
    assert_eq!(model.run().unwrap().wait().unwrap_err().kind(), ErrorKind::Shape);
    model.set("x", &HostTensor::new(&[1, 2], &[1.0_f32; 2]).unwrap()).unwrap();
    model.run().unwrap();
    assert!(model.fetch("z").unwrap().get(1).is_err());
    assert_eq!(model.fetch("y").unwrap().get(1).unwrap().to_vec::<f32>().unwrap(), [11.0]);
    assert_eq!(kind(model.fetch("y").unwrap().get(0)), ErrorKind::InvalidArgument);
}

#[test]
fn a_worker_without_the_model_or_the_tensor_says_so() {
    let session = Session::threads(2).unwrap();
    let [one, none] = [&[1][..], &[]].map(|workers| session.model(&product().unwrap(), workers));
    let (one, none) = (one.unwrap(), none.unwrap());
    one.set("x", &HostTensor::new(&[1, 2], &[1.0_f32; 2]).unwrap()).unwrap();
    one.run().unwrap();
    let tensor = session.copy_to_worker(1, &HostTensor::new(&[1], &[1_i32]).unwrap()).unwrap();
    let results = [
        one.fetch("y").unwrap().get(0),
        none.fetch("y").unwrap().gather().map(|mut all| all.remove(0)),
        tensor.typed::<HostTensor>().get(0),
    ];
    for result in results {
        let error = result.unwrap_err().to_string();
        let text = "worker 0 of 2 does not have what is asked for: expected tensor, got none";
        assert!(error.starts_with(text), "{error}");
    }
    session.sync().unwrap();
}

#[test]
fn a_model_does_not_run_on_an_input_whose_value_has_failed() {
    let session = Session::threads(2).unwrap();
    let model = session.model(&product().unwrap(), &[0, 1]).unwrap();
    model.set("x", &HostTensor::new(&[1, 2], &[1.0_f32; 2]).unwrap()).unwrap();
    model.run().unwrap().wait().unwrap();
    let failed = model.fetch("z").unwrap().typed::<Tensor>();
    model.set("x", &failed).unwrap();
    let error = model.run().unwrap().wait().unwrap_err().to_string();
    assert!(error.contains("no value for input `x`"), "{error}");
    assert!(model.fetch("y").unwrap().get(1).is_err());
}

#[global_fn]
fn panics() {
    panic!("on purpose");
}

#[test]
fn a_session_that_was_started_again_has_no_models_of_before() {
    let session = Session::threads(2).unwrap();
    let model = session.model(&product().unwrap(), &[0, 1]).unwrap();
    assert!(panics::call(&session).unwrap().wait().is_err());
    session.recover().unwrap();
    let x = HostTensor::new(&[1, 2], &[1.0_f32; 2]).unwrap();
    let errors = [model.set("x", &x).err(), model.run().err(), model.fetch("y").err()];
    for error in errors.map(|error| error.unwrap().to_string()) {
        assert!(error.contains("its session was started again"), "{error}");
    }
    drop(model);
    let model = session.model(&product().unwrap(), &[0, 1]).unwrap();
    model.set("x", &x).unwrap();
    model.run().unwrap();
    assert_eq!(model.fetch("y").unwrap().get(1).unwrap().to_vec::<f32>().unwrap(), [11.0]);
}

#[test]
fn a_model_that_was_not_made_answers_why() {
    let registry = Registry::builder()
        .register(entries::threads::ENTRY)
        .register(ringwood_transport::entries::peer_memory::ENTRY);
    let registry = ringwood_session::ENTRIES.into_iter().fold(registry, RegistryBuilder::register);
    // Its workers have no device.
    let builder = Session::builder().workers(1).registry(registry.build().unwrap());
    let session = builder.start().unwrap();
    let model = session.model(&product().unwrap(), &[0]).unwrap();
    let run = model.run().unwrap().wait().unwrap_err().to_string();
    let fetched = model.fetch("y").unwrap().get(0).unwrap_err().to_string();
    for error in [run, fetched] {
        assert!(error.contains("no device runs kernels"), "{error}");
    }
}

#[test]
fn a_graph_that_is_wrong_is_refused_where_it_would_run() {
    let session = Session::threads(1).unwrap();
    let mut graph = product().unwrap();
    let ty = TensorType::new(DType::F32, &[1]).unwrap();
    assert!(graph.set_weight("w", ty, Bytes::from_static(&[0; 4])).is_err());
    let model = session.model(&graph, &[0]).unwrap();
    drop(model);
    assert!(session.sync().is_ok());
}

/// Weights and graphs above what an argument may take otherwise, 1 MiB.
#[test]
#[cfg(target_os = "linux")]
fn large_models_come_to_threads_and_to_processes() {
    let this = "large_models_come_to_threads_and_to_processes";
    let mut graph = Graph::new();
    let mut x = graph.open_input("x", DType::F32, &["n".into(), 1.into()]).unwrap();
    for _ in 0..20_000 {
        x = graph.apply("neg", &[x]).unwrap();
    }
    let bytes: Vec<_> = (0..300_000).flat_map(|i| (i as f32).to_ne_bytes()).collect();
    let w = graph.weight("w", DType::F32, &[1, 300_000], Bytes::from(bytes)).unwrap();
    let y = graph.apply("matmul", &[x, w]).unwrap();
    graph.output("y", y).unwrap();
    assert!(serde_json::to_string(&graph).unwrap().len() > 1 << 20);

    for kind in ["threads", "processes"] {
        let builder = Session::builder().kind(kind).workers(2).output(|_, _, _| ());
        let session = builder.program_arguments([this, "--exact", "--nocapture"]).start().unwrap();
        let model = session.model(&graph, &[1]).unwrap();
        model.set("x", &HostTensor::new(&[1, 1], &[2.0_f32]).unwrap()).unwrap();
        model.run().unwrap();
        let y = model.fetch("y").unwrap().get(1).unwrap().to_vec::<f32>().unwrap();
        assert_eq!(y[299_999], 599_998.0, "{kind}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_tensor_of_a_worker_process_comes_to_the_best_device_of_the_controller() {
    let this = "a_tensor_of_a_worker_process_comes_to_the_best_device_of_the_controller";
    let builder = Session::builder().kind("processes").workers(1).output(|_, _, _| ());
    let session = builder.program_arguments([this, "--exact", "--nocapture"]).start().unwrap();
    let tensor = session.broadcast(&HostTensor::new(&[2], &[1.0_f32, 2.0]).unwrap()).unwrap();
    let back = tensor.get(0).unwrap();
    assert_eq!(*back.device(), Device::best().unwrap());
    assert_eq!(back.to_vec::<f32>().unwrap(), [1.0, 2.0]);
    // And from there to the worker.
    let other = HostTensor::new(&[2], &[3.0_f32, 4.0]).unwrap();
    session.debug_set(&tensor, 0, other.to_device(back.device()).unwrap()).unwrap();
    assert_eq!(tensor.get(0).unwrap().to_vec::<f32>().unwrap(), [3.0, 4.0]);
}
