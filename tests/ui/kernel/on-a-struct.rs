// expects: `#[kernel]` stands on a function
use ringwood::kernel;

#[kernel(device = cpu)]
struct Saxpy;

fn main() {}
