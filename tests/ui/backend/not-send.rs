// expects: cannot be sent between threads safely
#[path = "../../support/chip.rs"]
mod chip;

use ringwood::backend::Backend;

struct Chip(std::rc::Rc<()>);

#[ringwood::backend(name = "chip")]
impl Backend for Chip {
    chip::body!();
}

fn main() {}
