//! Runs a kernel of its own and one of the same name from a dependency.

use ringwood_backend_cpu as _;
use ringwood_base::registry::Registry;
use ringwood_device::device::Device;
use ringwood_device::kernel;
use ringwood_device::kernel::KernelDef;

#[kernel(map, device = cpu)]
fn softmax(x: f32) -> f32 {
    x * 10.0
}

fn main() -> ringwood_base::Result<()> {
    let device = Device::best()?;
    let x = device.tensor(&[1.0_f32, 2.0])?;
    println!("{:?}", softmax::launch(&x)?.to_vec::<f32>()?);
    println!("{:?}", linking_items::softmax::launch(&x)?.to_vec::<f32>()?);

    let registry = Registry::global()?;
    let file = |name: &str| registry.entry::<KernelDef>(name).map(|entry| entry.meta().full_name());
    println!("{} {}", file("linking_app::softmax")?, file("linking_items::softmax")?);
    println!("{}", file("softmax").unwrap_err());
    Ok(())
}
