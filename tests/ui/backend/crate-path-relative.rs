// expects: `crate = ringwood` is a relative path
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip;

#[ringwood::backend(name = "chip", crate = ringwood)]
impl Backend for Chip {
    chip::body!();
}

fn main() {}
