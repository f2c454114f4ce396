// expects: method `record` has 1 parameter but the declaration in trait
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip;

#[ringwood::backend(name = "chip")]
impl Backend for Chip {
    type Device = ();
    type Stream = ();
    type Memory = ();
    type Event = ();
    type Code = ();
    chip::methods_but_record!();

    fn record(&self) -> ringwood::Result<()> {
        Ok(())
    }
}

fn main() {}
