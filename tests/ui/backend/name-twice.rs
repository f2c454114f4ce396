// expects: `name` is given twice
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip;

#[ringwood::backend(name = "chip", name = "chop")]
impl Backend for Chip {
    chip::body!();
}

fn main() {}
