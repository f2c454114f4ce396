// expects: `#[backend]` stands on `impl Backend for …`
#[ringwood::backend(name = "chip")]
struct Chip;

fn main() {}
