// expects: `impl Clone for …` is not `impl Backend`
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip;

#[ringwood::backend(name = "chip")]
impl Clone for Chip {
    fn clone(&self) -> Self {
        Chip
    }
}

impl Backend for Chip {
    chip::body!();
}

fn main() {}
