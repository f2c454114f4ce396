// expects: `sqrt` does not exist for `i32`
use ringwood::kernel;

#[kernel(map, device = cpu, T in [f32, i32])]
fn f<T>(x: T) -> T {
    x.sqrt()
}

fn main() {}
