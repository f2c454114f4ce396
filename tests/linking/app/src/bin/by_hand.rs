//! Lists the same items, registered by hand.

use linking_app::list;
use ringwood_core::registry::Registry;

fn main() -> ringwood_core::Result<()> {
    list(&Registry::builder().register_all(linking_items::ENTRIES).build()?);
    Ok(())
}
