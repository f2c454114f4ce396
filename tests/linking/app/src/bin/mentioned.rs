//! Lists what arrives from a dependency that one line mentions.

use linking_app::list;
use linking_items as _;
use ringwood_base::registry::Registry;

fn main() -> ringwood_base::Result<()> {
    list(Registry::global()?);
    Ok(())
}
