// expects: unknown key `devcie`
use ringwood::kernel;

#[kernel(map, devcie = cpu, device = cpu)]
fn f(x: f32) -> f32 {
    x
}

fn main() {}
