//! Lists the same items, registered by hand.

use ringwood_core::registry::Registry;

fn main() -> ringwood_core::Result<()> {
    print!("{}", Registry::builder().register_all(linking_items::ENTRIES).build()?);
    Ok(())
}
