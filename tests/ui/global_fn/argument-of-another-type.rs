// expects: cannot be an argument
use ringwood::global_fn;
use ringwood::session::Session;

#[global_fn]
fn scale(rate: f64) -> f64 {
    2.0 * rate
}

pub fn run(session: &Session) -> ringwood::Result<()> {
    scale::call(session, "fast")?;
    Ok(())
}

fn main() {}
