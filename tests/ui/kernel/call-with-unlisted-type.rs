// expects: kernel `plus` has no instance for the arguments (u8, u8)
use ringwood::kernel;

#[kernel(map, device = cpu, T in [f32, f64])]
fn plus<T>(a: T, b: T) -> T {
    a + b
}

fn main() {
    plus(1_u8, 2_u8);
}
