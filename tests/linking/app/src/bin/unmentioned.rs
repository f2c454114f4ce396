//! Lists what arrives from a dependency that only `Cargo.toml` names.

use linking_app::list;
use ringwood_base::registry::Registry;

fn main() -> ringwood_base::Result<()> {
    list(Registry::global()?);
    Ok(())
}
