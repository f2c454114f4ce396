// expects: a `map` kernel has no sources for devices
use ringwood::kernel;

#[kernel(map, device = cpu, opencl = "float twice(float x) { return 2 * x; }")]
fn twice(x: f32) -> f32 {
    2.0 * x
}

fn main() {}
