//! A run time with `cpu:0` and two devices of a second backend, registered by hand.

use ringwood_backend_cpu::{Cpu, Device as CpuDevice, Memory};
use ringwood_base::registry::{Entry, Registry};
use ringwood_base::{Element, Result, Shape};
use ringwood_conformance::delegate::{Delegate, Delegated};
use ringwood_device::backend::{Backend, Capabilities, Registered};
use ringwood_device::device::{Device, Runtime, Tensor};
use ringwood_device::kernel::KernelDef;
use ringwood_graph::graph::Graph;
use std::sync::OnceLock;

/// A backend with two devices, both of them the processor.
struct Twin(Cpu);

impl Delegate for Twin {
    const NAME: &'static str = "twin";
    type Inner = Cpu;
    type Tag = ();

    fn open() -> Result<Self> {
        Cpu::open().map(Self)
    }

    fn inner(&self) -> &Cpu {
        &self.0
    }

    fn tag(&self, _: &CpuDevice, _: &Memory, _: usize) {}

    fn devices(&self) -> Result<Vec<CpuDevice>> {
        let device = self.0.devices()?.remove(0);
        Ok(vec![device.clone(), device])
    }

    fn capabilities(&self, device: &CpuDevice) -> Capabilities {
        Capabilities { peer_copy: true, ..self.0.capabilities(device) }
    }
}

/// The standard items and both backends. `twin` has every kernel of the processor but `argmax`.
fn registry() -> Registry {
    let mut builder = Registry::builder().register(Cpu::ENTRY).register(Delegated::<Twin>::ENTRY);
    for entry in ringwood_kernels::ENTRIES {
        builder = builder.register(entry.clone());
        if let Some(def) = entry.declared::<KernelDef>()
            && def.meta.name != "argmax"
            && def.devices.contains(&"cpu")
        {
            let (devices, instances): (&[_], _) = (&["twin"], def.instances);
            let twin = KernelDef { devices, instances, ..*def };
            builder = builder.register(Entry::made(entry.meta(), twin));
        }
    }
    builder.build().unwrap()
}

/// A fresh run time.
pub(crate) fn runtime() -> Runtime {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    Runtime::new(REGISTRY.get_or_init(registry).clone())
}

/// `cpu:0` of a fresh run time.
pub(crate) fn cpu() -> Device {
    runtime().device("cpu:0").unwrap()
}

/// An empty graph over the standard operators.
pub(crate) fn graph() -> Graph {
    Graph::with_registry(runtime().registry().clone())
}

/// A tensor of `dims`.
pub(crate) fn tensor<T: Element>(device: &Device, dims: &[usize], elements: &[T]) -> Tensor {
    device.tensor_with(elements, Shape::new(dims).unwrap()).unwrap()
}

/// Numbers from −1 to 1, the same for one seed.
pub(crate) fn random(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// A deterministic permutation-free set of labels in `0..classes`.
pub(crate) fn labels(seed: u64, count: usize, classes: usize) -> Vec<i32> {
    let numbers = random(seed, count).into_iter();
    numbers.map(|x| (((x + 1.0) / 2.0 * classes as f64) as i32).min(classes as i32 - 1)).collect()
}
