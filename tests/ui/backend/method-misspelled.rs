// expects: method `recrod` is not a member of trait `Backend`
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip;

#[ringwood::backend(name = "chip")]
impl Backend for Chip {
    chip::body!();

    fn recrod(&self, stream: &Self::Stream) -> ringwood::Result<Self::Event> {
        Ok(*stream)
    }
}

fn main() {}
