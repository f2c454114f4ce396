// expects: a backend cannot be generic
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip<T>(T);

#[ringwood::backend(name = "chip")]
impl<T: Send + Sync + 'static> Backend for Chip<T> {
    chip::body!();
}

fn main() {}
