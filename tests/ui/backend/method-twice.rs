// expects: duplicate definitions with name `record`
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip;

#[ringwood::backend(name = "chip")]
impl Backend for Chip {
    chip::body!();

    fn record(&self, _: &()) -> ringwood::Result<()> {
        Ok(())
    }
}

fn main() {}
