// expects: a backend needs a name
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip;

#[ringwood::backend]
impl Backend for Chip {
    chip::body!();
}

fn main() {}
