//! A model that another program wrote, run on a batch of images: `cargo run -- model.onnx`.
//!
//! Without a file it is the network of digits that Ringwood comes with, which leaves the number of images open.

use ringwood::graph::{Graph, Model};
use ringwood::prelude::*;

const DIGITS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/digits.onnx");

/// Handwritten digits, 8 by 8 pixels from 0 to 16.
const IMAGES: [[u8; 64]; 3] = [
    [
        0, 0, 5, 13, 9, 1, 0, 0, 0, 0, 13, 15, 10, 15, 5, 0, 0, 3, 15, 2, 0, 11, 8, 0, 0, 4, 12, 0,
        0, 8, 8, 0, 0, 5, 8, 0, 0, 9, 8, 0, 0, 4, 11, 0, 1, 12, 7, 0, 0, 2, 14, 5, 10, 12, 0, 0, 0,
        0, 6, 13, 10, 0, 0, 0,
    ],
    [
        0, 0, 0, 12, 13, 5, 0, 0, 0, 0, 0, 11, 16, 9, 0, 0, 0, 0, 3, 15, 16, 6, 0, 0, 0, 7, 15, 16,
        16, 2, 0, 0, 0, 0, 1, 16, 16, 3, 0, 0, 0, 0, 1, 16, 16, 6, 0, 0, 0, 0, 1, 16, 16, 6, 0, 0,
        0, 0, 0, 11, 16, 10, 0, 0,
    ],
    [
        0, 0, 0, 4, 15, 12, 0, 0, 0, 0, 3, 16, 15, 14, 0, 0, 0, 0, 8, 13, 8, 16, 0, 0, 0, 0, 1, 6,
        15, 11, 0, 0, 0, 1, 8, 13, 15, 1, 0, 0, 0, 9, 16, 16, 5, 0, 0, 0, 0, 3, 13, 16, 16, 11, 5,
        0, 0, 0, 0, 3, 11, 16, 9, 0,
    ],
];

/// The digits on images, as many as there are.
fn digits(path: &str, images: &[[u8; 64]], devices: &[Device]) -> ringwood::Result<Vec<i32>> {
    // A model is planned when it is run: for these sizes, once.
    let model = Model::new(Graph::load(path)?, devices);
    let pixels: Vec<f32> = images.as_flattened().iter().map(|&p| f32::from(p) / 16.0).collect();
    let pixels = devices[0].tensor_with(&pixels, Shape::new(&[images.len(), 64])?)?;
    let outputs = model.run(&[("pixels", &pixels)])?;
    let digits = model.graph().outputs().iter().position(|output| output.name == "digits");
    outputs[digits.unwrap_or(0)].to_vec()
}

fn main() -> ringwood::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| DIGITS.to_owned());
    println!("{:?}", digits(&path, &IMAGES, &[Device::best()?])?); // [0, 1, 2]
    Ok(())
}

#[test]
fn the_digits_are_read_alone_and_together() -> ringwood::Result<()> {
    let devices = [Device::named("cpu:0")?];
    assert_eq!(digits(DIGITS, &IMAGES, &devices)?, [0, 1, 2]);
    for (digit, image) in IMAGES.iter().enumerate() {
        assert_eq!(digits(DIGITS, &[*image], &devices)?, [digit as i32]);
    }
    Ok(())
}
