// expects: type mismatch in `*`
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32], n: i32) {
    let i = gid(0);
    y[i] = x[n] * 2;
    y[i] = x[i].squrt();
    x[i] = 1.0;
}

fn call_sites_stay_quiet(x: &ringwood::device::Tensor, y: &mut ringwood::device::Tensor) {
    let _ = f(x, y, 3);
}

fn main() {}
