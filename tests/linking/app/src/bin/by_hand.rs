//! Lists the same items, registered by hand.

use linking_app::list;
use ringwood_base::registry::Registry;

fn main() -> ringwood_base::Result<()> {
    list(&Registry::builder().register_all(linking_items::ENTRIES).build()?);
    Ok(())
}
