//! Lists what arrives from a dependency that one line mentions.

use linking_app::list;
use linking_items as _;
use ringwood_core::registry::Registry;

fn main() -> ringwood_core::Result<()> {
    list(Registry::global()?);
    Ok(())
}
