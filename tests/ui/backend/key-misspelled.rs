// expects: help: did you mean `crate`?
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip;

#[ringwood::backend(name = "chip", crat = ::ringwood)]
impl Backend for Chip {
    chip::body!();
}

fn main() {}
