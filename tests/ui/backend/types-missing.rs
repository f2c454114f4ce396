// expects: missing: `Memory`, `Event`
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip;

#[ringwood::backend(name = "chip")]
impl Backend for Chip {
    type Device = ();
    type Stream = ();
    type Code = ();
    chip::methods!();
}

fn main() {}
