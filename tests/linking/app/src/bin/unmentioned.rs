//! Lists what arrives from a dependency that only `Cargo.toml` names.

use ringwood_core::registry::Registry;

fn main() -> ringwood_core::Result<()> {
    print!("{}", Registry::global()?);
    Ok(())
}
