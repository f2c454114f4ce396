// expects: the symbol `b` stands in the results alone, so each application gives it: write `attributes: { b: usize }`
use ringwood::register_operator;

register_operator! {
    /// The numbers below an extent.
    pub Below = "below";
    shape: "a -> a b",
}

fn main() {}
