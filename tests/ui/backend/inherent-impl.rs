// expects: this impl implements no trait
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip;

#[ringwood::backend(name = "chip")]
impl Chip {}

impl Backend for Chip {
    chip::body!();
}

fn main() {}
