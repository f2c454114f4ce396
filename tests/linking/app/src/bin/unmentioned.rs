//! Lists what arrives from a dependency that only `Cargo.toml` names.

use linking_app::list;
use ringwood_core::registry::Registry;

fn main() -> ringwood_core::Result<()> {
    list(Registry::global()?);
    Ok(())
}
