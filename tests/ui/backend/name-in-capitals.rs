// expects: `MyChip` cannot be the name of a backend
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip;

#[ringwood::backend(name = "MyChip")]
impl Backend for Chip {
    chip::body!();
}

fn main() {}
