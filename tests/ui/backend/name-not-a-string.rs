// expects: `name` takes a string
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip;

#[ringwood::backend(name = 7)]
impl Backend for Chip {
    chip::body!();
}

fn main() {}
