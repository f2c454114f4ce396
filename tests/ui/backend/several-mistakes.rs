// expects: a backend cannot be generic

struct Chip<T>(T);

#[ringwood::backend(name = "My Chip", colour = "red", crate = super::ringwood)]
impl<T> Driver for Chip<T> {
    fn open(self) -> Self {
        self
    }
}

trait Driver {
    fn open(self) -> Self;
}

fn main() {}
