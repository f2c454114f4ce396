//! Models as an exporter writes them, weights in a file beside: near what ONNX Runtime makes of them, and the
//! same bits however they are run.
//!
//! The outputs are those of ONNX Runtime for the inputs, as `scripts/real_models.py` writes them.

mod support;

use ringwood_backend_cpu as _;
use ringwood_backend_opencl as _;
use ringwood_base::Result;
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Model, Planner};
use ringwood_kernels as _;
use ringwood_models::onnx;
use std::path::Path;
use support::{device, elements, given, named, tensors};

fn outputs(name: &str, planner: Planner) -> Result<Vec<Tensor>> {
    let folder = Path::new("tests/data").join(name);
    let graph = onnx::load(folder.join(format!("{name}.onnx")))?;
    let inputs = given(&graph, &tensors(&folder, "input")?, &Device::named("cpu:0")?)?;
    Model::with_planner(graph, planner).run(&named(&inputs))
}

fn bits(outputs: &[Tensor]) -> Vec<Vec<u8>> {
    outputs.iter().map(|output| output.to_bytes().unwrap()).collect()
}

fn holds(name: &str) {
    let cpu = [Device::named("cpu:0").unwrap()];
    let got = outputs(name, Planner::new(&cpu)).unwrap();
    let expected = tensors(&Path::new("tests/data").join(name), "output").unwrap();
    assert_eq!(got.len(), expected.len());
    for (got, want) in got.iter().zip(&expected) {
        let (got, want) = elements(got, want).unwrap();
        let scale = want.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        let worst = got.iter().zip(&want).map(|(got, want)| (got - want).abs()).fold(0.0, f64::max);
        assert!(worst <= 1e-5 * scale, "{name}: {worst} of {scale}");
    }
    let same = |planner| assert_eq!(bits(&outputs(name, planner).unwrap()), bits(&got), "{name}");
    same(Planner::new(&cpu).fuse(false));
    same(Planner::new(&cpu).share_storage(false));
    if let Some(opencl) = device("opencl") {
        same(Planner::new(&[opencl]));
    }
}

#[test]
fn an_encoder_of_text_is_that_of_onnx_runtime() {
    holds("bert-2-layers");
}

#[test]
fn a_decoder_of_text_is_that_of_onnx_runtime() {
    holds("gpt2-2-layers");
}

#[test]
fn an_encoder_of_sound_is_that_of_onnx_runtime() {
    holds("whisper-encoder-2-layers");
}
