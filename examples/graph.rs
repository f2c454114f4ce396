//! A graph, its gradient and its plan: `cargo run --release --example graph`.

use ringwood::prelude::*;

fn main() -> ringwood::Result<()> {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, &[2, 3])?;
    let w = graph.parameter("w", DType::F32, &[3, 2])?;
    let y = graph.apply("matmul", &[x, w])?;
    let y = graph.apply("relu", &[y])?;
    let loss = graph.apply("mean_all", &[y])?;
    let gradient = graph.gradient(loss, &[w])?[0];
    graph.output("loss", loss)?;
    graph.output("gradient", gradient)?;
    print!("{graph}");

    let device = Device::named("cpu:0")?;
    let mut plan = graph.plan(std::slice::from_ref(&device))?;
    print!("{plan}");

    let x = device.tensor_with(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0], Shape::new(&[2, 3])?)?;
    let w = device.tensor_with(&[1.0_f32, -1.0, 1.0, -1.0, 1.0, -1.0], Shape::new(&[3, 2])?)?;
    let outputs = plan.run(&[("x", &x), ("w", &w)])?;
    println!("loss     {}", outputs[0].item::<f32>()?); // (6 + 15) / 4
    println!("gradient {:?}", outputs[1].to_vec::<f32>()?);
    Ok(())
}
