//! Runs a kernel of its own and one of the same name from a dependency.

use ringwood_backend_cpu as _;
use ringwood_base::registry::Registry;
use ringwood_device::device::Device;
use ringwood_device::kernel;
use ringwood_device::kernel::KernelDef;
use ringwood_graph::graph::Graph;
use ringwood_graph::register_operator;

#[kernel(map, device = cpu)]
fn softmax(x: f32) -> f32 {
    x * 10.0
}

register_operator! {
    pub(crate) Own = softmax;
    shape: "... -> ...",
}

register_operator! {
    pub(crate) Other = "other";
    shape: "... -> ...",
    kernels: [linking_items::softmax],
}

fn main() -> ringwood_base::Result<()> {
    let device = Device::best()?;
    let x = device.tensor(&[1.0_f32, 2.0])?;
    println!("{:?}", softmax::launch(&x)?.to_vec::<f32>()?);
    println!("{:?}", linking_items::softmax::launch(&x)?.to_vec::<f32>()?);

    let mut graph = Graph::new();
    let input = graph.input("x", ringwood_base::DType::F32, &[2])?;
    for operator in ["linking_app::softmax", "other"] {
        let value = graph.apply(operator, &[input])?;
        graph.output(operator, value)?;
    }
    for result in graph.plan(std::slice::from_ref(&device))?.run(&[("x", &x)])? {
        println!("{:?}", result.to_vec::<f32>()?);
    }

    let registry = Registry::global()?;
    let file = |name: &str| registry.entry::<KernelDef>(name).map(|entry| entry.meta().full_name());
    println!("{} {}", file("linking_app::softmax")?, file("linking_items::softmax")?);
    println!("{}", file("softmax").unwrap_err());
    Ok(())
}
